import { isEnded } from '@gantry/contract/pipelines/states'
import { z } from 'zod'
import { encodeLog, logWriter } from './log-blob/write.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { enqueue, type Job, job } from '../../../kernel/jobs/jobs.ts'
import { putAnnotations } from '../annotations/annotations.store.ts'
import { annotationsOf } from '../annotations/collect.ts'
import { storeBlob } from '../uploads/blobs.service.ts'
import { forgetBlob } from '../uploads/blobs.store.ts'
import { logsOfBuild, replacePieces } from './logs.store.ts'
import { logText } from './logs.service.ts'

/**
 * Packs each log of an ended build into one indexed blob, deletes its pieces, and stores the annotations of the latest
 * attempts' logs. If a retry has reopened the build, the logs that may still grow are skipped.
 */
const pack = job({
  name: 'pipelines-pack-logs',
  schema: z.object({ buildId: z.number().int() }),
  retry: { limit: 10, delaySeconds: 5 },
  async run(ctx, { buildId }) {
    for (const log of await logsOfBuild(ctx.db, buildId)) {
      if (log.blob !== null || log.bytes === 0 || (log.kept === null && !isEnded(log.buildState))) continue
      const writer = logWriter()
      const annotations = annotationsOf(logText(ctx, log, writer.mark))
      await storeBlob(ctx, 'logs', encodeLog(annotations.read, writer), async (ctx, { key }) => {
        if (!(await replacePieces(ctx.db, log, key, writer.totals.lines))) return forgetBlob(ctx.db, key)
        if (log.kept === null) return putAnnotations(ctx.db, { buildId, step: log.step, report: '' }, annotations.list)
      })
    }
  },
})

export const packLogs = (ctx: Ctx, buildId: number): Promise<void> => enqueue(ctx, pack, { buildId })

export const jobs: Job[] = [pack]
