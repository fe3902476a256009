import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { idOrUuid } from '../../ids.ts'
import { Definition } from '../definition.ts'
import { pipelinesTopic } from '../topics.ts'

/** A part of a valid definition that cannot run at present. */
export const Finding = z.object({
  /** The place in the definition: `stages.0.steps.1.registryId`. */
  path: z.string(),
  key: z.string(),
  /** In the caller's language. */
  text: z.string(),
  /** Whether it can never run: a build that would reach it is refused. */
  fatal: z.boolean(),
})
export type Finding = z.infer<typeof Finding>

const params = z.strictObject({ id: idOrUuid })

export const lint = {
  stored: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/lint',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_pipeline_view' },
    summary: "What of a pipeline's definition cannot run as things are now, in the order of the definition",
    params,
    data: z.array(Finding),
    topics: [pipelinesTopic],
  }),
  draft: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/lint',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_pipeline_edit' },
    audit: 'pipeline.lint',
    summary: 'What of a definition that is not saved could not run as things are now: nothing is changed',
    params,
    body: z.strictObject({ stages: Definition.shape.stages }),
    data: z.array(Finding),
    topics: [],
  }),
}
