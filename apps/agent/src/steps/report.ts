import type { ReportStep } from '@gantry/contract/pipelines/definition'
import type { z } from 'zod'
import { reason } from '../reasons.ts'
import { success, type StepContext, type StepResult } from './step.ts'
import { filesToSend, uploadFile } from './uploads.ts'

/** Publishes JUnit reports; the server parses them and reports their content. */
export async function runReport(ctx: StepContext<z.output<typeof ReportStep>>): Promise<StepResult> {
  const { files, failOnFailure } = ctx.step
  const found = await filesToSend(ctx, files)
  const sum = { total: 0, failed: 0, skipped: 0 }
  for (const file of found) {
    ctx.signal.throwIfAborted()
    const { total, failed, skipped } = await uploadFile(ctx, file, {
      limit: 50 * 1024 ** 2,
      refused: 'agents-report-invalid',
      send: (options) =>
        ctx.client.call(
          'report',
          {
            params: { jobId: ctx.work.jobId, step: ctx.index },
            query: { attempt: ctx.work.attempt, path: ctx.mask(file.path) },
          },
          options,
        ),
    })
    ctx.say(`${file.path}: ${total} tests, ${failed} failed, ${skipped} skipped`)
    sum.total += total
    sum.failed += failed
    sum.skipped += skipped
  }
  if (found.length > 1) ctx.say(`All: ${sum.total} tests, ${sum.failed} failed, ${sum.skipped} skipped`)
  if (sum.failed === 0 || !failOnFailure) return success
  return { state: 'failed', reason: reason('agents-tests-failed', { failed: sum.failed, total: sum.total }) }
}
