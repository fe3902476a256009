import type { PermissionKey } from '@gantry/contract/permission-keys.gen'
import type { Decision, DecisionKind } from '@gantry/contract/decisions/decisions'
import type { Kysely } from 'kysely'
import type { Reason } from '../kernel/phrase.ts'
import type { Tables } from './tables.gen.ts'

/** Of one kind at most so many are looked at, the newest. */
export const decisionCap = 500

/** Who asks what waits for them. */
export interface Asker {
  id: number
  /** The teams in which they hold what the kind needs. */
  teams: number[]
}

type WithReason<D> = D extends unknown ? Omit<D, 'text' | 'kind'> & { text: Reason } : never

/** A decision that is not yet told in anybody's language. */
export type Waiting<K extends DecisionKind = DecisionKind> = WithReason<Extract<Decision, { kind: K }>>

/** One kind of thing that waits for somebody's decision. */
export interface DecisionSource<K extends DecisionKind = DecisionKind> {
  kind: K
  /**
   * The permissions that deciding and looking at it take, all in its team; `admin`: it is the installation's, and for
   * administrators.
   */
  needs: readonly PermissionKey[] | 'admin'
  /** One statement that reads at most `decisionCap` rows. Answers what the asker may decide, by the rule that decides. */
  find: (db: Kysely<Tables>, asker: Asker) => Promise<Waiting<K>[]>
}
