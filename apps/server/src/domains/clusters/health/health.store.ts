import { type Kysely, sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Tables } from '../../../db/tables.gen.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import type { EnvironmentRow } from '../environments/environments.store.ts'
import type { Capacity, Usage } from '../live/measure.ts'

type Db = Kysely<Tables>

/** What is known before a check. */
export interface LatestCheck {
  health: EnvironmentRow['health']
  uuid: string
  name: string
  server: string
  reach: EnvironmentRow['reach']
  /** Sealed. */
  address: string
  cluster: string | null
  answers: string | null
  sharesCluster: boolean
  nodeNum: number
  capacity: Capacity | null
  /** Its nodes were last added up too long ago. */
  stale: boolean
  /** The agent of another cluster dials in for it as well, and is refused. */
  doubled: boolean
}

/** The result of a check. A missing version, count or capacity keeps the last one. */
export interface Seen {
  health: EnvironmentRow['health']
  reason: Reason | null
  version?: string
  nodeNum?: number
  capacity?: Capacity
  usage: Usage
}

export const lookedAt = (db: Db, uuid: string): Promise<LatestCheck | undefined> =>
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

/** What its reason says, but for the figures in it, which change from one check to the next. */
const visibleReason = sql<string[]>`array[environment.reason->>'key', environment.reason->'vars'->>'rights']`

/**
 * Stores the result of a check, unless the cluster got another address meanwhile. Returns whether anything visible
 * changed other than its usage.
 */
export async function noteLook(db: Db, uuid: string, address: string, seen: Seen): Promise<boolean> {
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
