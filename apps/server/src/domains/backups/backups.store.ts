import { BackupSettings } from '@gantry/contract/backups/backups'
import { sql } from 'kysely'
import { z } from 'zod'
import { jsonb } from '../../db/json.ts'
import { findSetting, lockSetting, writeSetting } from '../../db/setting.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Page } from '../../kernel/paging.ts'
import type { Reason } from '../../kernel/phrase.ts'

const name = 'backups'
const Stored = BackupSettings.extend({ revision: z.number().int(), nextAt: z.string().nullable() })
export type StoredSettings = z.infer<typeof Stored>

const unset: StoredSettings = { enabled: false, cron: '0 2 * * *', zone: 'UTC', keep: 7, revision: 0, nextAt: null }

export const findSettings = async (db: Db): Promise<StoredSettings> => (await findSetting(db, name, Stored)) ?? unset

/** Reads and locks them until the transaction ends. */
export const lockSettings = async (db: Db): Promise<StoredSettings> => (await lockSetting(db, name, Stored)) ?? unset

export const writeSettings = (db: Db, settings: StoredSettings): Promise<void> => writeSetting(db, name, settings)

const columns = [
  'id',
  'cause',
  'state',
  'created_by as by',
  'created_at as createdAt',
  'ended_at as endedAt',
  'size',
  'sha256',
  'release',
  'problem',
] as const

export async function listFiles(db: Db, at: Page) {
  const rows = await db
    .selectFrom('backup_file')
    .select(columns)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  const { total } = await db
    .selectFrom('backup_file')
    .select((q) => q.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}

export const findFile = (db: Db, id: string) =>
  db
    .selectFrom('backup_file')
    .select([...columns, 'key'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Undefined if a backup is waiting or being made already. */
export const insertFile = (db: Db, file: { cause: 'schedule' | 'hand'; created_by: string }) =>
  db
    .insertInto('backup_file')
    .values(file)
    .onConflict((c) =>
      c
        .expression(sql`(true)`)
        .where('state', 'in', ['waiting', 'running'])
        .doNothing(),
    )
    .returning(columns)
    .executeTakeFirst()

/** The backup that is waiting, or that a server began and has not finished. */
export const findOpen = (db: Db) =>
  db.selectFrom('backup_file').select(['id', 'cause']).where('state', 'in', ['waiting', 'running']).executeTakeFirst()

export const begin = (db: Db, id: string, release: string) =>
  db.updateTable('backup_file').set({ state: 'running', release }).where('id', '=', id).execute()

export async function end(
  db: Db,
  id: string,
  outcome: { state: 'done'; key: string; size: number; sha256: string } | { state: 'failed'; problem: Reason },
): Promise<void> {
  const { problem, ...rest } = { problem: null, ...outcome }
  await db
    .updateTable('backup_file')
    .set({ ...rest, problem: problem && jsonb(problem), ended_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

/** Deletes a backup that is not being made; returns its row as it was. */
export const deleteFile = (db: Db, id: string) =>
  db
    .deleteFrom('backup_file')
    .where('id', '=', id)
    .where('state', 'in', ['done', 'failed'])
    .returning(['key', 'created_at as createdAt'])
    .executeTakeFirst()

/** How many failed backups are remembered. */
const keptFailures = 20

/** Deletes scheduled backups beyond the newest `keep`, and old failures. Returns the keys of their files. */
export async function prune(db: Db, keep: number): Promise<string[]> {
  const beyond = (kept: number, condition: ReturnType<typeof sql<boolean>>) =>
    db
      .deleteFrom('backup_file')
      .where('id', 'in', (q) =>
        q
          .selectFrom('backup_file')
          .select('id')
          .where(condition)
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .offset(kept)
          .limit(1000),
      )
      .returning('key')
      .execute()
  const old = await beyond(keep, sql<boolean>`state = 'done' and cause = 'schedule'`)
  await beyond(keptFailures, sql<boolean>`state = 'failed'`)
  return old.flatMap(({ key }) => key ?? [])
}

export const administrators = async (db: Db): Promise<number[]> =>
  (await db.selectFrom('account').select('id').where('admin', '=', true).execute()).map(({ id }) => id)
