import type { Work } from '@gantry/contract/agents/work'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import type { z } from 'zod'

let builds = 0

type Given = Partial<Omit<z.input<typeof Work>, 'stages'>>

/** A build of one stage with these steps, and defaults for everything else. */
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

/** Limits beyond what a test uses. */
export const plenty = { memory: 1024 ** 4, processes: 4096, disk: 1024 ** 4 }

/** A long wait for what usually takes a moment, because the machine may be busy. */
export const soon = { timeout: 15_000 }
