import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { idOrUuid } from '../../ids.ts'
import { pipelinesTopic } from '../topics.ts'

/** What is wrong or doubtful in a definition's text; line and column count from 1. */
export const TextProblem = z.object({
  line: z.number().int(),
  column: z.number().int(),
  /** In the caller's language. */
  text: z.string(),
})
export type TextProblem = z.infer<typeof TextProblem>

/** A definition as it is in the repository. */
export const FileDefinition = z.object({
  path: z.string(),
  branch: z.string(),
  commit: z.string(),
  /** The first line of the commit's message. */
  message: z.string(),
  text: z.string(),
  /** A build of this commit fails because of these. */
  problems: z.array(TextProblem),
  /** What could not run as things are now. */
  warnings: z.array(TextProblem),
})
export type FileDefinition = z.infer<typeof FileDefinition>

const params = z.strictObject({ id: idOrUuid })

/** Ours: a pipeline whose definition is a file of its repository. */
export const definitionFile = {
  read: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/definition-file',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_pipeline_view' },
    summary: "A pipeline's definition as it is in its repository, at the head of the branch that its settings name",
    params,
    data: FileDefinition,
  }),
  takeOver: endpoint({
    method: 'POST',
    path: '/api/v2/pipelines/:id/definition-file/take-over',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_pipeline_edit' },
    audit: 'pipeline.take-over-definition',
    summary: 'Copy the definition of the repository into the console, which decides from then on',
    params,
    body: z.strictObject({
      /** The commit whose file was seen. */
      commit: z
        .string()
        .max(64)
        .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'commit-invalid'),
      revision: z.number().int().optional(),
    }),
    data: z.object({ revision: z.number().int() }),
    topics: [pipelinesTopic],
  }),
}
