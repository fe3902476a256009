import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { stacksTopic } from '../stacks/topics.ts'
import { displayName, text } from '../validators.ts'
import { catalogsTopic } from './topics.ts'

const Named = z.object({ id: z.number().int(), name: z.string() })

/** A tag by which preset services are found. */
export const CatalogTag = Named.extend({
  /** The number of preset services with this tag. */
  catalogNum: z.number().int(),
})
export type CatalogTag = z.infer<typeof CatalogTag>

export const CatalogInput = z.strictObject({
  name: displayName(30),
  description: text(1000, 'description-too-long').default(''),
  tagIds: z.array(id).max(20, 'list-too-long').default([]),
  /** Whether every team may deploy it; otherwise only those in `teamIds`. */
  forAll: z.boolean().default(true),
  teamIds: z.array(id).max(1000, 'list-too-long').default([]),
})
export type CatalogInput = z.infer<typeof CatalogInput>

/** An entry of the catalogue: a preset service, as shown to teams that may deploy it. */
export const TeamCatalog = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  tags: z.array(Named),
  /** The version of its picture; empty if it has none. */
  imageVersion: z.string(),
  /** The number of its published versions. */
  versionNum: z.number().int(),
  /** The newest published version; null if there is none. */
  newest: z.object({ id: z.number().int(), version: z.string() }).nullable(),
  /** The number of stacks that run a version of it: in the team, or for administrators in all teams. */
  stackNum: z.number().int(),
})
export type TeamCatalog = z.infer<typeof TeamCatalog>

export const Catalog = TeamCatalog.extend({
  forAll: z.boolean(),
  teams: z.array(Named),
  draftNum: z.number().int(),
  /** Whether it came with the product. */
  shipped: z.boolean(),
  /** Counts from 1; a change names the revision on which it is based. */
  revision: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string(),
})
export type Catalog = z.infer<typeof Catalog>

const path = '/catalog/api/catalogs'
const one = z.strictObject({ id })
const tag = id.optional()

export const catalogs = {
  list: endpoint({
    method: 'GET',
    path,
    access: 'admin',
    summary: 'The preset services of the catalogue',
    query: listQuery({ pageSize: 10 }).extend({ tag }),
    data: listOf(Catalog),
    topics: [catalogsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path,
    access: 'admin',
    audit: 'catalog.create',
    summary: 'Add a preset service to the catalogue, without versions yet',
    body: CatalogInput,
    data: Catalog,
    topics: [catalogsTopic],
  }),
  /** Not in the specification, like `image` and `setImage`. */
  get: endpoint({
    method: 'GET',
    path: '/catalog/api/catalogs/:id',
    access: 'admin',
    summary: 'One preset service',
    params: one,
    data: Catalog,
    topics: [catalogsTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/catalog/api/catalogs/:id',
    access: 'admin',
    audit: 'catalog.update',
    summary: 'Change a preset service: its name, description, tags, and the teams that may deploy it',
    params: one,
    body: CatalogInput.extend({ revision: z.number().int().optional() }),
    data: Catalog,
    topics: [catalogsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/catalog/api/catalogs/:id',
    access: 'admin',
    audit: 'catalog.delete',
    summary: 'Delete a preset service with its versions, unless a stack runs one of them',
    params: one,
    data: z.null(),
    topics: [catalogsTopic],
  }),
  image: endpoint({
    method: 'GET',
    path: '/catalog/api/catalogs/:id/image',
    access: { owner: 'catalog', by: 'id', permission: 'product_blueprint_view' },
    summary: "A preset service's picture",
    params: one,
    /** The version of the picture: the answer for the newest version may be cached. */
    query: z.strictObject({ v: z.string().max(64).optional() }),
    stream: 'image/webp',
    data: z.unknown(),
    topics: [catalogsTopic],
  }),
  setImage: endpoint({
    method: 'POST',
    path: '/catalog/api/catalogs/:id/image',
    access: 'admin',
    audit: 'catalog.set-image',
    summary: "Set a preset service's picture: JPEG or PNG up to 500 kB, drawn anew at 256 × 256",
    params: one,
    upload: 500 * 1024,
    data: Catalog,
    topics: [catalogsTopic],
  }),
  ofTeam: endpoint({
    method: 'GET',
    path: '/catalog/api/catalogs/tenants/:tenant',
    access: { team: 'tenant', permission: 'product_blueprint_view' },
    summary: 'The preset services that a team may deploy',
    params: z.strictObject({ tenant: id }),
    query: listQuery({ pageSize: 20 }).extend({ tag, id: id.optional() }),
    data: listOf(TeamCatalog),
    topics: [stacksTopic, catalogsTopic],
  }),
}

export const catalogTags = {
  list: endpoint({
    method: 'GET',
    path: '/catalog/api/tags',
    access: 'user',
    summary: 'The tags of the catalogue, by name',
    data: z.array(CatalogTag),
    topics: [catalogsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/catalog/api/tags',
    access: 'admin',
    audit: 'catalog-tag.create',
    summary: 'Add a tag to the catalogue',
    body: z.strictObject({ name: displayName(30) }),
    data: CatalogTag,
    topics: [catalogsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/catalog/api/tags/:id',
    access: 'admin',
    audit: 'catalog-tag.delete',
    summary: 'Delete a tag that no preset service has',
    params: one,
    data: z.null(),
    topics: [catalogsTopic],
  }),
}
