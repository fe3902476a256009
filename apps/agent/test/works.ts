import type { Work } from '@gantry/contract/agents/protocol'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import type { z } from 'zod'

let builds = 0

type Given = Partial<Omit<z.input<typeof Work>, 'stages'>>

/** A build of one stage with these steps, all else as plain as it can be. */
export function work(steps: StepInput[], given: Given = {}): z.input<typeof Work> {
  builds++
  return {
    buildId: builds,
    attempt: 1,
    pipelineId: 7,
    pipelineName: 'hello',
    number: builds,
    timeoutSeconds: 600,
    repository: null,
    stages: [{ name: 'all', steps }],
    environment: [],
    masked: [],
    registries: [],
    ...given,
  }
}

export const script = (run: string, more: Partial<Extract<StepInput, { type: 'script' }>> = {}): StepInput => ({
  name: `script ${run.slice(0, 10)}`
    .replaceAll(/[^\w ]/g, '')
    .trim()
    .slice(0, 28),
  type: 'script',
  run,
  ...more,
})
