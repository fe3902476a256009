import type { Volume } from '@gantry/contract/clusters/storage'
import { t } from '../../../api/language.ts'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import styles from './storage.module.css'

type State = Volume['state']

const words = {
  Pending: 'state-pending',
  Available: 'storage-ui-available',
  Bound: 'state-bound',
  Released: 'storage-ui-released',
  Failed: 'state-failed',
} as const

export const volumeStateWord = (state: State): string => t(words[state])

function whyHeld(by: readonly string[], claim: Volume['claim']): string {
  if (by.length === 0) return ''
  return claim !== null && by.includes('kubernetes.io/pv-protection')
    ? t('storage-ui-held-by-claim', { claim: `${claim.namespace}/${claim.name}`, finalizers: by.join(', ') })
    : t('ui-held-by', { finalizers: by.join(', ') })
}

/** A volume's state, with the driver's message if it failed, and what delays its deletion. */
export const VolumeState = ({ volume }: { volume: Pick<Volume, 'state' | 'message' | 'heldBy' | 'claim'> }) => (
  <div className={styles.name}>
    {volume.heldBy === null ? (
      <StateBadge state={volume.state} text={volumeStateWord(volume.state)} />
    ) : (
      <StateBadge state="deleting" />
    )}
    {volume.heldBy !== null && <small>{whyHeld(volume.heldBy, volume.claim)}</small>}
    {volume.message !== '' && <small lang="en">{volume.message}</small>}
  </div>
)
