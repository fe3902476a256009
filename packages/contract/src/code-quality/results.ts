import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid } from '../ids.ts'
import { qualityMeasures } from '../pipelines/steps/code-quality.ts'
import { buildTopic } from '../pipelines/topics.ts'

/** A measure of an analysis, and its limit in the step's gate. */
export const QualityCheck = z.object({
  measure: z.enum(qualityMeasures),
  /** Null: the analysis has none, for example no coverage for code without tests. */
  value: z.number().nullable(),
  /** Null: the gate does not limit it. */
  limit: z.number().nullable(),
  passed: z.boolean(),
})
export type QualityCheck = z.infer<typeof QualityCheck>

/** The code quality server's result for one step of a build. */
export const QualityResult = z.object({
  step: z.number().int(),
  stepName: z.string(),
  /** Whether it is within the gate. */
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
    /** `url`: the project's page for people; empty if there is no code quality server. */
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
