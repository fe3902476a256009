import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Ctx } from './context.ts'
import { Fault } from './fault.ts'
import type { PhraseKey } from '@gantry/phrases/keys.gen'

/** Width and height in pixels. */
const side = 256

export interface Picture {
  image: Buffer
  /** Hash of the content, so that an address that contains it may be cached. */
  version: string
}

/** Turns an upload into the square picture that is stored. Throws 400 with `wrong` where it is not a picture. */
export async function takePicture(ctx: Ctx, upload: Readable, wrong: PhraseKey): Promise<Picture> {
  const image = await ctx.ports.pictures.square(await buffer(upload), side)
  if (!image) throw new Fault('invalid', wrong)
  return { image, version: createHash('sha256').update(image).digest('hex').slice(0, 16) }
}
