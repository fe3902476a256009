import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id, idOrUuid } from '../../ids.ts'
import { displayName, text } from '../../validators.ts'
import { Definition } from '../definition.ts'
import { Variable } from '../parameters.ts'
import { Pipeline, Repository, Setting } from '../pipelines.ts'
import { Finding } from './lint.ts'
import { groupsTopic, pipelinesTopic } from '../topics.ts'

const DefinitionText = z.string().max(1_000_000, 'definition-text-too-long')

const KeptDefinition = Definition.and(z.object({ revision: z.number().int(), text: z.string() }))

/** Everything about a pipeline that users edit. A revision is one such document, with its secrets masked. */
export const PipelineDocument = Setting.extend({
  appId: id,
  definition: Definition,
  /** The definition as a user wrote it, with comments; empty, or older than `definition`, which alone is valid. */
  definitionText: DefinitionText.default(''),
})
export type PipelineDocument = z.infer<typeof PipelineDocument>

const inGroup = z.strictObject({ appId: id, pipelineId: idOrUuid })

const owner = { owner: 'pipeline', by: 'pipelineId' } as const

/** The calls with a whole definition, separate from those of lists, so that lists load no schema of steps. */
export const definitions = {
  create: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines',
    access: { owner: 'pipeline-group', by: 'appId', in: 'body', permission: 'pipeline_pipeline_create' },
    audit: 'pipeline.create',
    summary: 'Create a pipeline in a group; the repository is checked first',
    body: z.strictObject({
      appId: id,
      projectName: displayName(30, 'pipeline-name-too-long'),
      description: text(1000, 'description-too-long').default(''),
      repository: Repository.nullable().default(null),
      definition: Definition.optional(),
      variables: z.array(Variable).max(100, 'list-too-long').default([]),
    }),
    data: Pipeline,
    topics: [pipelinesTopic, groupsTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/projects/:appId/pipelines/:pipelineId/orchestration',
    access: { ...owner, permission: 'pipeline_pipeline_view' },
    summary: "A pipeline's stages and steps",
    params: inGroup,
    data: KeptDefinition,
    topics: [pipelinesTopic],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/projects/:appId/pipelines/:pipelineId/orchestration',
    access: { ...owner, permission: 'pipeline_pipeline_edit' },
    audit: 'pipeline.set-orchestration',
    summary:
      "Set a pipeline's stages and steps; refused where it would undo what somebody else changed since `revision`",
    params: inGroup,
    body: z.strictObject({
      stages: Definition.shape.stages,
      revision: z.number().int().optional(),
      /** The stages as YAML, as the user wrote them, to keep comments and order. */
      text: DefinitionText.optional(),
    }),
    /** The saved definition, with the parts that could not run at present. */
    data: KeptDefinition.and(z.object({ warnings: z.array(Finding) })),
    topics: [pipelinesTopic],
  }),
  /** Not in the specification: for editors that validate a definition while it is written. */
  schema: endpoint({
    method: 'GET',
    path: '/api/pipelines/schema.json',
    access: 'public',
    summary: 'The JSON Schema of a definition',
    stream: 'application/schema+json',
    data: z.unknown(),
  }),
}
