import type { Readable } from 'node:stream'
import type { User } from '@gantry/contract/users/users'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { takePicture } from '../../../kernel/picture.ts'
import { Fault } from '../../../kernel/fault.ts'
import { deleteAvatar, findAvatar, saveAvatar } from './avatar.store.ts'
import { maySee, mustFind, mustReach } from './reach.ts'
import { publishUser } from './publish.ts'

export async function readAvatar(ctx: Ctx, userId: number): Promise<{ image: Buffer; version: string }> {
  const avatar = (await maySee(ctx, userId)) ? await findAvatar(ctx.db, userId) : undefined
  if (!avatar) throw new Fault('missing', 'avatar-missing')
  return avatar
}

/** Only for oneself. */
export async function setAvatar(ctx: Ctx, userId: number, upload: Readable): Promise<User> {
  const { userName } = await mustReach(ctx, userId)
  note(ctx, { object: userName })
  if (userId !== ctx.actor.id) throw new Fault('forbidden', 'avatar-foreign')
  const picture = await takePicture(ctx, upload, 'avatar-format')
  return inTx(ctx, async (ctx) => {
    await saveAvatar(ctx.db, { account_id: userId, ...picture })
    await publishUser(ctx, userId)
    return mustFind(ctx, userId)
  })
}

export const removeAvatar = (ctx: Ctx, userId: number): Promise<User> =>
  inTx(ctx, async (ctx) => {
    const { userName } = await mustReach(ctx, userId)
    note(ctx, { object: userName })
    await deleteAvatar(ctx.db, userId)
    await publishUser(ctx, userId)
    return mustFind(ctx, userId)
  })
