import { Modal, Select } from 'antd'
import { z } from 'zod'
import { roles } from '@gantry/contract/teams/roles'
import { teams, type Member } from '@gantry/contract/teams/teams'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { Field, Form } from '../../ui/form.tsx'

/** On the wire a leader has the role 0. */
const leader = 0
const chosen = z.strictObject({ role: teams.assignRole.body })

interface AssignRoleProps {
  teamId: number
  member: Member
  onClose: () => void
}

/** What a member is in the team: its leader, or one of its roles. */
export function AssignRoleDialog({ teamId, member, onClose }: AssignRoleProps) {
  const query = useRead(roles.list, { params: { teamId } })
  const assign = useWrite(teams.assignRole, {
    refreshes: [teams.members, roles.list, teams.get],
    done: 'update-success',
    quiet: true,
  })
  const now = member.teamLeader ? leader : (member.roleId ?? undefined)
  return (
    <Modal open title={t('teams-ui-role-title', { name: member.nickname })} footer={null} onCancel={onClose}>
      <Form
        schema={chosen}
        initial={now === undefined ? {} : { role: now }}
        submit={t('ui-save')}
        needs="team_member_edit"
        onCancel={onClose}
        onSubmit={async ({ role }) => {
          await assign.mutateAsync({ params: { id: teamId, userId: member.id }, body: role })
          onClose()
        }}
      >
        <Field name="role" label={t('teams-ui-role')} help={t('teams-ui-role-help')}>
          <Select
            className="g-select"
            placeholder={t('ui-choose-one')}
            loading={query.isFetching}
            notFoundContent={query.error ? <span className="g-bad">{wordsOf(query.error)}</span> : t('no-data')}
            options={[
              { value: leader, label: t('teams-ui-leader') },
              ...(query.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Field>
      </Form>
    </Modal>
  )
}
