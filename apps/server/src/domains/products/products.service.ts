import type { Product } from '@gantry/contract/products/products'
import { brokenConstraint } from '../../db/constraint.ts'
import { note } from '../../kernel/audit.ts'
import { Fault, mustConfirm } from '../../kernel/fault.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { deleteProduct, findProduct, insertProduct, updateProduct } from './products.store.ts'

interface ProductInput {
  name: string
  description: string
}

const nameTaken = (name: string) => new Fault('conflict', 'products-name-taken', { name })

export async function getProduct(ctx: Ctx, teamId: number, id: number): Promise<Product> {
  const product = await findProduct(ctx.db, teamId, id)
  if (!product) throw new Fault('missing', 'resource-missing')
  return product
}

export const createProduct = (ctx: Ctx, teamId: number, input: ProductInput): Promise<Product> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: input.name, after: input })
    const id = await insertProduct(ctx.db, teamId, input)
    if (id === undefined) throw nameTaken(input.name)
    return getProduct(ctx, teamId, id)
  })

export const changeProduct = (ctx: Ctx, teamId: number, id: number, input: ProductInput): Promise<Product> =>
  inTx(ctx, async (ctx) => {
    const { name, description } = await getProduct(ctx, teamId, id)
    note(ctx, { object: name, before: { name, description }, after: input })
    await updateProduct(ctx.db, id, input).catch(brokenConstraint('product_name', nameTaken(input.name)))
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
