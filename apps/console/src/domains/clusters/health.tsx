import type { Environment } from '@gantry/contract/clusters/environments'
import { t } from '../../api/language.ts'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import './clusters.css'

const tones: Record<Environment['health'], StateTone> = {
  healthy: 'ok',
  unreachable: 'bad',
  credentials: 'bad',
  unknown: 'wait',
}

/** How a cluster is, and, where it is not well, why. */
export function Health({ cluster: { health, healthMessage } }: { cluster: Environment }) {
  return (
    <>
      <StateBadge state={health} tone={tones[health]} />
      {healthMessage !== '' && <p className="c-reason">{healthMessage}</p>}
    </>
  )
}

/** The product's own cluster is not a real one: that is said wherever it stands. */
export const SimulatedTag = () => <span className="c-tag">{t('stacks-ui-simulated')}</span>
