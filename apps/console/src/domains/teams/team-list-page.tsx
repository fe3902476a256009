import { Input, Modal } from 'antd'
import { teams, type Team } from '@gantry/contract/teams/teams'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { confirm, useDialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { ResourceTable } from '../../ui/resource-table.tsx'
import { Time } from '../../ui/time.tsx'
import './teams.css'

/** Every team of the installation, for administrators. */
export function TeamListPage() {
  const go = useGo()
  const list = useListState('sys-teams')
  const query = useRead(teams.list, { query: list.query })
  const editing = useDialog<Team | 'new'>()
  const remove = useWrite(teams.remove, { refreshes: [teams.list, teams.brief], done: 'delete-success', quiet: true })
  const members = (team: Team) => to('team-members', { team_id: team.id })
  const ask = (team: Team) =>
    confirm({
      title: t('teams-ui-delete-title', { name: team.name }),
      goes: [t('teams-ui-delete-members', { count: team.userNum }), t('teams-ui-delete-roles')],
      text: t('teams-ui-delete-text'),
      typed: 'ok',
      danger: true,
      ok: t('ui-delete'),
      run: () => remove.mutateAsync({ params: { id: team.id } }),
    })
  const add = { label: t('teams-ui-create'), onClick: () => editing.show('new') }
  return (
    <Page
      title={t('route-sys-teams')}
      about={t('teams-ui-about')}
      actions={
        <Button primary icon="add" onClick={add.onClick}>
          {add.label}
        </Button>
      }
    >
      <ResourceTable
        label={t('route-sys-teams')}
        query={query}
        list={list}
        search={t('teams-ui-search')}
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        columns={[
          { key: 'name', title: t('teams-ui-name'), sort: true, cell: (row) => row.name },
          {
            key: 'description',
            title: t('teams-ui-description'),
            wideOnly: true,
            cell: (row) => row.description || <span className="g-faint">–</span>,
          },
          { key: 'leaders', title: t('teams-ui-leaders'), cell: (row) => row.managers.join(', ') || '–' },
          {
            key: 'members',
            title: t('route-team-members'),
            align: 'right',
            width: 96,
            cell: (row) => row.userNum,
          },
          {
            key: 'createdAt',
            title: t('teams-ui-created'),
            sort: true,
            wideOnly: true,
            cell: (row) => <Time at={row.createdAt} />,
          },
        ]}
        open={members}
        actions={(row) => [
          { key: 'members', label: t('route-team-members'), icon: 'team', onClick: () => go(members(row)) },
          { key: 'edit', label: t('ui-edit'), icon: 'edit', onClick: () => editing.show(row) },
          { key: 'delete', label: t('ui-delete'), icon: 'delete', danger: true, onClick: () => void ask(row) },
        ]}
        empty={{ type: 'other', title: t('teams-ui-none'), add }}
      />
      {editing.open && (
        <TeamDialog {...(editing.open === 'new' ? {} : { team: editing.open })} onClose={editing.hide} />
      )}
    </Page>
  )
}

/** Makes a team, or changes its name and description. */
function TeamDialog({ team, onClose }: { team?: Team; onClose: () => void }) {
  const refreshes = [teams.list, teams.get, teams.brief]
  const create = useWrite(teams.create, { refreshes, done: 'create-success', quiet: true })
  const update = useWrite(teams.update, { refreshes, done: 'update-success', quiet: true })
  return (
    <Modal
      open
      title={team ? t('teams-ui-edit-title', { name: team.name }) : t('teams-ui-create')}
      footer={null}
      onCancel={onClose}
    >
      <Form
        schema={teams.create.body}
        {...(team ? { initial: { name: team.name, description: team.description } } : {})}
        submit={team ? t('ui-save') : t('teams-ui-create')}
        onCancel={onClose}
        onSubmit={async (body) => {
          if (team) await update.mutateAsync({ params: { id: team.id }, body })
          else await create.mutateAsync({ body })
          onClose()
        }}
      >
        <Field name="name" label={t('teams-ui-name')} help={t('teams-ui-name-help')}>
          <Input autoFocus maxLength={20} spellCheck={false} autoComplete="off" />
        </Field>
        <Field name="description" label={t('teams-ui-description')}>
          <Input.TextArea rows={3} maxLength={1000} />
        </Field>
      </Form>
    </Modal>
  )
}
