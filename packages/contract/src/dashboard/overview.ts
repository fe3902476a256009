import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { BuildState } from '../pipelines/states.ts'
import { buildsTopic, pipelinesTopic } from '../pipelines/topics.ts'
import { stacksTopic } from '../stacks/topics.ts'

const figure = z.number().int()

export const LatestBuild = z.object({
  pipelineId: z.number().int(),
  pipelineName: z.string(),
  groupId: z.number().int(),
  number: z.number().int(),
  state: BuildState,
  cause: z.string(),
  userCause: z.string(),
  branch: z.string(),
  commit: z.string(),
  commitMessage: z.string(),
  queuedAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})
export type LatestBuild = z.infer<typeof LatestBuild>

/** A team at a glance. A part is null if the caller may not view what it counts. */
export const Overview = z.object({
  /** Pipelines by the state of their latest build; each count matches their list with that filter. */
  pipelines: z.object({ total: figure, queued: figure, building: figure, failed: figure }).nullable(),
  builds: z
    .object({
      /** Builds that ended in the last 24 hours. */
      day: z.object({ success: figure, failed: figure, aborted: figure }),
      /** The same per hour, 24 hours, the oldest first. */
      hours: z.array(z.object({ success: figure, failed: figure, aborted: figure })),
      /** At most 8 builds, newest first, of all pipelines. */
      latest: z.array(LatestBuild),
    })
    .nullable(),
  stacks: z.object({ total: figure, running: figure, failed: figure }).nullable(),
  /**
   * healthy: stable, or upgraded and waiting for a decision (also counted in `waiting`); changing: on the way there.
   */
  services: z.object({ total: figure, healthy: figure, changing: figure, failed: figure, waiting: figure }).nullable(),
})
export type Overview = z.infer<typeof Overview>

export const overview = {
  get: endpoint({
    method: 'GET',
    path: '/api/tenants/:teamId/overview',
    access: { team: 'teamId' },
    asks: ['pipeline_pipeline_view', 'pipeline_build_view', 'stack_stack_view', 'stack_service_view'],
    summary:
      'A team at a glance: its pipelines, builds of the last day, stacks and services, as far as one may see them',
    params: z.strictObject({ teamId: id }),
    data: Overview,
    topics: [buildsTopic, pipelinesTopic, stacksTopic],
  }),
}
