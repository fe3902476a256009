import { useState } from 'react'
import type { Sized } from '@gantry/contract/stacks/demand'
import { copies } from '@gantry/contract/stacks/copies/copies'
import { dryRuns } from '@gantry/contract/stacks/preview/dry-run'
import { services, type ServiceDetail } from '@gantry/contract/stacks/services'
import { BusinessSpec, ServiceSpec } from '@gantry/contract/stacks/spec'
import { call } from '../../../api/call.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { to, useGo, useParam, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { ServiceBadge } from '../services/badges.tsx'
import { toService } from '../stacks/places.ts'
import { DraftNote } from '../../../ui/editor/draft-note.tsx'
import { ReviewDialog } from '../../../ui/editor/review-dialog.tsx'
import { rebase } from '../../../ui/form/rebase.ts'
import { DryRunResult } from '../preview/dry-run.tsx'
import { useRegistries } from './image-field.tsx'
import { ServiceFields } from './service-fields.tsx'
import { besideOf, grayOf, problemOfWay, UpgradeWay, usualWay, type Upgrade } from './upgrade-way.tsx'
import { specText } from './spec-text.ts'
import { sizeKeys } from './sizes.ts'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { allows } from '../services/service-states.ts'
import { ShareAfter, useShare } from '../stacks/share-after.tsx'
import { sizedOf } from '../stacks/sized.ts'

/** Changes a service's specification, after a review of the changes. */
export function UpgradeServicePage() {
  const teamId = useTeamId()
  const envId = useParam('env_id')
  const id = Number(useParam('service_id'))
  const name = useParam('sname')
  const stackName = useParam('stack_name')
  // Read once, so that it does not change while it is being edited.
  const query = useRead(services.get, { params: { teamId, envId, id } }, { staleMs: Infinity, keep: false })
  const choices = useRegistries()
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
      <Loaded query={choices.isLoading ? { ...query, data: undefined } : query}>
        {(service) => <Upgrade service={service} />}
      </Loaded>
    </Page>
  )
}

const noSizes = { cpuRequest: '', cpu: '', memoryRequest: '', memory: '' }

/** An edit, and the service on which it is based. */
interface Draft {
  service: ServiceDetail
  spec: ServiceSpec
}

/** If a colleague has changed the service meanwhile, the edit is rebased on its present state, and reviewed again. */
function Upgrade({ service: opened }: { service: ServiceDetail }) {
  const go = useGo()
  // The page may read the service again at any time: the edit keeps its base.
  const [began] = useState(opened.revision)
  const [sizes] = useUrlState(noSizes)
  const filled = sizeKeys.filter((key) => sizes[key] !== '')
  const [draft, setDraft] = useState<Draft>({
    service: opened,
    spec: {
      ...opened.spec,
      resources: { ...opened.spec.resources, ...Object.fromEntries(filled.map((key) => [key, sizes[key]])) },
    },
  })
  const reviewing = useDialog<ServiceSpec>()
  const [way, setWay] = useState<Upgrade>(usualWay)
  const send = useSend(way)
  const { service } = draft
  const { teamId, envId, id, name, revision } = service
  const next = reviewing.open
  const rebased = revision === began ? '' : t('stacks-ui-rebased', { revision, by: service.revisions[0]?.by ?? '' })
  return (
    <>
      {filled.length > 0 && <p className="g-note">{t('sizes-ui-filled')}</p>}
      {rebased !== '' && <p className="g-note">{rebased}</p>}
      <UpgradeForm key={`form ${revision}`} draft={draft} way={way} onWay={setWay} onReview={reviewing.show} />
      {next && (
        <ReviewDialog
          key={`review ${revision}`}
          title={t('stacks-ui-review-title', { name })}
          text={reviewText(service, way)}
          before={specText(service.spec)}
          after={specText(next)}
          same={t('stacks-ui-review-same')}
          note={rebased}
          send={{
            label: t(way.type === 'edit' ? 'stacks-ui-way-put' : 'stacks-ui-upgrade'),
            icon: 'upgrade',
            needs: services.update,
          }}
          stale="stacks-changed-since"
          onClose={reviewing.hide}
          onRebase={async () => {
            const now = await call(services.get, { params: { teamId, envId, id } })
            const spec = rebase(next, service.spec, now.spec)
            setDraft({ service: now, spec })
            reviewing.show(spec)
          }}
          onSend={async () => {
            await send(service, next)
            go(toService(service))
          }}
        >
          <DryRunResult
            ask={() =>
              call(dryRuns.upgrade, {
                params: { teamId, stackId: service.stackUuid, serviceName: name },
                body: next,
              })
            }
          />
        </ReviewDialog>
      )}
    </>
  )
}

/** The effect of the request, as text. */
function reviewText({ state }: ServiceDetail, { type }: Upgrade): string {
  if (type !== 'rolling') return t(`stacks-ui-way-${type}-about`)
  return t(state === 'stable' || state === 'stopped' ? 'stacks-ui-review-text' : 'stacks-ui-review-text-replace')
}

/** Sends a specification in the selected way. */
function useSend(way: Upgrade): (service: ServiceDetail, spec: ServiceSpec) => Promise<unknown> {
  const quiet = { done: 'upgrade-success', quiet: true } as const
  const rolling = useWrite(services.update, quiet)
  const blueGreen = useWrite(copies.blueGreen, quiet)
  const gray = useWrite(copies.gray, quiet)
  const edit = useWrite(services.edit, { done: 'edit-success', quiet: true })
  return ({ teamId, envId, id, name: named, revision, stackUuid }, spec) => {
    const params = { teamId, envId, id }
    const query = { revision }
    switch (way.type) {
      case 'rolling':
        return rolling.mutateAsync({
          named,
          params: { teamId, stackId: stackUuid, serviceName: named },
          query,
          body: spec,
        })
      case 'edit':
        return edit.mutateAsync({ named, params, query, body: spec })
      case 'bluegreen':
        return blueGreen.mutateAsync({ named, params, query, body: { spec } })
      case 'gray':
        return gray.mutateAsync({ named, params, query, body: { spec, ...grayOf(way) } })
    }
  }
}

interface FormProps {
  draft: Draft
  way: Upgrade
  onWay: (way: Upgrade) => void
  onReview: (next: ServiceSpec) => void
}

function UpgradeForm({ draft, way, onWay, onReview }: FormProps) {
  const go = useGo()
  const { service, spec } = draft
  const { teamId, envId, state, name } = service
  const [next, setNext] = useState<Sized | undefined>(spec)
  const share = useShare({
    teamId,
    envId,
    stack: service.stackUuid,
    now: service,
    next,
    // Only a specification that ran can be returned to.
    undoable: state === 'stable' && way.type !== 'edit',
    beside: besideOf(way, next),
  })
  const refusal = allows(state, 'upgrade') ? undefined : t(`stacks-not-now-${state}`, { name })
  return (
    <>
      {refusal !== undefined && <p className="g-note g-note-warn">{refusal}</p>}
      <DraftNote
        draftKey={`service-${service.id}`}
        value={specText(service.spec)}
        onOpen={() => go(toService(service, { tab: 'yaml' }))}
      />
      <Form
        schema={BusinessSpec}
        whole
        initial={spec}
        submit={t('stacks-ui-review')}
        needs={services.update}
        disabled={refusal ?? problemOfWay(way) ?? share.short ?? false}
        onChange={(values) => setNext(sizedOf(values))}
        aside={{ title: t('stacks-ui-share-of', { stack: service.stackName }), content: <ShareAfter share={share} /> }}
        onCancel={() => go(toService(service))}
        onSubmit={(values) => {
          onReview(ServiceSpec.parse(values))
          return Promise.resolve()
        }}
      >
        <ServiceFields workloadFixed />
        <UpgradeWay service={service} replicas={next?.replicas ?? spec.replicas} way={way} onChange={onWay} />
      </Form>
    </>
  )
}
