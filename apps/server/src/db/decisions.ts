import type { PermissionKey } from '@gantry/contract/permission-keys.gen'
import type { Decision, DecisionKind } from '@gantry/contract/decisions/decisions'
import type { Reason } from '../kernel/phrase.ts'
import type { Db } from './tables.gen.ts'

/** At most this many decisions of a kind are considered, the newest. */
export const decisionCap = 500

/** The user whose open decisions are listed. */
export interface Asker {
  id: number
  /** The teams in which the user holds what the kind needs. */
  teams: number[]
}

type WithReason<D> = D extends unknown ? Omit<D, 'text' | 'kind'> & { text: Reason } : never

/** A decision whose text has not been translated yet. */
export type Waiting<K extends DecisionKind = DecisionKind> = WithReason<Extract<Decision, { kind: K }>>

/** One kind of decision that waits for somebody. */
export interface DecisionSource<K extends DecisionKind = DecisionKind> {
  kind: K
  /**
   * The permissions that viewing the object and deciding take, all in its team. `admin`: the decision is the
   * installation's, so administrators make it.
   */
  needs: readonly PermissionKey[] | 'admin'
  /** One statement of at most `decisionCap` rows: what the user may decide, by the rule of the deciding call. */
  find: (db: Db, asker: Asker) => Promise<Waiting<K>[]>
}
