import type { Readable } from 'node:stream'
import { type BlobArea, newBlobKey, type StoredBlob } from '../../../adapters/blobs/blobs.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { expectBlob, forgetBlob, keepBlob } from './blobs.store.ts'

/**
 * Stores a blob and the row that names it. The key is recorded as future garbage before the first byte is written, so
 * that a server that dies in between leaves no blob behind.
 */
export async function storeBlob<T>(
  ctx: Ctx,
  area: BlobArea,
  body: Readable | AsyncIterable<Uint8Array>,
  name: (ctx: Ctx, blob: StoredBlob) => Promise<T>,
): Promise<T> {
  const key = newBlobKey(area)
  await expectBlob(ctx.db, key)
  try {
    const blob = await ctx.ports.blobs.put(area, body, key)
    return await inTx(ctx, async (ctx) => {
      if (!(await keepBlob(ctx.db, key))) throw new Fault('unavailable', 'blobs-unavailable')
      return name(ctx, blob)
    })
  } catch (error) {
    // if this fails too, the blob is swept in a day
    await forgetBlob(ctx.db, key).catch(() => undefined)
    throw error
  }
}
