import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Ctx } from './context.ts'
import { Fault } from './fault.ts'
import type { PhraseKey } from '@gantry/phrases/keys.gen'

/** Pixels of a side. */
const side = 256

export interface Picture {
  image: Buffer
  /** Of the content: an address with it may be cached. */
  version: string
}

/** An upload as the square picture that is stored. Throws 400 with `wrong` where it is none. */
export async function takePicture(ctx: Ctx, upload: Readable, wrong: PhraseKey): Promise<Picture> {
  const image = await ctx.ports.pictures.square(await buffer(upload), side)
  if (!image) throw new Fault('invalid', wrong)
  return { image, version: createHash('sha256').update(image).digest('hex').slice(0, 16) }
}
