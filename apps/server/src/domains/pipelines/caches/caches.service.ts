import type { Readable } from 'node:stream'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import type { PipelineKey } from '../pipelines/pipelines.store.ts'
import { heldJob } from '../queue/held.service.ts'
import type { LeaseKey } from '../queue/leases.store.ts'
import { sweepBlobs } from '../uploads/blobs.jobs.ts'
import { storeBlob } from '../uploads/blobs.service.ts'
import { forgetBlob } from '../uploads/blobs.store.ts'
import { evictEntries, findEntry, lockCaches, putEntry, removeEntries, sourceOf, useEntry } from './caches.store.ts'
import { scopesOf } from './scopes.ts'

interface Wanted {
  platform: string
  key: string
  fallbacks: string[]
}

/** The cache entry that a build starts with; null if there is none. */
export async function findCache(ctx: Ctx, lease: LeaseKey, wanted: Wanted) {
  const { cancelled: cancel, buildId, pipelineId } = await heldJob(ctx, lease)
  const entry = await findEntry(ctx.db, pipelineId, scopesOf(await sourceOf(ctx.db, buildId)), wanted)
  if (!entry) return { cancel, entry: null }
  const { id, key, size, sha256 } = entry
  return { cancel, entry: { id, key, size, sha256 } }
}

export async function readCache(ctx: Ctx, lease: LeaseKey, id: number): Promise<{ body: Readable; size: number }> {
  const { buildId, pipelineId } = await heldJob(ctx, lease)
  const entry = await useEntry(ctx.db, pipelineId, scopesOf(await sourceOf(ctx.db, buildId)), id)
  // not 'missing', which tells the agent that the job is no longer its own
  if (!entry) throw new Fault('conflict', 'pipelines-cache-gone')
  return { body: await ctx.ports.blobs.get(entry.blob), size: entry.size }
}

/** Stores an entry in the build's own scope, and evicts the team's least recently used entries to make room. */
export async function keepCache(
  ctx: Ctx,
  lease: LeaseKey,
  { platform, key }: Omit<Wanted, 'fallbacks'>,
  body: Readable,
): Promise<{ cancel: boolean }> {
  const { buildCacheBytes } = ctx.config
  await inTx(ctx, (ctx) => heldJob(ctx, lease))
  return storeBlob(ctx, 'artifacts', body, async (ctx, { key: blob, size, sha256 }) => {
    if (size > buildCacheBytes)
      throw new Fault('tooLarge', 'pipelines-cache-too-large', { limit: buildCacheBytes / 1024 ** 3 })
    const { cancelled: cancel, buildId, pipelineId, teamId } = await heldJob(ctx, lease)
    const [scope] = scopesOf(await sourceOf(ctx.db, buildId))
    await lockCaches(ctx.db, teamId)
    const before = await putEntry(ctx.db, { teamId, pipelineId, scope, platform, key, size, sha256, blob })
    const evicted = await evictEntries(ctx.db, teamId, buildCacheBytes)
    const gone = [...(before === undefined ? [] : [before]), ...evicted]
    for (const key of gone) await forgetBlob(ctx.db, key)
    if (gone.length > 0) await sweepBlobs(ctx)
    return { cancel }
  })
}

/** Removes all cache entries of a pipeline. */
export async function clearCaches(ctx: Ctx, key: PipelineKey): Promise<null> {
  const pipeline = await getPipeline(ctx, key)
  return inTx(ctx, async (ctx) => {
    note(ctx, { object: pipeline.projectName })
    for (const blob of await removeEntries(ctx.db, pipeline.id)) await forgetBlob(ctx.db, blob)
    await sweepBlobs(ctx)
    return null
  })
}
