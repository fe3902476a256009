import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import { byName } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Reason } from '../../../kernel/phrase.ts'

export interface StoredReplication {
  id: string
  harborId: number
  targetHarborId: number
  targetProject: string
  robotId: number | null
  registryId: number | null
  state: string
  problem: unknown
  startedAt: string
  endedAt: string | null
}

export interface StoredItem {
  repo: string
  tags: string[]
  policyId: number | null
  executionId: number | null
  state: string
  problem: string
  done: number
  failed: number
}

const rows = (db: Db) =>
  db
    .selectFrom('harbor_replication')
    .select([
      'id',
      'harbor_id as harborId',
      'target_harbor_id as targetHarborId',
      'target_project as targetProject',
      'robot_id as robotId',
      'registry_id as registryId',
      'state',
      'problem',
      'started_at as startedAt',
      'ended_at as endedAt',
    ])

export const findReplication = (db: Db, harborId: number, id: string): Promise<StoredReplication | undefined> =>
  rows(db).where('id', '=', id).where('harbor_id', '=', harborId).executeTakeFirst()

export const openReplications = (db: Db): Promise<StoredReplication[]> =>
  rows(db).where('ended_at', 'is', null).orderBy('started_at').limit(200).execute()

export const itemsOf = (db: Db, id: string): Promise<StoredItem[]> =>
  db
    .selectFrom('harbor_replication_item')
    .select([
      'repo',
      'tags',
      'policy_id as policyId',
      'execution_id as executionId',
      'state',
      'problem',
      'done',
      'failed',
    ])
    .where('replication_id', '=', id)
    .orderBy(byName('repo'))
    .execute()

export async function insertReplication(
  db: Db,
  { harborId, targetHarborId, targetProject }: { harborId: number; targetHarborId: number; targetProject: string },
  items: ReadonlyMap<string, string[]>,
): Promise<string> {
  const { id } = await db
    .insertInto('harbor_replication')
    .values({ harbor_id: harborId, target_harbor_id: targetHarborId, target_project: targetProject })
    .returning('id')
    .executeTakeFirstOrThrow()
  const values = [...items].map(([repo, tags]) => ({ replication_id: id, repo, tags }))
  await db.insertInto('harbor_replication_item').values(values).execute()
  return id
}

export const noteSetUp = (db: Db, id: string, made: { robot_id?: number; registry_id?: number }) =>
  db.updateTable('harbor_replication').set(made).where('id', '=', id).execute()

export const noteItem = (
  db: Db,
  id: string,
  repo: string,
  known: {
    policy_id?: number
    execution_id?: number
    state?: string
    problem?: string
    done?: number
    failed?: number
  },
) =>
  db
    .updateTable('harbor_replication_item')
    .set(known)
    .where('replication_id', '=', id)
    .where('repo', '=', repo)
    .execute()

export const noteState = (db: Db, id: string, state: string, problem: Reason | null = null) =>
  db
    .updateTable('harbor_replication')
    .set({ state, ...(problem && { problem: jsonb(problem) }) })
    .where('id', '=', id)
    .execute()

export const noteEnded = (db: Db, id: string) =>
  db
    .updateTable('harbor_replication')
    .set({ ended_at: sql`now()` })
    .where('id', '=', id)
    .execute()

/** Deletes old copies, whose outcome no longer matters. */
export const forgetOld = (db: Db) =>
  db
    .deleteFrom('harbor_replication')
    .where('ended_at', '<', sql<string>`now() - interval '30 days'`)
    .execute()
