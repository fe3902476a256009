import type { Readable } from 'node:stream'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { parseJunit } from '../builds/junit/junit.ts'
import { heldBuild } from '../builds/builds.service.ts'
import type { Held } from '../queue/leases.store.ts'
import { storeBlob } from './blobs.service.ts'
import { artifactBytes, putArtifact, putReport } from './uploads.store.ts'

/** Requires a path inside the workspace: relative, without `..`. */
function refuseStrangePath(path: string): void {
  if (path.startsWith('/') || path.split('/').includes('..') || /[\p{Cc}\\]/u.test(path))
    throw new Fault('invalid', 'pipelines-artifact-path', { path: path.slice(0, 200) })
}

/**
 * Refuses a file of `size` that would exceed the build's limit with those it keeps already; the build's row is locked.
 */
async function refuseTooMuch(ctx: Ctx, buildId: number, path: string, size: number): Promise<void> {
  const { buildArtifactBytes } = ctx.config
  if ((await artifactBytes(ctx.db, buildId, path)) + size > buildArtifactBytes)
    throw new Fault('conflict', 'pipelines-artifacts-too-large', { limit: buildArtifactBytes / 1024 ** 3 })
}

/**
 * Stores one artifact, replacing the one with the same path. It is refused before it is read if the build's limit is
 * already reached, else once its size is known.
 */
export async function takeArtifact(ctx: Ctx, held: Held, step: number, path: string, body: Readable) {
  refuseStrangePath(path)
  await inTx(ctx, async (ctx) => refuseTooMuch(ctx, (await heldBuild(ctx, held)).id, path, 1))
  return storeBlob(ctx, 'artifacts', body, async (ctx, { key, size, sha256 }) => {
    const build = await heldBuild(ctx, held)
    await refuseTooMuch(ctx, build.id, path, size)
    await putArtifact(ctx.db, { buildId: build.id, step, path, size, sha256, blob: key })
    return { cancel: build.cancelled, size, sha256 }
  })
}

/** Parses one JUnit file into rows, replacing the report with the same path. */
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
