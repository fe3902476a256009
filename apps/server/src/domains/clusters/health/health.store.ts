import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import type { Addressed, ClusterRow } from '../clusters/clusters.store.ts'
import type { Capacity, Usage } from '../live/measure.ts'

/** The result of the last check. */
export interface LatestCheck extends Addressed {
  health: ClusterRow['health']
  server: string
  sharesCluster: boolean
  nodeNum: number
  capacity: Capacity | null
  /** Whether the totals of its nodes are too old. */
  stale: boolean
  /** Whether the agent of another cluster connects for it as well, and is refused. */
  doubled: boolean
}

/** The result of a check. If version, count or capacity is missing, the previous one stays. */
export interface Seen {
  health: ClusterRow['health']
  reason: Reason | null
  version?: string
  nodeNum?: number
  capacity?: Capacity
  usage: Usage
}

export const lastCheck = (db: Db, uuid: string): Promise<LatestCheck | undefined> =>
  db
    .selectFrom('environment')
    .select(['uuid', 'name', 'health', 'server', 'reach', 'address', 'node_num as nodeNum'])
    .select(['cluster', 'answers', 'shares_cluster as sharesCluster'])
    .select((q) => q.ref('capacity').$castTo<Capacity | null>().as('capacity'))
    .select(sql<boolean>`measured_at is null or measured_at < now() - interval '5 minutes'`.as('stale'))
    .select(
      sql<boolean>`exists (select from cluster_agent where cluster_agent.environment = environment.uuid
        and other_refused_at > now() - interval '2 minutes')`.as('doubled'),
    )
    .where('uuid', '=', uuid)
    .executeTakeFirst()

/** The parts of a reason that matter; its figures change with each check. */
const visibleReason = sql<string[]>`array[environment.reason->>'key', environment.reason->'vars'->>'rights']`

/**
 * Stores the result of a check, unless the address was changed meanwhile. Returns whether anything visible but the
 * usage changed.
 */
export async function storeCheck(db: Db, uuid: string, address: string, seen: Seen): Promise<boolean> {
  const row = await db
    .with('before', (q) =>
      q
        .selectFrom('environment')
        .select(['uuid', 'health', 'version', 'node_num', visibleReason.as('told')])
        .where('uuid', '=', uuid)
        .where('address', '=', address)
        .forNoKeyUpdate(),
    )
    .updateTable('environment')
    .from('before')
    .set({
      health: seen.health,
      reason: seen.reason && jsonb(seen.reason),
      checked_at: sql`now()`,
      usage: jsonb(seen.usage),
      ...(seen.version === undefined ? {} : { version: seen.version }),
      ...(seen.nodeNum === undefined ? {} : { node_num: seen.nodeNum }),
      ...(seen.capacity === undefined ? {} : { capacity: jsonb(seen.capacity), measured_at: sql`now()` }),
    })
    .whereRef('environment.uuid', '=', 'before.uuid')
    .returning(
      sql<boolean>`(before.health, before.version, before.node_num, before.told) is distinct from
        (environment.health, environment.version, environment.node_num, ${visibleReason})`.as('changed'),
    )
    .executeTakeFirst()
  return row?.changed ?? false
}
