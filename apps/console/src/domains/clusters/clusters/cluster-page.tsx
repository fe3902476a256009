import type { ReactNode } from 'react'
import { clusters, type Cluster } from '@gantry/contract/clusters/clusters'
import { t } from '../../../api/language.ts'
import { useUser } from '../../../api/session.ts'
import { useRead } from '../../../api/hooks.ts'
import { Loaded, type Reading } from '../../../ui/detail.tsx'
import { to, useGo, useParam } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { ActionMenu } from '../../../ui/table/row-actions.tsx'
import type { Tab } from '../../../ui/tabs.tsx'
import { ClusterMetrics } from '../../monitoring/public.tsx'
import { ClusterOverview } from './cluster-overview.tsx'
import { EventsTab } from '../pods/events-tab.tsx'
import { ClusterState, SimulatedTag } from './health.tsx'
import { HostsTab } from '../hosts/hosts-tab.tsx'
import { IngressTab } from './ingress-tab.tsx'
import { PodsTab } from '../pods/pods-tab.tsx'
import { QuotasTab } from './quotas-tab.tsx'
import { StorageTab } from '../storage/storage-tab.tsx'
import { useClusterActions } from './use-cluster-actions.tsx'

/** The tabs. Lists only need the cluster's uuid: they load in parallel with the cluster. */
const tabsOf = (uuid: string, query: Reading<Cluster>): readonly Tab[] => {
  const whole = (view: (cluster: Cluster) => ReactNode) => () => <Loaded query={query}>{view}</Loaded>
  return [
    {
      key: 'overview',
      label: t('clusters-ui-tab-overview'),
      content: whole((cluster) => <ClusterOverview cluster={cluster} />),
    },
    {
      key: 'hosts',
      label: t('clusters-ui-tab-hosts'),
      content: whole((cluster) => <HostsTab cluster={cluster} />),
    },
    { key: 'pods', label: t('clusters-ui-tab-pods'), content: () => <PodsTab env={uuid} /> },
    { key: 'events', label: t('clusters-ui-tab-events'), content: () => <EventsTab env={uuid} /> },
    {
      key: 'metrics',
      label: t('clusters-ui-tab-metrics'),
      content: whole((cluster) => <ClusterMetrics cluster={cluster} />),
    },
    {
      key: 'storage',
      label: t('clusters-ui-tab-storage'),
      content: whole((cluster) => <StorageTab cluster={cluster} />),
    },
    {
      key: 'ingress',
      label: t('ingress-ui-tab'),
      content: whole((cluster) => <IngressTab cluster={cluster} />),
    },
    {
      key: 'teams',
      label: t('clusters-ui-quotas'),
      content: whole((cluster) => <QuotasTab cluster={cluster} />),
    },
  ]
}

/** A cluster: its health, its workloads, and the teams that may use it. */
export function ClusterPage() {
  const go = useGo()
  const { admin } = useUser()
  const uuid = useParam('env_uuid')
  const options = { every: 60_000, keep: false }
  const query = useRead(clusters.get, { params: { uuid } }, options)
  const { actionsOf, dialog } = useClusterActions()
  const cluster = query.data
  const missing = !cluster && query.isFetched
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
        // Rendered before the cluster is loaded, so that nothing moves when it arrives.
        admin &&
        !missing && (
          <ActionMenu
            label={t('ui-actions-of', { name: cluster?.name ?? '…' })}
            actions={cluster ? actionsOf(cluster, () => go(list, { replace: true })) : []}
          />
        )
      }
      {...(missing ? {} : { tabs: tabsOf(uuid, query) })}
    >
      {missing && <Loaded query={query}>{() => null}</Loaded>}
      {dialog}
    </Page>
  )
}
