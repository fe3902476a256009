import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { jsonb } from '../../../db/json.ts'
import type { Db, Tables } from '../../../db/tables.gen.ts'
import { type Reason, StoredReason } from '../../../kernel/phrase.ts'
import type { Drain, Waiting } from './drain.ts'

export interface DrainRow extends Drain {
  environment: string
  host: string
  nodeUid: string
  startedBy: string
  /** Null if the user was deleted. */
  startedById: number | null
  startedAt: string
}

const StoredWaiting: z.ZodType<Waiting[]> = z.array(
  z.object({ namespace: z.string(), pod: z.string(), reason: StoredReason }),
)

const toDrainRow = (row: Selectable<Tables['host_drain']>): DrainRow => ({
  environment: row.environment,
  host: row.host,
  nodeUid: row.node_uid,
  state: row.state,
  total: row.total,
  remaining: row.remaining,
  waiting: StoredWaiting.parse(row.waiting),
  reason: StoredReason.nullable().parse(row.reason) satisfies Reason | null,
  stalled: row.stalled,
  startedBy: row.started_by,
  startedById: row.started_by_id,
  startedAt: row.started_at,
})

export async function findDrain(
  db: Db,
  clusterId: string,
  host: string,
  { lock = false } = {},
): Promise<DrainRow | undefined> {
  const row = await db
    .selectFrom('host_drain')
    .selectAll()
    .where('environment', '=', clusterId)
    .where('host', '=', host)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst()
  return row && toDrainRow(row)
}

/** Running and finished drains of these clusters: their hosts are in maintenance. */
export const drainsOf = (
  db: Db,
  clusterIds: readonly string[],
): Promise<{ environment: string; host: string; nodeUid: string; state: Drain['state'] }[]> =>
  clusterIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('host_drain')
        .select(['environment', 'host', 'node_uid as nodeUid', 'state'])
        .where('environment', 'in', clusterIds)
        .where('state', 'in', ['draining', 'done'])
        .execute()

const columns = ({ state, total, remaining, waiting, reason, stalled }: Drain) => ({
  state,
  total,
  remaining,
  waiting: jsonb(waiting.slice(0, 50)),
  reason: reason && jsonb(reason),
  stalled,
})

/** Starts a drain, or restarts it; rounds of the previous one can no longer store anything. */
export const beginDrain = (
  db: Db,
  request: Pick<DrainRow, 'environment' | 'host' | 'nodeUid' | 'startedBy' | 'startedById'>,
  drain: Drain,
) => {
  const { environment, host } = request
  const anew = {
    node_uid: request.nodeUid,
    started_by: request.startedBy,
    started_by_id: request.startedById,
    started_at: sql<string>`now()`,
    changed_at: sql<string>`now()`,
    lease_until: null,
    ...columns(drain),
  }
  return db
    .insertInto('host_drain')
    .values({ environment, host, ...anew })
    .onConflict((c) => c.columns(['environment', 'host']).doUpdateSet(anew))
    .execute()
}

export const changeDrain = (db: Db, clusterId: string, host: string, drain: Drain) =>
  db
    .updateTable('host_drain')
    .set({ ...columns(drain), changed_at: sql`now()` })
    .where('environment', '=', clusterId)
    .where('host', '=', host)
    .execute()

export const forgetDrain = (db: Db, clusterId: string, host: string) =>
  db.deleteFrom('host_drain').where('environment', '=', clusterId).where('host', '=', host).execute()
