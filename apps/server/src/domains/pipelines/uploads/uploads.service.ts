import type { Readable } from 'node:stream'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { putAnnotations } from '../annotations/annotations.store.ts'
import { annotationsOfTests } from '../annotations/collect.ts'
import { parseJunit } from '../builds/junit/junit.ts'
import { maskOfStep } from '../builds/masks.service.ts'
import { forgetKeptFiles } from '../attempts/attempts.store.ts'
import { heldJob, heldStep } from '../queue/held.service.ts'
import type { LeaseKey } from '../queue/leases.store.ts'
import { storeBlob } from './blobs.service.ts'
import { artifactBytes, findHanded, handedBytes, putArtifact, putHanded, putReport } from './uploads.store.ts'

/** Requires a path inside the workspace: relative, without `..`. */
function refuseStrangePath(path: string): void {
  if (path.startsWith('/') || path.split('/').includes('..') || /[\p{Cc}\\]/u.test(path))
    throw new Fault('invalid', 'pipelines-artifact-path', { path: path.slice(0, 200) })
}

/**
 * Refuses a file of `size` that would exceed the build's limit together with the files it has; the job's row is locked.
 * Files of earlier attempts make room.
 */
async function refuseTooMuch(ctx: Ctx, buildId: number, path: string, size: number): Promise<void> {
  const { buildArtifactBytes } = ctx.config
  const room = buildArtifactBytes - (await artifactBytes(ctx.db, buildId, path)) - size
  if (room < 0) throw new Fault('conflict', 'pipelines-artifacts-too-large', { limit: buildArtifactBytes / 1024 ** 3 })
  await forgetKeptFiles(ctx.db, buildId, room)
}

/**
 * Stores one artifact, replacing one with the same path. Refused before it is read if the build's limit is already
 * reached, else once its size is known.
 */
export async function takeArtifact(ctx: Ctx, lease: LeaseKey, step: number, path: string, body: Readable) {
  refuseStrangePath(path)
  await inTx(ctx, async (ctx) => refuseTooMuch(ctx, (await heldStep(ctx, lease, step)).buildId, path, 1))
  return storeBlob(ctx, 'artifacts', body, async (ctx, { key, size, sha256 }) => {
    const job = await heldJob(ctx, lease)
    await refuseTooMuch(ctx, job.buildId, path, size)
    await putArtifact(ctx.db, { buildId: job.buildId, step, path, size, sha256, blob: key })
    return { cancel: job.cancelled, size, sha256 }
  })
}

/** Parses a JUnit file into rows, replacing a report with the same path. */
export async function takeReport(ctx: Ctx, lease: LeaseKey, step: number, path: string, body: Readable) {
  refuseStrangePath(path)
  const report = await parseJunit(body, { mask: await maskOfStep(ctx, lease, step) })
  const { total, skipped } = report
  const failed = report.failed + report.errors
  return inTx(ctx, async (ctx) => {
    const job = await heldStep(ctx, lease, step)
    await putReport(ctx.db, { buildId: job.buildId, step, path, total, failed, skipped }, report.cases)
    await putAnnotations(ctx.db, { buildId: job.buildId, step, report: path }, annotationsOfTests(report.cases))
    return { cancel: job.cancelled, total, failed, skipped }
  })
}

/**
 * Stores what a job hands on to later jobs. The limit per build is that of its artifacts; beyond it the upload is
 * refused, before it is read if the size is known.
 */
export async function storeHandover(ctx: Ctx, lease: LeaseKey, body: Readable): Promise<{ cancel: boolean }> {
  const { buildArtifactBytes } = ctx.config
  const mayKeep = async (ctx: Ctx, { buildId, index }: { buildId: number; index: number }, size: number) => {
    if ((await handedBytes(ctx.db, buildId, index)) + size > buildArtifactBytes)
      throw new Fault('conflict', 'pipelines-handed-too-large', { limit: buildArtifactBytes / 1024 ** 3 })
  }
  await inTx(ctx, async (ctx) => mayKeep(ctx, await heldJob(ctx, lease), 1))
  return storeBlob(ctx, 'artifacts', body, async (ctx, { key, size }) => {
    const job = await heldJob(ctx, lease)
    await mayKeep(ctx, job, size)
    await putHanded(ctx.db, { buildId: job.buildId, job: job.index, size, blob: key })
    return { cancel: job.cancelled }
  })
}

/** What an earlier job of the same build handed on. */
export async function readHanded(ctx: Ctx, lease: LeaseKey, from: number): Promise<{ body: Readable; size: number }> {
  const { buildId } = await heldJob(ctx, lease)
  const found = mustExist(await findHanded(ctx.db, buildId, from))
  return { body: await ctx.ports.blobs.get(found.blob), size: found.size }
}
