import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { stacksTopic } from '../stacks/topics.ts'
import { dottedName, text } from '../validators.ts'
import { blueprintsTopic } from './topics.ts'

/** A version of a product: a template from which stacks are deployed. */
export const BlueprintRow = z.object({
  id: z.number().int(),
  uuid: z.string(),
  teamId: z.number().int(),
  applicationId: z.number().int(),
  productName: z.string(),
  version: z.string(),
  description: z.string(),
  /** The template's version of TOSCA. */
  toscaVersion: z.string(),
  /** Whether the template must be translated before it can be deployed. */
  outdated: z.boolean(),
  serviceNum: z.number().int(),
  /** The number of stacks deployed from it. */
  stackNum: z.number().int(),
  /** Counts from 1; a change names the revision on which it is based. */
  revision: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  updatedBy: z.string(),
})
export type BlueprintRow = z.infer<typeof BlueprintRow>

/** The template as it was written, with every comment. */
export const Blueprint = BlueprintRow.extend({ template: z.string() })
export type Blueprint = z.infer<typeof Blueprint>

export const version = dottedName(60)
const description = text(1000, 'description-too-long').default('')
/** Validated by the TOSCA model, which reports problems with their lines. */
export const template = z.string().min(1, 'blueprints-template-required').max(500_000, 'blueprints-template-too-long')
const revision = z.number().int('revision-invalid').min(1, 'revision-invalid').optional()

const inTeam = z.strictObject({ teamId: id })
const one = z.strictObject({ teamId: id, id: idOrUuid })
const byUuid = z.strictObject({ teamId: id, uuid: idOrUuid })

export const blueprints = {
  list: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/blueprint',
    access: { team: 'teamId', permission: 'product_blueprint_view' },
    summary: "A product's blueprints, newest first, without their templates",
    params: inTeam,
    query: listQuery({ pageSize: 10 }).extend({ application_id: id.optional() }),
    data: listOf(BlueprintRow),
    topics: [stacksTopic, blueprintsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/orchestration/api/:teamId/blueprint',
    access: { team: 'teamId', permission: 'product_blueprint_create' },
    audit: 'blueprint.create',
    summary: 'Create a version of a product, drawn, written or imported',
    params: inTeam,
    body: z.strictObject({ applicationId: id, version, description, template }),
    data: Blueprint,
    topics: [blueprintsTopic],
  }),
  basic: endpoint({
    method: 'PUT',
    path: '/orchestration/api/:teamId/blueprint/basic/:uuid',
    access: { team: 'teamId', permission: 'product_blueprint_edit' },
    audit: 'blueprint.update-basic',
    summary: "Change a blueprint's version number and description",
    params: byUuid,
    body: z.strictObject({ version, description, revision }),
    data: Blueprint,
    topics: [blueprintsTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/orchestration/api/:teamId/blueprint/:id',
    access: { team: 'teamId', permission: 'product_blueprint_edit' },
    audit: 'blueprint.update',
    summary: "Change a blueprint's template; refused when someone else saved since `revision`",
    params: one,
    body: z.strictObject({ template, revision }),
    data: Blueprint,
    topics: [blueprintsTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/blueprint/:id',
    access: { team: 'teamId', permission: 'product_blueprint_view' },
    summary: 'One blueprint with its template',
    params: one,
    data: Blueprint,
    topics: [stacksTopic, blueprintsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/orchestration/api/:teamId/blueprint/:id',
    access: { team: 'teamId', permission: 'product_blueprint_delete' },
    audit: 'blueprint.delete',
    summary: 'Delete a blueprint; stacks that were deployed from it go on',
    params: one,
    data: z.null(),
    topics: [stacksTopic, blueprintsTopic],
  }),
  clone: endpoint({
    method: 'POST',
    path: '/orchestration/api/:teamId/blueprint/:uuid/clone',
    access: { team: 'teamId', permission: ['product_blueprint_view', 'product_blueprint_create'] },
    audit: 'blueprint.clone',
    summary: 'Copy a blueprint to another version of its product, or of another one',
    params: byUuid,
    body: z.strictObject({
      version,
      description: text(1000, 'description-too-long').optional(),
      applicationId: id.optional(),
    }),
    data: Blueprint,
    topics: [blueprintsTopic],
  }),
  saveStack: endpoint({
    method: 'POST',
    path: '/orchestration/api/:teamId/env/:envId/stack/:uuid/save_blueprint',
    access: { team: 'teamId', permission: ['product_blueprint_create', 'stack_stack_view', 'stack_service_view'] },
    audit: 'blueprint.save-stack',
    summary: "Save a stack's services as a version of a product; secrets become inputs",
    params: z.strictObject({ teamId: id, envId: uuid, uuid: idOrUuid }),
    body: z.strictObject({
      /** Absent: the product of the stack. */
      applicationId: id.optional(),
      version,
      description,
      /** Refer to images by their running digests instead of by their tags. */
      digests: z.boolean().default(false),
    }),
    data: Blueprint,
    topics: [blueprintsTopic],
  }),
  toscaVersion: endpoint({
    method: 'GET',
    path: '/orchestration/api/blueprints/toasca_version',
    access: 'user',
    summary: "The platform's version of TOSCA templates",
    data: z.object({ version: z.string() }),
  }),
  translate: endpoint({
    method: 'PUT',
    path: '/catalog/api/blueprint/translate',
    access: 'user',
    asks: ['product_blueprint_edit'],
    audit: 'blueprint.translate',
    summary: "Raise a template's version to the platform's",
    query: z.strictObject({ uuid }),
    body: z.strictObject({ version: z.string().max(60) }),
    data: Blueprint,
    topics: [blueprintsTopic],
  }),
}
