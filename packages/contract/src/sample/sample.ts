import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { BuildState } from '../pipelines/states.ts'
import { ServiceState, StackState } from '../stacks/states.ts'
import { buildsTopic, buildTopic, groupsTopic, pipelinesTopic } from '../pipelines/topics.ts'
import { stacksTopic } from '../stacks/topics.ts'
import { productsTopic } from '../products/topics.ts'
import { blueprintsTopic } from '../blueprints/topics.ts'

/**
 * The guided first minute (not in the specification): a small service with tests in a git repository that the product
 * creates, a pipeline, a product and a stack in the sandbox. All are ordinary objects; one action deletes them.
 */
export const Sample = z.object({
  /**
   * none: not created; ready: created; removing: its parts are deleted one by one; unavailable: no sandbox or no git.
   */
  state: z.enum(['none', 'ready', 'removing', 'unavailable']),
  /** Why it is unavailable, or what its removal waits for, in the caller's language. */
  reason: z.string(),
  /** The number of commits in its repository; 0 if there is none. */
  commits: z.number().int(),
  /** The version of the newest commit: 1.0.0, then 1.1.0 … */
  version: z.string(),
  /** A part is null if it was deleted separately; creating the sample again restores it. */
  pipeline: z.object({ id: z.number().int(), groupId: z.number().int(), name: z.string() }).nullable(),
  product: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  stack: z
    .object({ id: z.number().int(), uuid: z.string(), name: z.string(), envId: z.string(), state: StackState })
    .nullable(),
  /** The newest build. */
  build: z.object({ number: z.number().int(), state: BuildState, message: z.string() }).nullable(),
  /** `url` is the sandbox's own address, reachable from the server's machine. */
  service: z
    .object({
      id: z.number().int(),
      name: z.string(),
      state: ServiceState,
      message: z.string(),
      image: z.string(),
      url: z.string(),
    })
    .nullable(),
})
export type Sample = z.infer<typeof Sample>

/** The service's present answer to `GET /`. */
export const SampleAnswer = z.object({
  /** The HTTP status; 0 without an answer. */
  status: z.number().int(),
  text: z.string(),
  at: z.string(),
})
export type SampleAnswer = z.infer<typeof SampleAnswer>

const inTeam = z.strictObject({ teamId: id })

export const sample = {
  get: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/sample',
    access: { team: 'teamId' },
    summary: 'The sample and how far it is',
    params: inTeam,
    data: Sample,
    topics: [buildsTopic, stacksTopic, pipelinesTopic],
  }),
  answer: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/sample/answer',
    access: { team: 'teamId', permission: 'stack_service_view' },
    summary: "What the sample's service answers now, asked by the server",
    params: inTeam,
    data: SampleAnswer,
    topics: [stacksTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/tenants/:teamId/sample',
    access: {
      team: 'teamId',
      permission: [
        'pipeline_pipeline_create',
        'pipeline_group_create',
        'pipeline_build_execute',
        'product_product_create',
        'stack_stack_create',
        'stack_service_create',
      ],
    },
    audit: 'sample.create',
    summary: 'Make the sample and start its first build; a second call continues what is there',
    params: inTeam,
    data: Sample,
    topics: [buildsTopic, buildTopic, stacksTopic, pipelinesTopic, groupsTopic, productsTopic, blueprintsTopic],
  }),
  /** A second commit to the sample's repository, so that an upgrade can be seen. */
  change: endpoint({
    method: 'POST',
    path: '/api/tenants/:teamId/sample/change',
    access: { team: 'teamId', permission: 'pipeline_build_execute' },
    audit: 'sample.change',
    summary: "Commit a change to the sample's repository and build it; the upgrade then waits for a decision",
    params: inTeam,
    data: Sample,
    topics: [buildsTopic, buildTopic, stacksTopic, pipelinesTopic, productsTopic, blueprintsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/tenants/:teamId/sample',
    access: {
      team: 'teamId',
      permission: [
        'pipeline_pipeline_delete',
        'pipeline_build_delete',
        'pipeline_build_execute',
        'pipeline_group_delete',
        'product_product_delete',
        'stack_stack_delete',
        'stack_service_delete',
      ],
    },
    audit: 'sample.delete',
    summary: 'Delete everything that the sample made, in the background; a second call continues',
    params: inTeam,
    data: Sample,
    topics: [pipelinesTopic, groupsTopic, productsTopic, blueprintsTopic],
  }),
}
