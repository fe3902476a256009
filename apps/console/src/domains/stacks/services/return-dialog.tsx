import { services, type ServiceDetail } from '@gantry/contract/stacks/services'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { refreshReads, useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { ReviewDialog } from '../../../ui/editor/review-dialog.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { specText } from '../spec/spec-text.ts'

interface ReturnProps {
  service: ServiceDetail
  revision: number
  onClose: () => void
}

/** A secret's value is that of today: a revision keeps none. */
const hasSecrets = ({ environment }: ServiceSpec): boolean => environment.some(({ secret }) => secret)

/** An upgrade to what a service was at an earlier revision, reviewed before it is sent. */
export function ReturnDialog({ service, revision, onClose }: ReturnProps) {
  const { envId, id, name, stackUuid } = service
  const teamId = useTeamId()
  const query = useRead(services.revision, { params: { teamId, envId, id, revision } })
  const upgrade = useWrite(services.update, { done: 'upgrade-success', quiet: true })
  const title = t('stacks-ui-return-title', { name, revision })
  // One dialog, with what there is to decide: not one that loads and another after it.
  if (query.isPending) return null
  if (!query.data || hasSecrets(query.data))
    return (
      <Dialog title={title} onClose={onClose}>
        <Loaded query={query}>{() => <p className="g-note g-note-warn">{t('stacks-ui-return-secrets')}</p>}</Loaded>
      </Dialog>
    )
  const spec = query.data
  return (
    <ReviewDialog
      key={service.revision}
      title={title}
      text={t('stacks-ui-return-text')}
      before={specText(service.spec)}
      after={specText(spec)}
      same={t('stacks-ui-review-same')}
      note=""
      back={t('ui-cancel')}
      send={{ label: t('stacks-ui-upgrade'), icon: 'upgrade', needs: 'stack_service_edit' }}
      stale="stacks-changed-since"
      onClose={onClose}
      onRebase={() => refreshReads([services.get])}
      onSend={async () => {
        const params = { teamId, stackId: stackUuid, serviceName: name }
        await upgrade.mutateAsync({ params, query: { revision: service.revision }, body: spec, named: name })
        onClose()
      }}
    />
  )
}
