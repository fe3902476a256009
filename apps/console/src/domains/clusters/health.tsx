import type { Environment } from '@gantry/contract/clusters/environments'
import { t } from '../../api/language.ts'
import { Icon } from '../../ui/icon.tsx'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import './clusters.css'

const tones: Record<Environment['health'], StateTone> = {
  healthy: 'ok',
  unreachable: 'bad',
  credentials: 'bad',
  unknown: 'wait',
}

export const ClusterState = ({ cluster: { health, leaving } }: { cluster: Environment }) =>
  leaving ? <StateBadge state="deleting" /> : <StateBadge state={health} tone={tones[health]} />

/** How a cluster is, and, where it is not well, why. */
export function Health({ cluster }: { cluster: Environment }) {
  const { health, healthMessage } = cluster
  return (
    <div>
      <ClusterState cluster={cluster} />
      {healthMessage !== '' && (
        <p className={tones[health] === 'bad' ? 'c-reason c-reason-bad' : 'c-reason'}>{healthMessage}</p>
      )}
    </div>
  )
}

/** The product's own cluster is not a real one: that is said wherever it stands. */
export const SimulatedTag = () => <span className="c-tag">{t('stacks-ui-simulated')}</span>

/** A cluster's name as lists have it: one that is not well has a mark before it. */
export const ClusterName = ({ cluster: { name, sandbox, health } }: { cluster: Environment }) => (
  <span className="c-name">
    {tones[health] === 'bad' && (
      <span className="c-unwell">
        <Icon name="warn" size={14} />
      </span>
    )}
    {name}
    {sandbox && <SimulatedTag />}
  </span>
)
