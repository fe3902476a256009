import { teams, type Team } from '@gantry/contract/teams/teams'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
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
    <FormDialog
      title={t('teams-ui-create')}
      onClose={onClose}
      schema={teams.create.body}
      submit={t('teams-ui-create')}
      onSubmit={async (body) => {
        const team = await create.mutateAsync({ body })
        onDone(team)
      }}
    >
      <TeamFields />
    </FormDialog>
  )
}
