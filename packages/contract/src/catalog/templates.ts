import { z } from 'zod'
import { template, version } from '../blueprints/blueprints.ts'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { stacksTopic } from '../stacks/topics.ts'
import { text } from '../validators.ts'
import { catalogsTopic } from './topics.ts'

/** A version of a preset service. */
export const CatalogTemplateRow = z.object({
  id: z.number().int(),
  catalogId: z.number().int(),
  catalogName: z.string(),
  version: z.string(),
  /** What is new in it. */
  notes: z.string(),
  /** A draft is visible to administrators only, and cannot be deployed. */
  published: z.boolean(),
  /** The template's version of TOSCA. */
  toscaVersion: z.string(),
  /** Whether the template must be raised to the platform's version before it can be deployed. */
  outdated: z.boolean(),
  serviceNum: z.number().int(),
  /** The number of stacks that run it, in the teams that the caller can see. */
  stackNum: z.number().int(),
  /** Counts from 1; a change names the revision on which it is based. */
  revision: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  updatedBy: z.string(),
})
export type CatalogTemplateRow = z.infer<typeof CatalogTemplateRow>

/** The blueprint as it was written, with every comment. */
export const CatalogTemplate = CatalogTemplateRow.extend({ template: z.string() })
export type CatalogTemplate = z.infer<typeof CatalogTemplate>

export const CatalogTemplateInput = z.strictObject({
  version,
  notes: text(1000, 'description-too-long').default(''),
  template,
  published: z.boolean().default(false),
})
export type CatalogTemplateInput = z.infer<typeof CatalogTemplateInput>

const one = z.strictObject({ id })

export const catalogTemplates = {
  list: endpoint({
    method: 'GET',
    path: '/catalog/api/templates/catalogs/:catalogId',
    access: { owner: 'catalog', by: 'catalogId', permission: 'product_blueprint_view' },
    summary: "A preset service's versions, newest first, without their blueprints; drafts to administrators only",
    params: z.strictObject({ catalogId: id }),
    query: listQuery({ pageSize: 10 }).extend({
      /** As this team sees them: published versions only, with its own stacks. */
      teamId: id.optional(),
    }),
    data: listOf(CatalogTemplateRow),
    topics: [stacksTopic, catalogsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/catalog/api/templates',
    access: 'admin',
    audit: 'catalog-template.create',
    summary: 'Add a version to a preset service, as a draft or published',
    body: CatalogTemplateInput.extend({ catalogId: id }),
    data: CatalogTemplate,
    topics: [catalogsTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/catalog/api/templates/:id',
    access: 'admin',
    audit: 'catalog-template.update',
    summary: 'Change a version of a preset service, publish it or make it a draft again',
    params: one,
    body: CatalogTemplateInput.extend({ revision: z.number().int().optional() }),
    data: CatalogTemplate,
    topics: [catalogsTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/catalog/api/templates/:id',
    access: { owner: 'catalog-template', by: 'id', permission: 'product_blueprint_view' },
    summary: 'One version of a preset service with its blueprint',
    params: one,
    data: CatalogTemplate,
    topics: [stacksTopic, catalogsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/catalog/api/templates/:id',
    access: 'admin',
    audit: 'catalog-template.delete',
    summary: 'Delete a version of a preset service that no stack runs',
    params: one,
    data: z.null(),
    topics: [catalogsTopic],
  }),
}
