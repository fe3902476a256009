import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { id, idOrUuid } from '../../ids.ts'
import { listOf, listQuery } from '../../paging.ts'
import { buildTopic } from '../topics.ts'

export const AnnotationLevel = z.enum(['error', 'warning', 'notice'])
export type AnnotationLevel = z.infer<typeof AnnotationLevel>

/** A message of a compiler, a linter or a failed test about a line of a file. */
export const Annotation = z.object({
  id: z.number().int(),
  level: AnnotationLevel,
  file: z.string(),
  line: z.number().int(),
  column: z.number().int().nullable(),
  message: z.string(),
  /** The step that reported it. */
  step: z.number().int(),
  stepName: z.string(),
  /** The line in the step's log, from 0; null if it comes from a test report. */
  logLine: z.number().int().nullable(),
})
export type Annotation = z.infer<typeof Annotation>

export const annotations = {
  list: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/annotations',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_view' },
    summary:
      "What a build's logs and test reports say about lines of files, errors first; those of logs are known once it has ended",
    params: z.strictObject({ id: idOrUuid, number: id }),
    query: listQuery({ pageSize: 50 }).extend({ level: z.enum(['all', ...AnnotationLevel.options]).optional() }),
    data: listOf(Annotation),
    topics: [buildTopic],
  }),
}
