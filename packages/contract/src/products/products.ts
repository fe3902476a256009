import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { confirmation, displayName, text } from '../validators.ts'
import { stacksTopic } from '../stacks/topics.ts'
import { productsTopic } from './topics.ts'
import { blueprintsTopic } from '../blueprints/topics.ts'
import { madeOn } from '../revision.ts'

/** The specification calls it application on the wire, product on the screen. */
export const Product = z.object({
  id: z.number().int(),
  teamId: z.number().int(),
  name: z.string(),
  description: z.string(),
  stackNum: z.number().int(),
  /** The number of its versions. */
  blueprintNum: z.number().int(),
  /** The version of its picture; empty if it has none. */
  imageVersion: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Who changed it last; empty if that was before it was recorded. */
  updatedBy: z.string(),
})
export type Product = z.infer<typeof Product>

const inTeam = z.strictObject({ team: id })
const one = z.strictObject({ team: id, id })
const body = z.strictObject({
  name: displayName(30, 'application-name-too-long'),
  description: text(1000, 'description-too-long').default(''),
})

export const products = {
  list: endpoint({
    method: 'GET',
    path: '/orchestration/api/:team/application',
    access: { team: 'team', permission: 'product_product_view' },
    summary: "A team's products",
    params: inTeam,
    query: listQuery({ pageSize: 10 }).extend({ search: z.string().max(200).optional() }),
    data: listOf(Product),
    topics: [stacksTopic, productsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/orchestration/api/:team/application',
    access: { team: 'team', permission: 'product_product_create' },
    audit: 'product.create',
    summary: 'Create a product',
    params: inTeam,
    body,
    data: Product,
    topics: [productsTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/orchestration/api/:team/application/:id',
    access: { team: 'team', permission: 'product_product_view' },
    summary: 'One product',
    params: one,
    data: Product,
    topics: [stacksTopic, productsTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/orchestration/api/:team/application/:id',
    access: { team: 'team', permission: 'product_product_edit' },
    audit: 'product.update',
    summary: 'Rename a product or change its description',
    params: one,
    body: body.extend(madeOn),
    data: Product,
    topics: [productsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/orchestration/api/:team/application/:id',
    access: { team: 'team', permission: 'product_product_delete' },
    audit: 'product.delete',
    summary: 'Delete a product without stacks',
    params: one,
    query: z.strictObject({ confirm: confirmation }),
    data: z.null(),
    topics: [productsTopic],
  }),
  /** Not in the specification: the picture that `setImage` stores. */
  image: endpoint({
    method: 'GET',
    path: '/orchestration/api/:team/application/:id/image',
    access: { team: 'team', permission: 'product_product_view' },
    summary: "A product's picture",
    params: one,
    /** The version of the picture: the answer for the newest version may be cached. */
    query: z.strictObject({ v: z.string().max(64).optional() }),
    stream: 'image/webp',
    data: z.unknown(),
    topics: [productsTopic],
  }),
  setImage: endpoint({
    method: 'POST',
    path: '/orchestration/api/:team/application/:id/image',
    access: { team: 'team', permission: 'product_product_edit' },
    audit: 'product.set-image',
    summary: "Set a product's picture: JPEG or PNG up to 500 kB, drawn anew at 256 × 256",
    params: one,
    upload: 500 * 1024,
    data: Product,
    topics: [productsTopic],
  }),
  clone: endpoint({
    method: 'POST',
    path: '/orchestration/api/:team/application/:id/clone',
    access: {
      team: 'team',
      permission: [
        'product_product_view',
        'product_product_create',
        'product_blueprint_view',
        'product_blueprint_create',
      ],
    },
    audit: 'product.clone',
    summary: 'Copy a product with its picture and its blueprints, without its stacks',
    params: one,
    body: z.strictObject({ name: displayName(30, 'application-name-too-long') }),
    data: Product,
    topics: [productsTopic, blueprintsTopic],
  }),
}
