import type { Cluster } from '@gantry/contract/clusters/clusters'
import { t } from '../../../api/language.ts'
import { Icon } from '../../../ui/icon.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { toneOf } from '../../../ui/feedback/states.ts'
import styles from './clusters.module.css'

export const ClusterState = ({ cluster: { health, leaving } }: { cluster: Cluster }) =>
  leaving ? <StateBadge state="deleting" /> : <StateBadge state={health} />

/** The health of a cluster, with the reason if it is not healthy, and notices for administrators. */
export function Health({ cluster }: { cluster: Cluster }) {
  const { health, healthMessage, notice } = cluster
  return (
    <div>
      <ClusterState cluster={cluster} />
      {healthMessage !== '' && (
        <p className={toneOf(health) === 'bad' ? `${styles.reason} ${styles.reasonBad}` : styles.reason}>
          {healthMessage}
        </p>
      )}
      {notice && <p className={`${styles.reason} ${styles.reasonWarn}`}>{notice}</p>}
    </div>
  )
}

/** The product's own cluster is simulated: this is marked wherever it is shown. */
export const SimulatedTag = () => <span className="g-tag g-tag-info">{t('stacks-ui-simulated')}</span>

/** A cluster's name in lists, with a mark if it is not healthy. */
export const ClusterName = ({ cluster: { name, sandbox, health } }: { cluster: Cluster }) => (
  <span className={styles.name}>
    {toneOf(health) === 'bad' && (
      <span className={styles.unwell}>
        <Icon name="warn" size={14} />
      </span>
    )}
    {name}
    {sandbox && <SimulatedTag />}
  </span>
)
