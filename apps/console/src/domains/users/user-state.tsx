import type { UserState } from '@gantry/contract/users/users'
import { t } from '../../api/language.ts'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'

const tones: Record<UserState, StateTone> = {
  normal: 'ok',
  unapproved: 'wait',
  disabled: 'bad',
  locked: 'warn',
  inactive: 'idle',
}

/** In words of its own: a review that is not approved was refused, a user who is not waits. */
export const userStateName = (state: UserState): string => t(`user-state-${state}`)

/** Whether a user may sign in, and why not. */
export const UserStateBadge = ({ state }: { state: UserState }) => (
  <StateBadge state={state} tone={tones[state]} text={userStateName(state)} />
)
