import type { Readable } from 'node:stream'
import { parseJunit } from './junit/junit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { storeBlob } from './blobs.service.ts'
import { heldBuild } from './held.ts'
import type { Held } from './leases.store.ts'
import { putArtifact, putReport } from './uploads.store.ts'

/** A path inside the workspace: relative, without steps upwards. */
function refuseStrangePath(path: string): void {
  if (path.startsWith('/') || path.split('/').includes('..') || /[\p{Cc}\\]/u.test(path))
    throw new Fault('invalid', 'pipelines-artifact-path', { path: path.slice(0, 200) })
}

/** Stores one artifact. The same path of the same build is replaced. */
export async function takeArtifact(ctx: Ctx, held: Held, step: number, path: string, body: Readable) {
  refuseStrangePath(path)
  await inTx(ctx, (ctx) => heldBuild(ctx, held))
  return storeBlob(ctx, 'artifacts', body, async (ctx, { key, size, sha256 }) => {
    const build = await heldBuild(ctx, held)
    await putArtifact(ctx.db, { buildId: build.id, step, path, size, sha256, blob: key })
    return { cancel: build.cancelled, size, sha256 }
  })
}

/** Reads one JUnit file into rows. The same path of the same build is replaced. */
export async function takeReport(ctx: Ctx, held: Held, step: number, path: string, body: Readable) {
  refuseStrangePath(path)
  const report = await parseJunit(body)
  const { total, skipped } = report
  const failed = report.failed + report.errors
  return inTx(ctx, async (ctx) => {
    const build = await heldBuild(ctx, held)
    await putReport(ctx.db, { buildId: build.id, step, path, total, failed, skipped }, report.cases)
    return { cancel: build.cancelled, total, failed, skipped }
  })
}
