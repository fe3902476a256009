import type { Work } from '@gantry/contract/agents/work'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import type { z } from 'zod'

let builds = 0

type Given = Partial<Omit<z.input<typeof Work>, 'stages'>>

/** A build of one stage with these steps, all else as plain as it can be. */
export function work(steps: StepInput[], given: Given = {}): z.input<typeof Work> {
  builds++
  return {
    jobId: builds,
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

/** More than a test takes. */
export const plenty = { memory: 1024 ** 4, processes: 4096, disk: 1024 ** 4 }

/** How long to look for what comes in a moment: other things run on this machine too. */
export const soon = { timeout: 15_000 }
