import { type PlatformRegistry, platformRegistries } from '@gantry/contract/images/platform-registries'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { TeamsDialog } from '../teams/public.tsx'

/** The teams that use a platform registry. One call per team: one that still uses it is kept, with the reason. */
export function AssignDialog({ registry, onClose }: { registry: PlatformRegistry; onClose: () => void }) {
  const { id, name, teams } = registry
  const options = { quiet: true, done: 'assign-success' } as const
  const assign = useWrite(platformRegistries.assign, options)
  const withdraw = useWrite(platformRegistries.withdraw, options)
  return (
    <TeamsDialog
      title={t('images-ui-teams-of', { name })}
      label={t('images-ui-teams')}
      help={t('images-ui-teams-help')}
      teams={teams}
      onSave={async ({ added, removed }) => {
        for (const teamId of added) await assign.mutateAsync({ named: name, params: { id, teamId } })
        for (const teamId of removed) await withdraw.mutateAsync({ named: name, params: { id, teamId } })
      }}
      onClose={onClose}
    />
  )
}
