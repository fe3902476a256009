import type { AgentRow } from '@gantry/contract/agents/protocol'
import { ExecutorName } from '@gantry/contract/pipelines/definition'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { byName } from '../../db/list.ts'
import type { Tables } from '../../db/tables.gen.ts'

type Db = Kysely<Tables>

export const findByToken = (db: Db, tokenHash: Buffer): Promise<{ id: number; name: string } | undefined> =>
  db.selectFrom('agent').select(['id', 'name']).where('token_hash', '=', tokenHash).executeTakeFirst()

export interface Seen {
  version: string
  osType: string
  isolated: boolean
  executors: string[]
}

/** Stores what an agent reported of itself, and returns the server's record of it. */
export const noteSeen = (db: Db, id: number, seen: Seen) =>
  db
    .updateTable('agent')
    .set({
      version: seen.version,
      os_type: seen.osType,
      isolated: seen.isolated,
      executors: seen.executors,
      last_seen_at: sql`now()`,
    })
    .where('id', '=', id)
    .returning(['id', 'name', 'labels', 'capacity', 'isolated', 'os_type as osType', 'executors'])
    .executeTakeFirstOrThrow()

/** The product's own agent; its credential changes with the file that the supervisor keeps. */
export const putEmbedded = (db: Db, tokenHash: Buffer) =>
  db
    .insertInto('agent')
    .values({ name: 'embedded', token_hash: tokenHash, embedded: true, labels: ['embedded', 'linux'] })
    .onConflict((c) => c.constraint('agent_name').doUpdateSet({ token_hash: tokenHash }))
    .execute()

/** Returns the new agent's id. */
export const putAgent = async (
  db: Db,
  agent: { name: string; tokenHash: Buffer; labels: string[]; capacity: number },
): Promise<number> =>
  (
    await db
      .insertInto('agent')
      .values({ name: agent.name, token_hash: agent.tokenHash, labels: agent.labels, capacity: agent.capacity })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

const Executors = z.array(ExecutorName)

export async function listAgents(db: Db): Promise<AgentRow[]> {
  const rows = await db
    .selectFrom('agent')
    .select([
      'id',
      'uuid',
      'name',
      'os_type',
      'labels',
      'capacity',
      'version',
      'isolated',
      'executors',
      'embedded',
      'last_seen_at',
    ])
    .select(sql<boolean>`coalesce(last_seen_at > now() - interval '60 seconds', false)`.as('online'))
    .select(
      sql<number>`(select count(*) from build_job where build_job.agent_id = agent.id and build_job.state = 'building')`.as(
        'running',
      ),
    )
    .orderBy(byName('name'))
    .execute()
  return rows.map((row) => ({
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    osType: row.os_type,
    labels: row.labels,
    capacity: row.capacity,
    running: row.running,
    state: row.last_seen_at === null ? 'never' : row.online ? 'online' : 'offline',
    version: row.version,
    isolated: row.isolated,
    executors: Executors.parse(row.executors),
    embedded: row.embedded,
    lastSeenAt: row.last_seen_at,
  }))
}
