import type { protocol } from '@gantry/contract/agents/protocol'
import { ExecutorName } from '@gantry/contract/pipelines/definition'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/tables.gen.ts'
import type { Claimer } from '../pipelines/public.ts'
import { buildJobRows, buildTerminalRows } from '../pipelines/public.read.ts'

export const findByToken = (db: Db, tokenHash: Buffer): Promise<{ id: number; name: string } | undefined> =>
  db.selectFrom('agent').select(['id', 'name']).where('token_hash', '=', tokenHash).executeTakeFirst()

export type Reported = Omit<z.output<(typeof protocol)['claim']['body']>, 'holding' | 'free' | 'wait'> & {
  protocol: string
}

/** Stores what an agent reported about itself; fields that an older agent does not report stay as they are. */
export async function noteSeen(db: Db, id: number, seen: Reported): Promise<void> {
  await db
    .updateTable('agent')
    .set({
      version: seen.version,
      protocol: seen.protocol,
      os_type: seen.osType,
      isolated: seen.isolated,
      executors: seen.executors,
      waits: seen.waits ?? '',
      last_seen_at: sql`now()`,
      ...(seen.labels && { own_labels: seen.labels }),
      ...(seen.cleaned && {
        cleaned_at: sql`case when clean_asked_at is null then cleaned_at else now() end`,
        clean_asked_at: null,
      }),
    })
    .where('id', '=', id)
    .execute()
  if (!seen.machine) return
  const { name, system, architecture, cpus, memory, disk, diskFree } = seen.machine
  const machine = { name, system, architecture, cpus, memory, disk, disk_free: diskFree }
  await db
    .insertInto('agent_machine')
    .columns(['agent_id', 'name', 'system', 'architecture', 'cpus', 'memory', 'disk', 'disk_free'])
    // an agent may be removed while it reports
    .expression((q) =>
      q
        .selectFrom('agent')
        .select('id')
        .select(Object.values(machine).map((value, at) => sql`${value}`.as(`m${at}`)))
        .where('id', '=', id),
    )
    .onConflict((c) => c.column('agent_id').doUpdateSet(machine))
    .execute()
}

/** What decides which builds an agent may take; undefined if the agent was removed. */
export const findClaimer = (
  db: Db,
  id: number,
): Promise<(Claimer & { resting: boolean; cleaning: boolean; awaited: boolean; queued: boolean }) | undefined> =>
  db
    .selectFrom('agent')
    .select(['id', 'name', 'capacity', 'isolated', 'os_type as osType', 'executors', 'team_id as teamId'])
    .select(['protocol', 'environment'])
    .select(sql<string[]>`labels || own_labels`.as('labels'))
    .select(sql<boolean>`clean_asked_at is not null`.as('cleaning'))
    .select(sql<boolean>`paused or clean_asked_at is not null`.as('resting'))
    .select(
      sql<boolean>`exists (select from ${buildTerminalRows} build_terminal where agent_id = agent.id)`.as('awaited'),
    )
    // for any agent: where no job is queued at all, an idle agent need not look for its own
    .select(sql<boolean>`exists (select from ${buildJobRows} build_job where state = 'queued')`.as('queued'))
    .where('id', '=', id)
    .executeTakeFirst()

/** The product's own agent: its credential follows the supervisor's file, its capacity is set only once. */
export const putEmbedded = (db: Db, tokenHash: Buffer, capacity: number) =>
  db
    .insertInto('agent')
    .values({ name: 'embedded', token_hash: tokenHash, embedded: true, labels: ['embedded', 'linux'], capacity })
    .onConflict((c) => c.constraint('agent_name').doUpdateSet({ token_hash: tokenHash }))
    .execute()

interface NewAgent {
  name: string
  labels: string[]
  capacity: number
  osType?: string
  teamId?: number | null
  environment?: string | null
  tokenHash?: Buffer
}

/** Returns the new agent's id. */
export const putAgent = async (
  db: Db,
  { name, labels, capacity, osType = 'linux', teamId = null, environment = null, tokenHash }: NewAgent,
): Promise<number> =>
  (
    await db
      .insertInto('agent')
      .values({ name, labels, capacity, os_type: osType, team_id: teamId, environment, token_hash: tokenHash ?? null })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

export const tokenHours = 24

/** Replaces the credential by a one-time token; returns when the token expires. */
export const putRegistration = async (db: Db, id: number, hash: Buffer): Promise<string> =>
  (
    await db
      .updateTable('agent')
      .set({
        token_hash: null,
        registration_hash: hash,
        registration_until: sql<string>`now() + make_interval(hours => ${tokenHours})`,
      })
      .where('id', '=', id)
      .returning(sql<string>`registration_until`.as('until'))
      .executeTakeFirstOrThrow()
  ).until

/** Locks and returns the agent of a one-time token. */
export const lockRegistration = (db: Db, hash: Buffer) =>
  db
    .selectFrom('agent')
    .select(['id', 'name', 'capacity', 'token_hash as tokenHash'])
    .select(sql<boolean>`registration_until > now()`.as('inTime'))
    .where('registration_hash', '=', hash)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const setCredential = (db: Db, id: number, tokenHash: Buffer) =>
  db.updateTable('agent').set({ token_hash: tokenHash }).where('id', '=', id).execute()

/** Locks an agent and returns the settings that people made. */
export const lockAgent = (db: Db, id: number) =>
  db
    .selectFrom('agent')
    .select(['id', 'name', 'labels', 'capacity', 'os_type as osType', 'team_id as teamId', 'paused', 'embedded'])
    .select(['environment', 'protocol', 'revision'])
    .select(sql<boolean>`coalesce(last_seen_at > now() - interval '60 seconds', false)`.as('online'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

interface Set {
  labels: string[]
  capacity: number
  teamId: number | null
  environment: string | null
}

export const setAgent = (db: Db, id: number, { labels, capacity, teamId, environment }: Set) =>
  db
    .updateTable('agent')
    .set({ labels, capacity, team_id: teamId, environment, revision: sql`revision + 1` })
    .where('id', '=', id)
    .execute()

export const setPaused = (db: Db, id: number, paused: boolean) =>
  db.updateTable('agent').set({ paused }).where('id', '=', id).execute()

export const askToClean = (db: Db, id: number) =>
  db
    .updateTable('agent')
    .set({ clean_asked_at: sql`now()` })
    .where('id', '=', id)
    .execute()

export const deleteAgent = (db: Db, id: number) => db.deleteFrom('agent').where('id', '=', id).execute()

export const Executors = z.array(ExecutorName)
