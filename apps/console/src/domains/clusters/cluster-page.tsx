import { environments, type Environment } from '@gantry/contract/clusters/environments'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useUser } from '../../api/session.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts, Loaded } from '../../ui/detail.tsx'
import { to, useGo, useParam } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { ActionMenu } from '../../ui/row-actions.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { ClusterTeams } from './cluster-teams.tsx'
import { Health, SimulatedTag } from './health.tsx'
import { useClusterActions } from './use-cluster-actions.tsx'
import './clusters.css'

/** A cluster: how it is, and the teams that may use it with their quotas. */
export function ClusterPage() {
  const go = useGo()
  const { admin } = useUser()
  const uuid = useParam('env_uuid')
  const query = useRead(environments.get, { params: { uuid } }, { every: 15_000, keep: false })
  const { actionsOf, dialog } = useClusterActions()
  const cluster = query.data
  const list = to('resourcemanager-environments-new')
  return (
    <Page
      title={
        <span className="g-title">
          {cluster?.name ?? '…'}
          {cluster?.sandbox && <SimulatedTag />}
          {cluster && cluster.health !== 'healthy' && <StateBadge state={cluster.health} tone="bad" />}
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
    >
      <Loaded query={query}>{(data) => <Overview cluster={data} />}</Loaded>
      {dialog}
    </Page>
  )
}

const Overview = ({ cluster }: { cluster: Environment }) => (
  <div className="c-overview">
    {cluster.sandbox && <p className="g-note">{t('clusters-ui-sandbox')}</p>}
    <Facts
      facts={[
        { label: t('clusters-ui-health'), value: <Health cluster={cluster} /> },
        { label: t('clusters-ui-version'), value: cluster.version },
        { label: t('clusters-ui-nodes'), value: <span className="g-num">{cluster.nodeNum}</span> },
        { label: t('clusters-ui-server'), value: <Copyable text={cluster.server} /> },
        { label: t('clusters-ui-id'), value: <Copyable text={cluster.uuid} short={8} /> },
        { label: t('clusters-ui-since'), value: <Time at={cluster.createdAt} /> },
      ]}
    />
    <ClusterTeams cluster={cluster} />
  </div>
)
