import { useState } from 'react'
import { services, type ServiceDetail } from '@gantry/contract/stacks/services'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { z } from 'zod'
import { call } from '../../../api/call.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { ReviewDialog } from '../../../ui/editor/review-dialog.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { rebase } from '../../../ui/form/rebase.ts'
import { to, useGo, useParam, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { ServiceBadge } from '../services/badges.tsx'
import { allows } from '../services/service-states.ts'
import { specText } from '../spec/spec-text.ts'
import { toService } from '../stacks/places.ts'
import { documents } from './kinds.ts'
import { OutwardFields } from './outward-fields.tsx'

/** Changes a service's outside addresses or ways in, after a review. */
export function UpgradeOutwardPage() {
  const teamId = useTeamId()
  const envId = useParam('env_id')
  const id = Number(useParam('service_id'))
  const name = useParam('sname')
  const stackName = useParam('stack_name')
  // Read once, so that it does not change while it is being edited.
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
      <Loaded query={query}>
        {(service) =>
          service.spec.outward ? <Edit service={service} /> : <EmptyState title={t('outward-type-fixed', { name })} />
        }
      </Loaded>
    </Page>
  )
}

function Edit({ service: opened }: { service: ServiceDetail }) {
  const go = useGo()
  const [{ service, spec }, setDraft] = useState({ service: opened, spec: opened.spec })
  const reviewing = useDialog<ServiceSpec>()
  const upgrade = useWrite(services.update, { done: 'upgrade-success', quiet: true })
  const { teamId, envId, id, name, revision, stackUuid, state } = service
  const next = reviewing.open
  const type = spec.outward?.type ?? 'external'
  const schema: z.ZodType<
    z.output<(typeof documents)[typeof type]>,
    z.input<(typeof documents)[typeof type]>
  > = documents[type]
  const refusal = allows(state, 'upgrade') ? undefined : t(`stacks-not-now-${state}`, { name })
  const rebased =
    revision === opened.revision ? '' : t('stacks-ui-rebased', { revision, by: service.revisions[0]?.by ?? '' })
  return (
    <>
      {refusal !== undefined && <p className="g-note g-note-warn">{refusal}</p>}
      {rebased !== '' && <p className="g-note">{rebased}</p>}
      <Form
        key={revision}
        schema={schema}
        whole
        initial={{ outward: spec.outward } as never}
        submit={t('stacks-ui-review')}
        needs={services.update}
        disabled={refusal ?? false}
        onCancel={() => go(toService(service))}
        onSubmit={(values) => {
          reviewing.show(ServiceSpec.parse({ ...service.spec, ...values }))
          return Promise.resolve()
        }}
      >
        <OutwardFields type={type} place={{ teamId, envId, stackId: stackUuid, id }} />
      </Form>
      {next && (
        <ReviewDialog
          key={`review ${revision}`}
          title={t('stacks-ui-review-title', { name })}
          text={t('stacks-ui-review-text-replace')}
          before={specText(service.spec)}
          after={specText(next)}
          same={t('stacks-ui-review-same')}
          note={rebased}
          send={{ label: t('stacks-ui-upgrade'), icon: 'upgrade', needs: services.update }}
          stale="stacks-changed-since"
          onClose={reviewing.hide}
          onRebase={async () => {
            const now = await call(services.get, { params: { teamId, envId, id } })
            const merged = rebase(next, service.spec, now.spec)
            setDraft({ service: now, spec: merged })
            reviewing.show(merged)
          }}
          onSend={async () => {
            const params = { teamId, stackId: stackUuid, serviceName: name }
            await upgrade.mutateAsync({ named: name, params, query: { revision }, body: next })
            go(toService(service))
          }}
        />
      )}
    </>
  )
}
