import { tokens } from '@gantry/contract/tokens/tokens'
import { samplePath } from '@gantry/contract/sample/repository'
import { t } from '../../api/language.ts'
import { useMay } from '../../api/session.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { GoTo, to } from '../../ui/link.tsx'

/** How a member clones the sample's repository: the command, and the credentials that git needs. Contains no secret. */
export function CloneDialog({ teamId, onClose }: { teamId: number; onClose: () => void }) {
  const may = useMay(tokens.list)
  return (
    <Dialog title={t('sample-ui-clone')} onClose={onClose}>
      <p>
        <Copyable text={`git clone ${new URL(samplePath(teamId), location.origin).href}`} />
      </p>
      <p className="g-dialog-text">
        {t('sample-ui-clone-memo')}{' '}
        {may && <GoTo to={to('team-tokens', { team_id: teamId })}>{t('sample-ui-clone-tokens')}</GoTo>}
      </p>
    </Dialog>
  )
}
