import type { BackupFile, BackupSettings, SavedBackupSettings } from '@gantry/contract/backups/backups'
import type { List } from '@gantry/contract/paging'
import type { Readable } from 'node:stream'
import { databaseNow } from '../../db/clock.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { slotsAfter } from '../../kernel/cron.ts'
import { Fault, mustExist } from '../../kernel/fault.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { sayReasonTo } from '../../kernel/phrase.ts'
import { forgetBlob } from '../pipelines/public.ts'
import { makeBackups } from './backups.queue.ts'
import {
  deleteFile,
  findFile,
  findSettings,
  insertFile,
  listFiles,
  lockSettings,
  writeSettings,
} from './backups.store.ts'

export const readSettings = (ctx: Ctx): Promise<SavedBackupSettings> => findSettings(ctx.db)

export async function saveSettings(
  ctx: Ctx,
  { revision, ...given }: BackupSettings & { revision: number },
): Promise<SavedBackupSettings> {
  const [next] = slotsAfter(given, await databaseNow(ctx.db))
  return inTx(ctx, async (ctx) => {
    const { revision: known, nextAt: _, ...before } = await lockSettings(ctx.db)
    if (revision !== known) throw new Fault('conflict', 'backups-settings-changed')
    const after = { ...given, revision: known + 1, nextAt: given.enabled ? next.toISOString() : null }
    note(ctx, { object: given.enabled ? given.cron : '–', before, after: given })
    await writeSettings(ctx.db, after)
    return after
  })
}

type Row = Awaited<ReturnType<typeof listFiles>>['rows'][number]

const toFile = (ctx: Ctx, { problem, ...row }: Row): BackupFile => ({ ...row, problem: sayReasonTo(ctx, problem) })

export async function readFiles(ctx: Ctx, at: Page): Promise<List<BackupFile>> {
  const { rows, total } = await listFiles(ctx.db, at)
  return toList(
    rows.map((row) => toFile(ctx, row)),
    total,
    at,
  )
}

export const createBackup = (ctx: Ctx): Promise<BackupFile> =>
  inTx(ctx, async (ctx) => {
    const made = await insertFile(ctx.db, { cause: 'hand', created_by: ctx.actor.name })
    if (!made) throw new Fault('conflict', 'backups-running')
    note(ctx, { object: made.createdAt })
    await enqueue(ctx, makeBackups, {})
    return toFile(ctx, made)
  })

/** The file's content, and its name. */
export async function openFile(ctx: Ctx, id: string): Promise<{ content: Readable; name: string }> {
  const file = mustExist(await findFile(ctx.db, id))
  if (file.key === null) throw new Fault('conflict', 'backups-no-file')
  note(ctx, { object: file.createdAt })
  const name = `gantry-${file.createdAt.slice(0, 19).replaceAll(':', '')}.sql.gz`
  return { content: await ctx.ports.blobs.get(file.key), name }
}

export const removeBackup = (ctx: Ctx, id: string): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const gone = await deleteFile(ctx.db, id)
    if (!gone)
      throw (await findFile(ctx.db, id))
        ? new Fault('conflict', 'backups-running')
        : new Fault('missing', 'resource-missing')
    note(ctx, { object: gone.createdAt })
    if (gone.key !== null) await forgetBlob(ctx.db, gone.key)
    return null
  })
