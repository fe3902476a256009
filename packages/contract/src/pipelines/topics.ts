import { z } from 'zod'
import { hint, topic } from '../topic.ts'
import { BuildState, StepState } from './states.ts'

const buildState = z.enum([...BuildState.options, 'deleted'])

/** A build of the team, of any pipeline, changed its state or was deleted. */
export const buildsTopic = topic({
  path: 'builds/:teamId',
  access: { team: 'teamId', permission: 'pipeline_pipeline_view', or: 'pipeline_build_view' },
  content: z.object({ pipelineId: z.number().int(), number: z.number().int(), state: buildState }),
})

const step = z.number().int()

const ofBuild = { owner: 'pipeline', by: 'pipelineId', permission: 'pipeline_build_view' } as const

/** One build or one of its steps changed its state. */
export const buildTopic = topic({
  path: 'build/:pipelineId/:number',
  access: ofBuild,
  content: z.union([z.object({ step, stepState: StepState }), z.object({ state: buildState })]),
})

/** The number of lines that a step's log has now. */
export const buildLogTopic = topic({
  path: 'build-log/:pipelineId/:number',
  access: ofBuild,
  content: z.object({ step, lines: z.number().int() }),
})

/** Definitions and settings of a team's pipelines, their kept images, groups, credentials and notification rules. */
export const pipelinesTopic = hint({ path: 'pipelines/:teamId', access: { team: 'teamId' } })

/** The pipeline groups of all teams, and the number of pipelines in each. */
export const groupsTopic = hint({ path: 'pipeline-groups', access: 'admin' })

/** Triggers of a pipeline, and what came to them. */
export const triggersTopic = hint({ path: 'triggers/:pipelineId', access: { owner: 'pipeline', by: 'pipelineId' } })

/** Caches of a pipeline. */
export const cachesTopic = hint({ path: 'caches/:pipelineId', access: { owner: 'pipeline', by: 'pipelineId' } })
