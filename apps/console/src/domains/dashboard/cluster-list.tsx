import { environments } from '@gantry/contract/clusters/environments'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useMay } from '../../api/session.ts'
import { Failed } from '../../ui/failed.tsx'
import { Section } from '../../ui/page.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'

const everyMs = 30_000

/** The clusters that the team may use, and how they are. */
export function ClusterList({ teamId }: { teamId: number }) {
  const may = useMay('resource_cluster_view')
  const query = useRead(environments.ofTeam, { params: { teamId } }, { enabled: may, every: everyMs, keep: false })
  if (!may || (query.data?.length === 0 && !query.error)) return null
  return (
    <Section title={t('dashboard-clusters')}>
      {query.error && !query.data && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <ul className="d-list">
          {query.data.map((cluster) => (
            <li key={cluster.uuid}>
              <StateBadge state={cluster.health} />
              <span className="d-list-main">
                <span className="g-row">
                  <strong>{cluster.name}</strong>
                  {cluster.sandbox && <span className="d-tag">{t('dashboard-simulated')}</span>}
                </span>
                <span className="d-list-memo d-list-below">
                  {cluster.healthMessage ||
                    [cluster.version, t('dashboard-nodes', { count: cluster.nodeNum })].filter(Boolean).join(', ')}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
