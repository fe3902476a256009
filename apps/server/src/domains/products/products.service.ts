import type { Readable } from 'node:stream'
import type { Product } from '@gantry/contract/products/products'
import { brokenConstraint } from '../../db/constraint.ts'
import { note } from '../../kernel/audit.ts'
import { takePicture } from '../../kernel/picture.ts'
import { Fault, mustConfirm, mustExist } from '../../kernel/fault.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import {
  copyParts,
  deleteProduct,
  findImage,
  findProduct,
  insertProduct,
  type ProductInput,
  saveImage,
  updateProduct,
} from './products.store.ts'
import { lockRow, mustBeMadeOn } from '../../db/revision.ts'

const nameTaken = (name: string) => new Fault('conflict', 'products-name-taken', { name })

export async function getProduct(ctx: Ctx, teamId: number, id: number): Promise<Product> {
  return mustExist(await findProduct(ctx.db, teamId, id))
}

export const createProduct = (ctx: Ctx, teamId: number, input: ProductInput): Promise<Product> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: input.name, after: input })
    const id = await insertProduct(ctx.db, teamId, input, ctx.actor.name)
    if (id === undefined) throw nameTaken(input.name)
    return getProduct(ctx, teamId, id)
  })

export const changeProduct = (
  ctx: Ctx,
  teamId: number,
  id: number,
  { revision, ...input }: ProductInput & { revision?: string | undefined },
): Promise<Product> =>
  inTx(ctx, async (ctx) => {
    await lockRow(ctx.db, 'product', id)
    const { name, description, updatedAt } = await getProduct(ctx, teamId, id)
    mustBeMadeOn(updatedAt, revision)
    note(ctx, { object: name, before: { name, description }, after: input })
    await updateProduct(ctx.db, id, input, ctx.actor.name).catch(
      brokenConstraint('product_name', nameTaken(input.name)),
    )
    return getProduct(ctx, teamId, id)
  })

export const removeProduct = (ctx: Ctx, teamId: number, id: number, confirm?: string): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const product = await getProduct(ctx, teamId, id)
    mustConfirm(confirm, product.name)
    note(ctx, { object: product.name, before: { name: product.name, description: product.description } })
    if (product.stackNum > 0)
      throw new Fault('conflict', 'products-in-use', { name: product.name, count: product.stackNum })
    await deleteProduct(ctx.db, id)
    return null
  })

export async function readImage(ctx: Ctx, teamId: number, id: number): Promise<{ image: Buffer; version: string }> {
  await getProduct(ctx, teamId, id)
  const image = await findImage(ctx.db, id)
  if (!image) throw new Fault('missing', 'products-image-missing')
  return image
}

export async function setImage(ctx: Ctx, teamId: number, id: number, upload: Readable): Promise<Product> {
  const { name } = await getProduct(ctx, teamId, id)
  note(ctx, { object: name })
  const picture = await takePicture(ctx, upload, 'products-image-format')
  return inTx(ctx, async (ctx) => {
    await getProduct(ctx, teamId, id)
    await saveImage(ctx.db, { product_id: id, ...picture })
    return getProduct(ctx, teamId, id)
  })
}

/** Copies a product without its stacks. */
export const cloneProduct = (ctx: Ctx, teamId: number, id: number, name: string): Promise<Product> =>
  inTx(ctx, async (ctx) => {
    const { name: original, description } = await getProduct(ctx, teamId, id)
    const made = await createProduct(ctx, teamId, { name, description })
    note(ctx, { object: `${original} → ${name}` })
    await copyParts(ctx.db, id, made.id, ctx.actor.name)
    return getProduct(ctx, teamId, made.id)
  })
