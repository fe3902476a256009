import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { requestedAttempt } from '../attempts/attempts.service.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { filesBelow } from './artifacts.read.ts'

/**
 * A folder of a build's artifacts as a ZIP file, made while it is sent. Nothing is compressed, because most artifacts
 * already are, so the size is known in advance. Each blob is opened when its turn comes.
 */
export async function zipFolder(
  ctx: Ctx,
  key: PipelineKey,
  number: number,
  { folder, ...requested }: { folder: string; job: number; attempt?: number | undefined },
) {
  const pipeline = await getPipeline(ctx, key)
  const of = await requestedAttempt(ctx, pipeline.id, number, requested)
  const files = await filesBelow(ctx.db, pipeline.id, number, { folder, of })
  if (files.length === 0) throw new Fault('missing', 'resource-missing')
  const zip = new ZipFile()
  const body = new Readable().wrap(zip.outputStream)
  zip.on('error', (error) => body.destroy(error as Error))
  for (const { rest, size, blob, createdAt } of files)
    zip.addReadStreamLazy(rest, { size, compress: false, mtime: new Date(createdAt) }, (give) => {
      ctx.ports.blobs.get(blob).then(
        (stream) => give(null, stream),
        (error: unknown) => give(error, Readable.from([])),
      )
    })
  // the type omits that the callback gets the size
  const size = await new Promise<number>((resolve) =>
    zip.end({ forceZip64Format: false, comment: '' }, resolve as () => void),
  )
  const name = folder.split('/').at(-1) || `${pipeline.projectName}-${number}`
  return { body, size, name: `${name}.zip` }
}
