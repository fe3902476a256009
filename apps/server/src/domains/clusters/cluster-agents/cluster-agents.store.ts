import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'

/** The cluster whose agent has this token. */
export const findClusterAgent = (db: Db, tokenHash: Buffer): Promise<{ id: number; name: string } | undefined> =>
  db
    .selectFrom('cluster_agent')
    .innerJoin('environment', 'environment.uuid', 'cluster_agent.environment')
    .select(['cluster_agent.id', 'environment.name'])
    .where('token_hash', '=', tokenHash)
    .where('environment.reach', '=', 'agent')
    .executeTakeFirst()

/** The cluster of a token, while it is valid. */
export const clusterOfAgent = async (db: Db, id: number): Promise<string | undefined> =>
  (
    await db
      .selectFrom('cluster_agent')
      .innerJoin('environment', 'environment.uuid', 'cluster_agent.environment')
      .select('environment')
      .where('cluster_agent.id', '=', id)
      .where('environment.reach', '=', 'agent')
      .executeTakeFirst()
  )?.environment

/** Replaces the token, in a transaction. */
export async function putClusterAgent(db: Db, clusterId: string, tokenHash: Buffer): Promise<void> {
  // Of two concurrent calls the later one counts.
  await db.selectFrom('environment').select('uuid').where('uuid', '=', clusterId).forNoKeyUpdate().execute()
  await db.deleteFrom('cluster_agent').where('environment', '=', clusterId).execute()
  await db.insertInto('cluster_agent').values({ environment: clusterId, token_hash: tokenHash }).execute()
}

/** What an agent reports as its environment's cluster. */
export interface Claim {
  cluster: Buffer
  /** What the same connection reported before. */
  before: Buffer | undefined
  /** Whether an agent silent for two minutes was away; false if it may have been this replica that was. */
  reliable: boolean
}

/**
 * Whether the environment may be this cluster: it is already, or no agent of another cluster was connected for as long
 * as a reconnect takes. `before` gives way, being the same cluster's. One replica decides at a time.
 */
export async function claimCluster(db: Db, clusterId: string, { cluster, before, reliable }: Claim): Promise<boolean> {
  const mine = (q: Db) => q.updateTable('cluster_agent').where('environment', '=', clusterId)
  const { numUpdatedRows } = await mine(db)
    .set({ cluster, cluster_seen_at: sql`now()` })
    .where((row) =>
      row.or([
        row('cluster', 'is', null),
        row('cluster', '=', cluster),
        ...(reliable ? [row('cluster_seen_at', '<', sql<string>`now() - interval '2 minutes'`)] : []),
        ...(before ? [row('cluster', '=', before)] : []),
      ]),
    )
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return true
  await mine(db)
    .set({ other_refused_at: sql`now()` })
    .execute()
  return false
}

/** A replica without a heartbeat for this long counts as dead. */
const silent = sql<string>`now() - interval '30 seconds'`

/** An environment with a connected agent, and the cluster that the agent reported. */
interface Connected {
  environment: string
  cluster: Buffer
}

/** Connections whose environment is another cluster by now. */
export async function strayed(db: Db, connected: readonly Connected[]): Promise<Connected[]> {
  if (connected.length === 0) return []
  const rows = await db
    .selectFrom('cluster_agent')
    .select(['environment', 'cluster'])
    .where('environment', '=', sql<string>`any(${connected.map(({ environment }) => environment)}::uuid[])`)
    .execute()
  const known = new Map(rows.map(({ environment, cluster }) => [environment, cluster]))
  return connected.filter(({ environment, cluster }) => known.get(environment)?.equals(cluster) === false)
}

/**
 * Records that this replica is alive and which clusters' agents are connected to it, and deletes dead replicas. Returns
 * how many are alive.
 */
export async function beat(db: Db, replica: string, connected: readonly Connected[]): Promise<number> {
  const clusterIds = connected.map(({ environment }) => environment)
  const digests = connected.map(({ cluster }) => cluster.toString('hex'))
  // one statement, because it runs every ten seconds also where nothing happens
  const { alive } = await db
    .with('own', (q) =>
      q
        .insertInto('replica')
        .values({ id: replica })
        .onConflict((c) => c.column('id').doUpdateSet({ seen_at: sql`now()` })),
    )
    .with('dead', (q) => q.deleteFrom('replica').where('id', '<>', replica).where('seen_at', '<', silent))
    .with('ended', (q) =>
      q
        .deleteFrom('cluster_agent_connection')
        .where('replica', '=', replica)
        .where('environment', '<>', sql<string>`all(${clusterIds}::uuid[])`),
    )
    .selectFrom('replica')
    .select(sql<number>`count(*) + 1`.as('alive'))
    .where('id', '<>', replica)
    .where('seen_at', '>=', silent)
    .executeTakeFirstOrThrow()
  if (connected.length > 0) await noteConnected(db, replica, clusterIds, digests)
  return alive
}

async function noteConnected(db: Db, replica: string, clusterIds: string[], digests: string[]): Promise<void> {
  await db
    .updateTable('cluster_agent')
    .set({ cluster_seen_at: sql`now()` })
    .where(
      sql<boolean>`(environment, encode(cluster, 'hex')) in (select * from unnest(${clusterIds}::uuid[], ${digests}::text[]))`,
    )
    .execute()
  // the row may be deleted at this very moment, which is no failure
  await db
    .insertInto('cluster_agent_connection')
    .columns(['environment', 'replica'])
    .expression(
      db
        .selectFrom('environment')
        .select(['uuid', sql<string>`${replica}::uuid`.as('replica')])
        .where('uuid', '=', sql<string>`any(${clusterIds}::uuid[])`),
    )
    .onConflict((c) => c.doNothing())
    .execute()
}

export const forgetConnection = (db: Db, clusterId: string, replica: string) =>
  db
    .deleteFrom('cluster_agent_connection')
    .where('environment', '=', clusterId)
    .where('replica', '=', replica)
    .execute()

export const leave = (db: Db, replica: string) => db.deleteFrom('replica').where('id', '=', replica).execute()

/** Whether the cluster's agent is connected to another live replica. */
export const connectedElsewhere = async (db: Db, clusterId: string, replica: string): Promise<boolean> =>
  (await db
    .selectFrom('cluster_agent_connection')
    .innerJoin('replica', 'replica.id', 'cluster_agent_connection.replica')
    .select('replica.id')
    .where('environment', '=', clusterId)
    .where('replica', '!=', replica)
    .where('replica.seen_at', '>=', silent)
    .executeTakeFirst()) !== undefined
