import { revisions } from '@gantry/contract/stacks/revisions/revisions'
import { services, type ServiceDetail } from '@gantry/contract/stacks/services'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { refreshReads } from '../../../api/queries.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { ReviewDialog } from '../../../ui/editor/review-dialog.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { shortDigest } from '../spec/image-parts.ts'
import { specText } from '../spec/spec-text.ts'

interface ReturnProps {
  service: ServiceDetail
  revision: number
  onClose: () => void
}

/** Returns a service to an earlier revision by an upgrade, after a review. */
export function ReturnDialog({ service, revision, onClose }: ReturnProps) {
  const { envId, id, name } = service
  const teamId = useTeamId()
  const query = useRead(revisions.get, { params: { teamId, envId, id, revision } })
  const upgrade = useWrite(revisions.returnTo, { done: 'upgrade-success', quiet: true })
  const title = t('stacks-ui-return-title', { name, revision })
  // The dialog opens when its data is loaded, so that no other dialog precedes it.
  if (query.isPending) return null
  if (!query.data)
    return (
      <Dialog title={title} onClose={onClose}>
        <Loaded query={query}>{() => null}</Loaded>
      </Dialog>
    )
  const spec = query.data
  const kept = service.revisions.find((one) => one.revision === revision)?.digest ?? ''
  return (
    <ReviewDialog
      key={service.revision}
      title={title}
      text={t('stacks-ui-return-exact')}
      before={specText(service.spec)}
      after={specText(spec)}
      same={t('stacks-ui-review-same')}
      note={kept === '' ? '' : t('stacks-ui-return-digest', { digest: shortDigest(kept) })}
      back={t('ui-cancel')}
      send={{ label: t('stacks-ui-upgrade'), icon: 'upgrade', needs: revisions.returnTo }}
      stale="stacks-changed-since"
      onClose={onClose}
      onRebase={() => refreshReads([services.get])}
      onSend={async () => {
        const params = { teamId, envId, id, revision }
        await upgrade.mutateAsync({ params, query: { revision: service.revision }, named: name })
        onClose()
      }}
    />
  )
}
