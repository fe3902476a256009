import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { idOrUuid } from '../../ids.ts'
import { pipelinesTopic } from '../topics.ts'

/** A problem or doubt in a definition's text; line and column count from 1. */
export const TextProblem = z.object({
  line: z.number().int(),
  column: z.number().int(),
  /** In the caller's language. */
  text: z.string(),
})
export type TextProblem = z.infer<typeof TextProblem>

/** A definition file in the repository. */
export const FileDefinition = z.object({
  path: z.string(),
  branch: z.string(),
  commit: z.string(),
  /** The first line of the commit message. */
  message: z.string(),
  text: z.string(),
  /** Because of these, a build of this commit fails. */
  problems: z.array(TextProblem),
  /** Parts that could not run at present. */
  warnings: z.array(TextProblem),
})
export type FileDefinition = z.infer<typeof FileDefinition>

const params = z.strictObject({ id: idOrUuid })

/** Not in the specification: a pipeline whose definition is a file in its repository. */
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
      /** The commit of the file that the caller saw. */
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
