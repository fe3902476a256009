import type { ArtifactStep } from '@gantry/contract/pipelines/definition'
import type { z } from 'zod'
import { humanSize } from '../files.ts'
import { success, type StepContext, type StepResult } from './step.ts'
import { filesToSend, uploadFile } from './uploads.ts'

/** Stores files of the workspace with the build. */
export async function runArtifact(ctx: StepContext<z.output<typeof ArtifactStep>>): Promise<StepResult> {
  for (const file of await filesToSend(ctx, ctx.step.files)) {
    ctx.signal.throwIfAborted()
    await uploadFile(ctx, file, {
      limit: 2 * 1024 ** 3,
      refused: 'agents-file-refused',
      send: (options) =>
        ctx.client.call(
          'artifact',
          {
            params: { jobId: ctx.work.jobId, step: ctx.index },
            query: { attempt: ctx.work.attempt, path: ctx.mask(file.path) },
          },
          options,
        ),
    })
    ctx.say(`Kept ${file.path} (${humanSize(file.size)})`)
  }
  return success
}
