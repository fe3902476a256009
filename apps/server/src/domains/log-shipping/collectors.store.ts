import { LogSettings } from '@gantry/contract/log-shipping/collection'
import { sql } from 'kysely'
import { z } from 'zod'
import { jsonb } from '../../db/json.ts'
import { byName } from '../../db/list.ts'
import { findSetting, lockSetting, writeSetting } from '../../db/setting.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Reason } from '../../kernel/phrase.ts'
import { clusterRows } from '../clusters/public.read.ts'

const name = 'logs'

/** Clusters and teams have rows of their own, which are deleted with them. */
const Stored = LogSettings.omit({ environments: true, teamIds: true }).extend({ revision: z.number().int() })
export type StoredLogs = z.infer<typeof Stored>

const unset: StoredLogs = {
  allTeams: true,
  excluded: [],
  streams: 'all',
  multiline: 'none',
  linesPerSecond: 1000,
  image: 'fluent/fluent-bit:3.2.2',
  memory: 128,
  revision: 0,
}

export const findLogs = async (db: Db): Promise<StoredLogs> => (await findSetting(db, name, Stored)) ?? unset
export const lockLogs = async (db: Db): Promise<StoredLogs> => (await lockSetting(db, name, Stored)) ?? unset
export const storeLogs = (db: Db, settings: StoredLogs): Promise<void> => writeSetting(db, name, settings)

export const teamsCollected = async (db: Db): Promise<number[]> =>
  (await db.selectFrom('log_team').select('team_id').orderBy('team_id').execute()).map(({ team_id }) => team_id)

/** False if one of them does not exist. */
export async function putTeams(db: Db, teamIds: number[]): Promise<boolean> {
  await db.deleteFrom('log_team').execute()
  const { rows } = await sql<{ id: number }>`
    insert into log_team (team_id) select id from team where id = any(${teamIds}::int[]) returning team_id as id`.execute(
    db,
  )
  return rows.length === teamIds.length
}

/** False if one of them does not exist or is being removed. */
export async function chooseClusters(db: Db, uuids: string[]): Promise<boolean> {
  await sql`update log_collector set chosen = environment = any(${uuids}::uuid[])`.execute(db)
  const { rows } = await sql<{ environment: string }>`
    insert into log_collector (environment)
    select uuid from ${clusterRows} environment where uuid = any(${uuids}::uuid[]) and leaving_since is null
    on conflict (environment) do update set chosen = true returning environment`.execute(db)
  return rows.length === uuids.length
}

/** Makes all collectors follow changed settings. */
export const renew = (db: Db) =>
  db
    .updateTable('log_collector')
    .set((eb) => ({ generation: eb('generation', '+', 1), settle_until: null }))
    .execute()

const collectors = (db: Db) =>
  db
    .selectFrom('log_collector')
    .innerJoin(clusterRows.as('environment'), 'environment.uuid', 'log_collector.environment')
    .select(['environment', 'name', 'chosen', 'generation', 'settled', 'hash', 'problem'])
    .select('settled_at as settledAt')
    .select(sql<boolean>`environment.leaving_since is not null`.as('leaving'))

export type CollectorRow = Awaited<ReturnType<typeof listCollectors>>[number]

export const listCollectors = (db: Db) => collectors(db).orderBy(byName('name')).execute()

export const findCollector = (db: Db, clusterId: string) =>
  collectors(db).where('environment', '=', clusterId).executeTakeFirst()

export const noteSettled = (db: Db, { environment, generation }: CollectorRow, hash: string) =>
  db
    .updateTable('log_collector')
    .set({ settled: generation, settled_at: sql`now()`, hash, problem: null })
    .where('environment', '=', environment)
    .execute()

export const noteProblem = (db: Db, clusterId: string, problem: Reason) =>
  db
    .updateTable('log_collector')
    .set({ problem: jsonb(problem) })
    .where('environment', '=', clusterId)
    .execute()

export const forgetCollector = (db: Db, clusterId: string) =>
  db.deleteFrom('log_collector').where('environment', '=', clusterId).where('chosen', '=', false).execute()
