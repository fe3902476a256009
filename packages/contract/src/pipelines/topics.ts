import { z } from 'zod'
import { topic } from '../topic.ts'
import { BuildState, StepState } from './states.ts'

/** A build of the team changed its state, of any pipeline. */
export const buildsTopic = topic({
  path: 'builds/:teamId',
  access: { team: 'teamId', permission: 'pipeline_pipeline_view' },
  content: z.object({ pipelineId: z.number().int(), number: z.number().int(), state: BuildState }),
})

const step = z.number().int()

/** One build or one of its steps changed its state, or a step's log has this many lines. */
export const buildTopic = topic({
  path: 'build/:pipelineId/:number',
  access: { owner: 'pipeline', by: 'pipelineId', permission: 'pipeline_build_view' },
  content: z.union([
    z.object({ step, lines: z.number().int() }),
    z.object({ step, stepState: StepState }),
    z.object({ state: BuildState }),
  ]),
})
