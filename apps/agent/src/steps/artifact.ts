import type { ArtifactStep } from '@gantry/contract/pipelines/definition'
import type { z } from 'zod'
import { findFiles, humanSize } from '../files.ts'
import { StepFailure } from '../reasons.ts'
import { workOf } from '../workspace/workspace.ts'
import { success, type StepContext, type StepResult } from './step.ts'
import { uploadFile } from './uploads.ts'

/** Keeps files of the workspace with the build. */
export async function runArtifact(ctx: StepContext<z.output<typeof ArtifactStep>>): Promise<StepResult> {
  const { files } = ctx.step
  const found = await findFiles(workOf(ctx.room), files, 'follow')
  for (const line of found.passedOver) ctx.say(line)
  if (found.files.length === 0) throw new StepFailure('agents-no-files', { files })
  for (const file of found.files) {
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
