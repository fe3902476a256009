import { z } from 'zod'
import { encodeLog, logWriter } from './log-blob/write.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { enqueue, type Job, job } from '../../kernel/jobs.ts'
import { logsOfBuild, replacePieces } from './logs.store.ts'
import { rawLog } from './logs.service.ts'

/** Makes one indexed blob of each log of an ended build, and drops its pieces. */
const pack = job({
  name: 'pipelines-pack-logs',
  schema: z.object({ buildId: z.number().int() }),
  retry: { limit: 10, delaySeconds: 5 },
  async run(ctx, { buildId }) {
    for (const log of await logsOfBuild(ctx.db, buildId)) {
      if (log.blob !== null || log.bytes === 0) continue
      const writer = logWriter()
      const blob = await ctx.ports.blobs.put('logs', encodeLog(rawLog(ctx, log), writer))
      const kept = await inTx(ctx, (ctx) => replacePieces(ctx.db, buildId, log.step, blob.key, writer.totals.lines))
      if (!kept) await ctx.ports.blobs.delete(blob.key)
    }
  },
})

export const packLogs = (ctx: Ctx, buildId: number): Promise<void> => enqueue(ctx, pack, { buildId })

/** Removes blobs whose rows are gone. A key is forgotten only once the store has let it go. */
const sweep = job({
  name: 'pipelines-sweep-blobs',
  schema: z.object({}),
  every: 300,
  async run(ctx) {
    const rows = await ctx.db.selectFrom('blob_garbage').select('key').orderBy('created_at').limit(500).execute()
    for (const { key } of rows) {
      await ctx.ports.blobs.delete(key)
      await ctx.db.deleteFrom('blob_garbage').where('key', '=', key).execute()
    }
  },
})

export const jobs: Job[] = [pack, sweep]
