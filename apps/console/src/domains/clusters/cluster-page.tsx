import { environments, type Environment } from '@gantry/contract/clusters/environments'
import { topics } from '@gantry/contract/push/topics'
import { t } from '../../api/language.ts'
import { useUser } from '../../api/session.ts'
import { useLive } from '../../api/use-push.ts'
import { Loaded } from '../../ui/detail.tsx'
import { to, useGo, useParam } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { ActionMenu } from '../../ui/row-actions.tsx'
import type { Tab } from '../../ui/tabs.tsx'
import { ClusterMetrics } from '../monitoring/public.tsx'
import { ClusterOverview } from './cluster-overview.tsx'
import { EventsTab } from './events-tab.tsx'
import { ClusterState, SimulatedTag } from './health.tsx'
import { HostsTab } from './hosts-tab.tsx'
import { IngressTab } from './ingress-tab.tsx'
import { PodsTab } from './pods-tab.tsx'
import { QuotasTab } from './quotas-tab.tsx'
import { StorageTab } from './storage-tab.tsx'
import { useClusterActions } from './use-cluster-actions.tsx'

const tabsOf = (environment: Environment): readonly Tab[] => [
  {
    key: 'overview',
    label: t('clusters-ui-tab-overview'),
    content: () => <ClusterOverview cluster={environment} />,
  },
  { key: 'hosts', label: t('clusters-ui-tab-hosts'), content: () => <HostsTab environment={environment} /> },
  { key: 'pods', label: t('clusters-ui-tab-pods'), content: () => <PodsTab environment={environment} /> },
  { key: 'events', label: t('clusters-ui-tab-events'), content: () => <EventsTab environment={environment} /> },
  { key: 'metrics', label: t('clusters-ui-tab-metrics'), content: () => <ClusterMetrics environment={environment} /> },
  { key: 'storage', label: t('clusters-ui-tab-storage'), content: () => <StorageTab environment={environment} /> },
  { key: 'ingress', label: t('ingress-ui-tab'), content: () => <IngressTab environment={environment} /> },
  { key: 'teams', label: t('clusters-ui-quotas'), content: () => <QuotasTab environment={environment} /> },
]

/** A cluster: how it is, what runs on it, and the teams that may use it. */
export function ClusterPage() {
  const go = useGo()
  const { admin } = useUser()
  const uuid = useParam('env_uuid')
  const options = { every: 60_000, keep: false }
  const query = useLive(environments.get, { params: { uuid } }, topics.environments(), options)
  const { actionsOf, dialog } = useClusterActions()
  const cluster = query.data
  const list = to('resourcemanager-environments-new')
  return (
    <Page
      title={
        <span className="g-title">
          {cluster?.name ?? '…'}
          {cluster?.sandbox && <SimulatedTag />}
          {cluster && (cluster.leaving || cluster.health !== 'healthy') && <ClusterState cluster={cluster} />}
        </span>
      }
      about={cluster?.description}
      crumbs={[{ label: t('route-resourcemanager-environments-new'), to: list }]}
      actions={
        cluster &&
        admin && (
          <ActionMenu
            label={t('ui-actions-of', { name: cluster.name })}
            actions={actionsOf(cluster, () => go(list, { replace: true }))}
          />
        )
      }
      {...(cluster && { tabs: tabsOf(cluster) })}
    >
      {!cluster && <Loaded query={query}>{() => null}</Loaded>}
      {dialog}
    </Page>
  )
}
