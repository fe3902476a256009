import { teams, type Team } from '@gantry/contract/teams/teams'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { TeamFields } from './team-fields.tsx'

interface CreateTeamProps {
  onClose: () => void
  onDone: (team: Team) => void
}

/** Creates a team, with its creator as leader. */
export function CreateTeamDialog({ onClose, onDone }: CreateTeamProps) {
  const create = useWrite(teams.create, {
    done: 'create-success',
    quiet: true,
  })
  return (
    <Dialog title={t('teams-ui-create')} onClose={onClose}>
      <Form
        schema={teams.create.body}
        submit={t('teams-ui-create')}
        onCancel={onClose}
        onSubmit={async (body) => {
          const team = await create.mutateAsync({ body })
          onClose()
          onDone(team)
        }}
      >
        <TeamFields />
      </Form>
    </Dialog>
  )
}
