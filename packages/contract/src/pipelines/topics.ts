import { z } from 'zod'
import { topic } from '../topic.ts'
import { BuildState, StepState } from './states.ts'

/** A build moved on, of any pipeline of the team. */
export const buildsTopic = topic({
  path: 'builds/:teamId',
  access: { team: 'teamId', permission: 'pipeline_pipeline_view' },
  content: z.object({ pipelineId: z.number().int(), number: z.number().int(), state: BuildState }),
})

const step = z.number().int()

/** One build moved on, or one of its steps, or a step's log has so many lines. */
export const buildTopic = topic({
  path: 'build/:pipelineId/:number',
  access: { owner: 'pipeline', by: 'pipelineId', permission: 'pipeline_build_view' },
  content: z.union([
    z.object({ step, lines: z.number().int() }),
    z.object({ step, stepState: StepState }),
    z.object({ state: BuildState }),
  ]),
})
