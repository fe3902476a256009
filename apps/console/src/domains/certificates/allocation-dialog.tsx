import { type Certificate, certificates } from '@gantry/contract/certificates/certificates'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { TeamsDialog } from '../teams/public.tsx'

/** The teams that may use a certificate. One call per team: a team that still uses it is kept, with the reason. */
export function AllocationDialog({ certificate, onClose }: { certificate: Certificate; onClose: () => void }) {
  const { id: certificateId, name, teams } = certificate
  const options = { quiet: true, done: 'assign-success' } as const
  const allocate = useWrite(certificates.allocate, options)
  const withdraw = useWrite(certificates.withdraw, options)
  return (
    <TeamsDialog
      title={t('certificates-ui-teams-of', { name })}
      label={t('certificates-ui-teams')}
      help={t('certificates-ui-teams-help')}
      teams={teams}
      onSave={async ({ added, removed }) => {
        for (const teamId of added) await allocate.mutateAsync({ named: name, params: { certificateId, teamId } })
        for (const teamId of removed) await withdraw.mutateAsync({ named: name, params: { certificateId, teamId } })
      }}
      onClose={onClose}
    />
  )
}
