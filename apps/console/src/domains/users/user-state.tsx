import type { UserState } from '@gantry/contract/users/users'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { t } from '../../api/language.ts'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import styles from './users.module.css'

/** Separate phrases, because `unapproved` means refused for a review, but waiting for a user. */
export const userStateName = (state: UserState): string => t(`user-state-${state}`)

/** Why a rule, not a person, keeps a user out, and for how long. */
const reasons: Partial<Record<UserState, PhraseKey>> = {
  locked: 'users-ui-locked-why',
  inactive: 'users-ui-inactive-why',
}

/** The state with the facts that an administrator needs. */
export function UserStanding({ state }: { state: UserState }) {
  const reason = reasons[state]
  return (
    <>
      <UserStateBadge state={state} />
      {reason && <small className={styles.why}>{t(reason)}</small>}
    </>
  )
}

/** Whether a user may log in, and why not. */
export const UserStateBadge = ({ state }: { state: UserState }) => (
  <StateBadge state={state} text={userStateName(state)} />
)
