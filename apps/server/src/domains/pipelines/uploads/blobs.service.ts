import type { Readable } from 'node:stream'
import { type BlobArea, newBlobKey, type StoredBlob } from '../../../adapters/blobs/blobs.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { expectBlob, forgetBlob, keepBlob } from './blobs.store.ts'

/**
 * Stores a blob and the row that names it. It is noted as garbage to come before a byte of it is written: a server that ends in between
 * leaves nothing that no row names.
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
    // where this cannot be said either, the note says it in a day
    await forgetBlob(ctx.db, key).catch(() => undefined)
    throw error
  }
}
