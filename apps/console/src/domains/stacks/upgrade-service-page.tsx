import { useState } from 'react'
import type { Sized } from '@gantry/contract/stacks/demand'
import { services, type ServiceDetail } from '@gantry/contract/stacks/services'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { useDialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { to, useGo, useParam, useTeamId } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { ServiceBadge } from './marks.tsx'
import { toService } from './places.ts'
import { serviceReads } from './reads.ts'
import { ReviewDialog } from './review-dialog.tsx'
import { ServiceFields } from './service-fields.tsx'
import { allows } from './service-states.ts'
import { ShareAfter, useShare } from './share-after.tsx'
import { sizedOf } from './sized.ts'
import './stacks.css'

/** A new specification for a service: what changes is shown before it is sent. */
export function UpgradeServicePage() {
  const teamId = useTeamId()
  const envId = useParam('env_id')
  const id = Number(useParam('service_id'))
  const name = useParam('sname')
  const stackName = useParam('stack_name')
  // What is being edited must not change under the hand: it is read once.
  const query = useRead(services.get, { params: { teamId, envId, id } }, { staleMs: Infinity, keep: false })
  return (
    <Page
      title={
        <span className="g-title">
          {t('stacks-ui-upgrade-title', { name })} {query.data && <ServiceBadge service={query.data} />}
        </span>
      }
      crumbs={[
        { label: t('route-app-list'), to: to('app-list') },
        { label: stackName, to: to('app-list', {}, { keyword: stackName }) },
        { label: name, ...(query.data ? { to: toService(query.data) } : {}) },
      ]}
    >
      <Loaded query={query}>{(service) => <UpgradeForm service={service} />}</Loaded>
    </Page>
  )
}

function UpgradeForm({ service }: { service: ServiceDetail }) {
  const go = useGo()
  const { teamId, envId, id, state, name } = service
  const [next, setNext] = useState<Sized | undefined>(service.spec)
  const reviewing = useDialog<ServiceSpec>()
  const share = useShare({
    teamId,
    envId,
    stack: service.stackUuid,
    now: service,
    next,
    // Only what has run once is kept to return to.
    undoable: state === 'stable',
  })
  const upgrade = useWrite(services.update, { refreshes: serviceReads, done: 'upgrade-success', quiet: true })
  const refusal = allows(state, 'upgrade') ? undefined : t(`stacks-not-now-${state}`, { name })
  return (
    <>
      {refusal !== undefined && <p className="g-note g-note-warn">{refusal}</p>}
      <Form
        schema={ServiceSpec}
        initial={service.spec}
        submit={t('stacks-ui-review')}
        needs="stack_service_edit"
        disabled={refusal ?? share.short ?? false}
        onChange={(values) => setNext(sizedOf(values))}
        onCancel={() => go(toService(service))}
        onSubmit={(values) => {
          reviewing.show(ServiceSpec.parse(values))
          return Promise.resolve()
        }}
      >
        <div className="s-form">
          <div className="s-form-main">
            <ServiceFields />
          </div>
          <aside className="s-aside" aria-label={t('stacks-ui-share-of', { stack: service.stackName })}>
            <h2>{t('stacks-ui-share-of', { stack: service.stackName })}</h2>
            <ShareAfter share={share} />
          </aside>
        </div>
      </Form>
      {reviewing.open && (
        <ReviewDialog
          service={service}
          next={reviewing.open}
          onClose={reviewing.hide}
          onSend={async (body) => {
            const params = { teamId, stackId: service.stackUuid, serviceName: name }
            await upgrade.mutateAsync({ params, body })
            go(toService({ ...service, id }))
          }}
        />
      )}
    </>
  )
}
