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
      const blob = await ctx.ports.blobs.put('logs', encodeLog(rawLog(ctx, log, writer.mark), writer))
      const kept = await inTx(ctx, (ctx) => replacePieces(ctx.db, buildId, log.step, blob.key, writer.totals.lines))
      if (!kept) await ctx.ports.blobs.delete(blob.key)
    }
  },
})

export const packLogs = (ctx: Ctx, buildId: number): Promise<void> => enqueue(ctx, pack, { buildId })

export const jobs: Job[] = [pack]
