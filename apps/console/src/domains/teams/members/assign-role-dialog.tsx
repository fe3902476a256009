import { z } from 'zod'
import { teams, type Member } from '@gantry/contract/teams/teams'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { leaderRole, RoleSelect } from '../roles/role-select.tsx'

const schema = z.strictObject({ role: teams.assignRole.body })

interface AssignRoleProps {
  teamId: number
  member: Member
  onClose: () => void
}

/** Sets a member's role in the team: leader, or one of its roles. */
export function AssignRoleDialog({ teamId, member, onClose }: AssignRoleProps) {
  const assign = useWrite(teams.assignRole, {
    done: 'update-success',
    quiet: true,
  })
  const now = member.teamLeader ? leaderRole : (member.roleId ?? undefined)
  const name = member.nickname || member.userName
  return (
    <FormDialog
      title={t('teams-ui-role-title', { name })}
      onClose={onClose}
      schema={schema}
      initial={now === undefined ? {} : { role: now }}
      submit={t('ui-save')}
      needs={teams.assignRole}
      onSubmit={({ role }) =>
        assign.mutateAsync({ named: member.userName, params: { id: teamId, userId: member.id }, body: role })
      }
    >
      {member.grantedBy !== '' && <p className="g-note g-note-warn">{t('teams-ui-granted-help')}</p>}
      <Field name="role" label={t('teams-ui-role')} help={t('teams-ui-role-help')}>
        <RoleSelect teamId={teamId} />
      </Field>
    </FormDialog>
  )
}
