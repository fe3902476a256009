import type { UserState } from '@gantry/contract/users/users'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { t } from '../../api/language.ts'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import styles from './users.module.css'

/** In words of its own: a review that is not approved was refused, a user who is not waits. */
export const userStateName = (state: UserState): string => t(`user-state-${state}`)

/** Why nobody's hand, but a rule, keeps a user out, and for how long. */
const reasons: Partial<Record<UserState, PhraseKey>> = {
  locked: 'users-ui-locked-why',
  inactive: 'users-ui-inactive-why',
}

/** The state with what an administrator has to know of it. */
export function UserStanding({ state }: { state: UserState }) {
  const reason = reasons[state]
  return (
    <>
      <UserStateBadge state={state} />
      {reason && <small className={styles.why}>{t(reason)}</small>}
    </>
  )
}

/** Whether a user may sign in, and why not. */
export const UserStateBadge = ({ state }: { state: UserState }) => (
  <StateBadge state={state} text={userStateName(state)} />
)
