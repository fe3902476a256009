import { backupsTopic } from '@gantry/contract/backups/topics'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { databaseNow } from '../../db/clock.ts'
import { openDump, type Dump } from '../../db/dump.ts'
import { writeSystemAuditRow } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { slotsAfter } from '../../kernel/cron.ts'
import { publish } from '../../kernel/events/events.ts'
import { Fault } from '../../kernel/fault.ts'
import type { Reason } from '../../kernel/phrase.ts'
import { notify } from '../notifications/public.ts'
import { forgetBlob, storeBlob } from '../pipelines/public.ts'
import {
  administrators,
  begin,
  end,
  findOpen,
  findSettings,
  insertFile,
  lockSettings,
  prune,
  writeSettings,
} from './backups.store.ts'

/** Slots missed while no server ran make one backup; a slot during a backup makes none. */
const queueDue = (ctx: Ctx): Promise<void> =>
  inTx(ctx, async (ctx) => {
    const settings = await lockSettings(ctx.db)
    const now = await databaseNow(ctx.db)
    if (settings.nextAt === null || new Date(settings.nextAt) > now) return
    const [next] = slotsAfter(settings, now)
    await writeSettings(ctx.db, { ...settings, nextAt: next.toISOString() })
    const made = await insertFile(ctx.db, { cause: 'schedule', created_by: '' })
    if (!made) return
    await writeSystemAuditRow(ctx, { action: 'backup.create', by: 'schedule', object: made.createdAt })
    await publish(ctx, backupsTopic, {})
  })

async function store(ctx: Ctx, id: string, dump: Dump): Promise<void> {
  const body = createGzip()
  const named = storeBlob(ctx, 'backups', body, async (ctx, { key, size, sha256 }) => {
    await end(ctx.db, id, { state: 'done', key, size, sha256 })
    const { keep } = await findSettings(ctx.db)
    for (const old of await prune(ctx.db, keep)) await forgetBlob(ctx.db, old)
    await publish(ctx, backupsTopic, {})
  })
  await Promise.all([pipeline(dump.content, body, { signal: ctx.signal }), named])
}

const fail = (ctx: Ctx, id: string, cause: 'schedule' | 'hand', problem: Reason): Promise<void> =>
  inTx(ctx, async (ctx) => {
    await end(ctx.db, id, { state: 'failed', problem })
    await prune(ctx.db, (await findSettings(ctx.db)).keep)
    if (cause === 'schedule') {
      const text = { key: 'backups-failed-told', vars: {}, cause: problem } satisfies Reason
      await notify(ctx, await administrators(ctx.db), { kind: 'backup', tone: 'bad', text })
    }
    await publish(ctx, backupsTopic, {})
  })

/**
 * Makes the backup that is due or was requested. May run on several servers at once: the lock of the dump lets one of
 * them work, and the next run begins again what a lost server began.
 */
export async function makeWaiting(ctx: Ctx): Promise<void> {
  const settings = await findSettings(ctx.db)
  if (settings.nextAt !== null && new Date(settings.nextAt) <= (await databaseNow(ctx.db))) await queueDue(ctx)
  const open = await findOpen(ctx.db)
  if (!open) return
  const { config, keys } = ctx
  const release = config.product.version
  let dump: Dump | undefined
  try {
    dump = await openDump(config.databaseUrl, { release, key: keys.current })
    if (!dump) return
    await begin(ctx.db, open.id, release)
    await publish(ctx, backupsTopic, {})
    await store(ctx, open.id, dump)
  } catch (error) {
    // this server is stopping: another one, or its next start, begins again
    if (ctx.signal.aborted) throw error
    ctx.log.error({ err: error, backup: open.id }, 'a backup could not be made')
    await begin(ctx.db, open.id, release)
    const problem: Reason =
      error instanceof Fault ? { key: error.key, vars: error.vars } : { key: 'backups-failed', vars: {} }
    await fail(ctx, open.id, open.cause, problem)
  } finally {
    await dump?.close().catch(() => undefined)
  }
}
