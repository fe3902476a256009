import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id, idOrUuid } from '../../ids.ts'
import { listOf, listQuery } from '../../paging.ts'
import { dictionary, refName } from '../../validators.ts'
import { triggered } from '../builds.ts'
import { Definition } from '../definition.ts'
import { buildsTopic, pipelinesTopic } from '../topics.ts'
import { PipelineDocument } from './definitions.ts'

/** The state of a pipeline after one of its changes. */
export const Version = z.object({
  revision: z.number().int(),
  /** Who made the change; empty if it predates this history. */
  by: z.string(),
  at: z.string(),
  /** The changed fields; all of them if the change created the pipeline. */
  fields: z.array(z.string()),
  created: z.boolean(),
  /** Whether it is the present version. */
  current: z.boolean(),
})
export type Version = z.infer<typeof Version>

/** A value that differs; null on the side where it does not exist. */
export const FieldDifference = z.object({
  /** The path; objects in lists by their names: `definition.stages.Test.steps.Unit tests.run`. */
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type FieldDifference = z.infer<typeof FieldDifference>

const one = z.strictObject({ id: idOrUuid })
const numbered = z.strictObject({ id: idOrUuid, revision: id })
const view = { owner: 'pipeline', by: 'id', permission: 'pipeline_pipeline_view' } as const
const parameters = dictionary(z.string().max(253), z.string().max(4096, 'value-too-long'), 50)

export const versions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/versions',
    access: view,
    summary: 'The versions of a pipeline, newest first: who changed which fields, and when',
    params: one,
    query: listQuery({ pageSize: 10 }),
    data: listOf(Version),
    topics: [pipelinesTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/versions/:revision',
    access: view,
    summary: 'A pipeline as it was in one version; secrets are masked',
    params: numbered,
    data: Version.extend({ document: PipelineDocument }),
  }),
  compare: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/versions/:revision/difference',
    access: view,
    summary: 'What differs between two versions of a pipeline, field by field; secrets are masked',
    params: numbered,
    query: z.strictObject({ from: id }),
    data: z.object({
      fields: z.array(FieldDifference),
      /** Fields in which a secret was replaced between the two versions. */
      secrets: z.array(z.string()),
      before: PipelineDocument,
      after: PipelineDocument,
    }),
  }),
  /** Separate from the versions: runs a definition that is not saved. */
  runDraft: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/versions/draft/trigger',
    access: { owner: 'pipeline', by: 'id', permission: ['pipeline_pipeline_edit', 'pipeline_build_execute'] },
    audit: 'build.trigger-draft',
    summary: 'Start a build of stages that are not saved; the build says so, and the pipeline stays as it is',
    params: one,
    body: z.strictObject({
      stages: Definition.shape.stages,
      branch: z.union([z.literal(''), refName('branch')]).optional(),
      parameters: parameters.optional(),
      idempotencyKey: z.string().min(1).max(200).optional(),
    }),
    data: triggered,
    topics: [buildsTopic],
  }),
}
