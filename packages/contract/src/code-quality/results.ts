import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'
import { qualityMeasures } from '../pipelines/steps/code-quality.ts'
import { buildTopic } from '../pipelines/topics.ts'

/** One measure of an analysis, and the limit of the step's gate. */
export const QualityCheck = z.object({
  measure: z.enum(qualityMeasures),
  /** Null: the analysis has none, such as the coverage of code without tests. */
  value: z.number().nullable(),
  /** Null: the gate does not limit it. */
  limit: z.number().nullable(),
  passed: z.boolean(),
})
export type QualityCheck = z.infer<typeof QualityCheck>

/** What the code quality server found for one step of a build. */
export const QualityResult = z.object({
  step: z.number().int(),
  stepName: z.string(),
  /** Within the gate, or not. */
  passed: z.boolean(),
  checks: z.array(QualityCheck),
  /** The project at the code quality server. */
  url: z.string(),
  at: z.string(),
})
export type QualityResult = z.infer<typeof QualityResult>

export const codeQuality = {
  projectKey: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:uuid/getSnareProjectKey',
    access: { owner: 'pipeline', by: 'uuid', permission: 'pipeline_pipeline_view' },
    summary: 'The key of the project that a pipeline has at the code quality server',
    params: z.strictObject({ uuid: idOrUuid }),
    /** `url`: where people see the project; empty where there is no code quality server. */
    data: z.object({ projectKey: z.string(), url: z.string() }),
  }),
  results: endpoint({
    method: 'GET',
    path: '/api/v2/pipelines/:id/builds/:number/code-quality',
    access: { owner: 'pipeline', by: 'id', permission: 'pipeline_build_view' },
    summary: "What the code quality server found for a build's steps",
    params: z.strictObject({ id: idOrUuid, number: id }),
    data: z.array(QualityResult),
    topics: [buildTopic],
  }),
}
