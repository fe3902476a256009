import { Input, Modal } from 'antd'
import { topics } from '@gantry/contract/push/topics'
import { roles, type Role } from '@gantry/contract/teams/roles'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useLive } from '../../api/use-push.ts'
import { Button } from '../../ui/button.tsx'
import { confirm, useDialog } from '../../ui/dialog.tsx'
import { Field, Form } from '../../ui/form.tsx'
import { to, useGo, useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { ResourceTable } from '../../ui/resource-table.tsx'
import { useTeamName } from './use-team-name.ts'

/** The roles of a team; what each may do is a page of its own. */
export function RoleListPage() {
  const teamId = useTeamId()
  const team = useTeamName()
  const go = useGo()
  const query = useLive(roles.list, { params: { teamId } }, topics.team(teamId))
  const creating = useDialog()
  const remove = useWrite(roles.remove, { refreshes: [roles.list], done: 'delete-success-role', quiet: true })
  const open = (role: Role) => to('team-role-edit', { team_id: teamId }, { role: role.id })
  const ask = (role: Role) =>
    confirm({
      title: t('teams-ui-role-delete-title', { name: role.name }),
      danger: true,
      ok: t('ui-delete'),
      run: () => remove.mutateAsync({ params: { teamId, roleId: role.id } }),
    })
  const add = { label: t('teams-ui-role-create'), needs: 'team_role_create', onClick: () => creating.show(true) }
  return (
    <Page
      title={t('route-team-roles')}
      about={t('teams-ui-roles-about', { team })}
      actions={
        <Button primary icon="add" needs={add.needs} onClick={add.onClick}>
          {add.label}
        </Button>
      }
    >
      <ResourceTable
        label={t('route-team-roles')}
        query={query}
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        columns={[
          { key: 'name', title: t('teams-ui-role'), cell: (row) => row.name },
          {
            key: 'members',
            title: t('route-team-members'),
            align: 'right',
            width: 120,
            cell: (row) => row.members,
          },
        ]}
        open={open}
        actions={(row) => [
          {
            key: 'permissions',
            label: t('route-team-role-edit'),
            icon: 'shield',
            needs: 'team_role_view',
            onClick: () => go(open(row)),
          },
          {
            key: 'delete',
            label: t('ui-delete'),
            icon: 'delete',
            danger: true,
            needs: 'team_role_delete',
            disabled: row.members > 0 && t('role-in-use', { name: row.name, count: row.members }),
            onClick: () => void ask(row),
          },
        ]}
        empty={{ type: 'other', title: t('teams-ui-roles-none'), memo: t('teams-ui-roles-none-memo'), add }}
      />
      {creating.open && <CreateRoleDialog teamId={teamId} onClose={creating.hide} onDone={(role) => go(open(role))} />}
    </Page>
  )
}

interface CreateRoleProps {
  teamId: number
  onClose: () => void
  onDone: (role: Role) => void
}

function CreateRoleDialog({ teamId, onClose, onDone }: CreateRoleProps) {
  const create = useWrite(roles.create, { refreshes: [roles.list], done: 'add-success-role', quiet: true })
  return (
    <Modal open title={t('teams-ui-role-create')} footer={null} onCancel={onClose}>
      <Form
        schema={roles.create.query}
        submit={t('teams-ui-role-create')}
        needs="team_role_create"
        onCancel={onClose}
        onSubmit={async (query) => {
          const made = await create.mutateAsync({ params: { teamId }, query })
          onClose()
          onDone(made)
        }}
      >
        <Field name="roleName" label={t('teams-ui-role-name')} help={t('teams-ui-role-create-help')}>
          <Input autoFocus maxLength={15} />
        </Field>
      </Form>
    </Modal>
  )
}
