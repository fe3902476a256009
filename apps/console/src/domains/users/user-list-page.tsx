import { Input, Modal, Switch } from 'antd'
import { users } from '@gantry/contract/users/users'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useUser } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { useDialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form.tsx'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { ResourceTable } from '../../ui/resource-table.tsx'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { Time } from '../../ui/time.tsx'

const tones: Record<string, StateTone> = { normal: 'ok', disabled: 'bad', locked: 'warn', inactive: 'idle' }

/** A new user with the password that is shown this once. */
interface Made {
  userName: string
  initialPassword: string
}

/** Every user of the installation, for administrators. */
export function UserListPage() {
  const me = useUser()
  const list = useListState('sys-users', { pageSize: 20 })
  const query = useRead(users.list, { query: list.query })
  const creating = useDialog()
  const made = useDialog<Made>()
  const add = { label: t('users-ui-create'), onClick: () => creating.show(true) }
  return (
    <Page
      title={t('route-sys-users')}
      about={t('users-ui-about')}
      actions={
        <Button primary icon="add" onClick={add.onClick}>
          {add.label}
        </Button>
      }
    >
      <ResourceTable
        label={t('route-sys-users')}
        query={query}
        list={list}
        search={t('users-ui-search')}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'userName',
            title: t('users-ui-name'),
            sort: true,
            cell: (row) => (
              <>
                {row.userName}
                {row.id === me.id && <span className="g-faint"> {t('users-ui-you')}</span>}
              </>
            ),
          },
          { key: 'nickname', title: t('users-ui-nickname'), cell: (row) => row.nickname },
          { key: 'email', title: t('users-ui-email'), wideOnly: true, cell: (row) => row.email },
          { key: 'type', title: t('users-ui-type'), wideOnly: true, cell: (row) => t(`user-type-${row.type}`) },
          {
            key: 'state',
            title: t('users-ui-state'),
            cell: (row) => <StateBadge state={row.state} tone={tones[row.state] ?? 'idle'} />,
          },
          {
            key: 'admin',
            title: t('users-ui-admin'),
            cell: (row) => (row.admin ? t('users-ui-admin-yes') : <span className="g-faint">–</span>),
          },
          {
            key: 'teams',
            title: t('users-ui-teams'),
            wideOnly: true,
            cell: (row) =>
              row.teams.map(({ name }) => name).join(', ') || (
                <span className="g-faint">{t('users-ui-teams-none')}</span>
              ),
          },
          {
            key: 'updatedAt',
            title: t('users-ui-changed'),
            sort: true,
            wideOnly: true,
            cell: (row) => <Time at={row.updatedAt} />,
          },
        ]}
        empty={{ type: 'other', add }}
      />
      {creating.open && <CreateUserDialog onClose={creating.hide} onDone={made.show} />}
      {made.open && <PasswordDialog user={made.open} onClose={made.hide} />}
    </Page>
  )
}

function CreateUserDialog({ onClose, onDone }: { onClose: () => void; onDone: (made: Made) => void }) {
  const create = useWrite(users.create, { refreshes: [users.list], done: 'create-success', quiet: true })
  return (
    <Modal open title={t('users-ui-create')} footer={null} onCancel={onClose}>
      <Form
        schema={users.create.body}
        submit={t('users-ui-create')}
        onCancel={onClose}
        onSubmit={async (body) => {
          const made = await create.mutateAsync({ body })
          onClose()
          onDone(made)
        }}
      >
        <Field name="userName" label={t('users-ui-name')} help={t('users-ui-name-help')}>
          <Input autoFocus maxLength={30} spellCheck={false} autoComplete="off" />
        </Field>
        <Field name="nickname" label={t('users-ui-nickname')}>
          <Input maxLength={20} autoComplete="off" />
        </Field>
        <Field name="email" label={t('users-ui-email')}>
          <Input maxLength={30} type="email" autoComplete="off" />
        </Field>
        <Field name="admin" label={t('users-ui-admin-switch')} help={t('users-ui-admin-help')} value="checked">
          <Switch />
        </Field>
      </Form>
    </Modal>
  )
}

/** The initial password, shown this once; a click beside the dialog does not lose it. */
function PasswordDialog({ user, onClose }: { user: Made; onClose: () => void }) {
  return (
    <Modal
      open
      title={t('users-ui-made-title', { name: user.userName })}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <div className="g-row g-row-end">
          <Button primary onClick={onClose}>
            {t('ui-close')}
          </Button>
        </div>
      }
    >
      <p className="g-dialog-text">{t('users-ui-made-text')}</p>
      <p className="g-note">
        <Copyable text={user.initialPassword} />
      </p>
    </Modal>
  )
}
