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

/** A volume's state, with what its driver said where it failed. */
export const VolumeState = ({ volume: { state, message } }: { volume: Pick<Volume, 'state' | 'message'> }) => (
  <div className={styles.name}>
    <StateBadge state={state} text={volumeStateWord(state)} />
    {message !== '' && <small lang="en">{message}</small>}
  </div>
)
