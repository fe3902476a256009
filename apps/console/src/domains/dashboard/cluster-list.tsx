import { clusters } from '@gantry/contract/clusters/clusters'
import { t } from '../../api/language.ts'
import { useMay } from '../../api/session.ts'
import { useRead } from '../../api/hooks.ts'
import { Failed } from '../../ui/feedback/failed.tsx'
import { GoTo, to } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { ClusterName, ClusterState, UsageBars } from '../clusters/public.tsx'
import styles from './dashboard.module.css'

const every = 60_000

/** The clusters that the team may use, with their health and usage. */
export function ClusterList({ teamId }: { teamId: number }) {
  const enabled = useMay(clusters.ofTeam)
  const query = useRead(
    clusters.ofTeam,
    { params: { teamId } },
    {
      enabled,
      every,
      keep: false,
    },
  )
  if (!enabled || (query.data?.length === 0 && !query.error)) return null
  return (
    <Section title={t('dashboard-clusters')}>
      {query.error && !query.data && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <ul className={styles.list}>
          {query.data.map((cluster) => (
            <li key={cluster.uuid}>
              <ClusterState cluster={cluster} />
              <div className={styles.listMain}>
                <GoTo to={to('cluster-detail', { env_uuid: cluster.uuid })}>
                  <ClusterName cluster={cluster} />
                </GoTo>
                <span className={`${styles.listMemo} ${styles.listBelow}`}>
                  {cluster.healthMessage ||
                    [cluster.version, t('dashboard-nodes', { count: cluster.nodeNum })].filter(Boolean).join(', ')}
                </span>
                {/* no text if neither is measured */}
                {(cluster.usage.cpu ?? cluster.usage.memory) !== null && (
                  <div className={styles.listBelow}>
                    <UsageBars usage={cluster.usage} />
                  </div>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
