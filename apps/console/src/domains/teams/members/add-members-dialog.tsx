import { z } from 'zod'
import { teams } from '@gantry/contract/teams/teams'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { ManySelect } from '../../../ui/form/many-select.tsx'

const chosen = z.strictObject({ users: teams.addMembers.body })

interface AddMembersProps {
  teamId: number
  team: string
  onClose: () => void
}

/** Adds users who are not members yet: all that were chosen, or none. */
export function AddMembersDialog({ teamId, team, onClose }: AddMembersProps) {
  const params = { id: teamId }
  const add = useWrite(teams.addMembers, {
    done: 'add-success',
    quiet: true,
  })
  return (
    <Dialog title={t('teams-ui-add-title', { team })} onClose={onClose}>
      <Form
        schema={chosen}
        submit={t('teams-ui-add')}
        needs="team_member_create"
        onCancel={onClose}
        onSubmit={async ({ users }) => {
          await add.mutateAsync({ named: '', params, body: users })
          onClose()
        }}
      >
        <Field name="users" label={t('teams-ui-users')} help={t('teams-ui-add-help')}>
          <ManySelect
            endpoint={teams.others}
            input={{ params }}
            pageSize={20}
            option={({ id, name, email }) => ({ value: id, label: email === '' ? name : `${name} · ${email}` })}
          />
        </Field>
      </Form>
    </Dialog>
  )
}
