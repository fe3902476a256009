import { services } from '@gantry/contract/stacks/services'
import { topology, type Topology } from '@gantry/contract/stacks/topology'
import { useRead } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { to, useGo, useParam, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { ActionMenu } from '../../../ui/table/row-actions.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { later } from '../../../ui/feedback/later.ts'
import { StackBadge } from '../services/badges.tsx'
import { until, useClusters } from '../services/reads.ts'
import { toAddService, toTraffic } from '../stacks/places.ts'
import { useStackActions } from '../stacks/use-stack-actions.tsx'
import { ClaimTable } from './claim-table.tsx'
import { StackMap } from './stack-map.tsx'

const ReleaseBar = later(async () => (await import('../../blueprints/public.tsx')).ReleaseBar)

/** Whether the cluster has been read, after which only topics cause changes. */
const isKnown = ({ services }: Topology): boolean => services.every(({ live }) => live.state !== 'loading')

/** A stack: its services as drawing and as table, and its claims. */
export function StackPage() {
  const teamId = useTeamId()
  const envId = useParam('env_id')
  const stackName = useParam('stack_name')
  const stackId = Number(useParam('stack_id'))
  const query = useRead(
    topology.get,
    { params: { teamId, envId, stackName } },
    { keep: false, of: { stackId }, every: until(isKnown) },
  )
  const stack = query.data?.stack
  return (
    <Page
      title={
        <span className="g-title">
          {stackName} {stack && stack.state !== 'running' && <StackBadge state={stack.state} />}
        </span>
      }
      about={stack?.description || stack?.envName}
      crumbs={[{ label: t('route-app-list'), to: to('app-list') }]}
      actions={stack && <StackButtons stack={stack} />}
    >
      <Loaded query={query}>
        {(data) => (
          <>
            {data.stack.message !== '' && (
              <p className={data.stack.state === 'failed' ? 'g-note g-note-bad' : 'g-note g-note-warn'}>
                {data.stack.message}
              </p>
            )}
            <ReleaseBar stack={data.stack} />
            <Tabs
              tabs={[
                {
                  key: 'map',
                  label: t('stacks-map'),
                  content: () => <StackMap topology={data} isFetching={query.isFetching} refetch={query.refetch} />,
                },
                { key: 'claims', label: t('stacks-map-claims'), content: () => <ClaimTable stack={data.stack} /> },
              ]}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function StackButtons({ stack }: Pick<Topology, 'stack'>) {
  const go = useGo()
  const clusters = useClusters(stack.teamId)
  const { actions, dialogs } = useStackActions(
    stack,
    clusters.data?.find(({ uuid }) => uuid === stack.envId),
  )
  return (
    <>
      <Button icon="pipeline" onClick={() => go(toTraffic(stack, 'app-jaeger'))}>
        {t('route-app-jaeger')}
      </Button>
      <Button icon="metrics" onClick={() => go(toTraffic(stack, 'app-kiali'))}>
        {t('route-app-kiali')}
      </Button>
      <ActionMenu label={t('ui-actions-of', { name: stack.name })} actions={actions} />
      <Button
        primary
        icon="add"
        needs={services.create}
        disabled={stack.state === 'deleting' && t('stacks-being-deleted', { name: stack.name })}
        onClick={() => go(toAddService(stack))}
      >
        {t('stacks-ui-add-service')}
      </Button>
      {dialogs}
    </>
  )
}
