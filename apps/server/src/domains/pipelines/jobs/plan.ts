import type { Condition } from '@gantry/contract/pipelines/conditions'
import {
  Approval,
  type Definition,
  type ExecutorName,
  type Job,
  type OsType,
  type Stage,
  type Step,
} from '@gantry/contract/pipelines/definition'
import { combinations } from '@gantry/contract/pipelines/steps/matrix'

export interface PlannedStep {
  stage: string
  stageIndex: number
  step: Step
  /** The condition of its stage, if its job consists of several stages. */
  around: Condition | undefined
}

export interface PlannedGate {
  stage: string
  stageIndex: number
  mode: 'manual' | 'approve'
  approval: Approval
}

export interface PlannedJob {
  /** The group of jobs that it runs in: see `JobGroup`. */
  leg: number
  /** The stage for which people have to decide before its group begins. */
  gate: PlannedGate | null
  name: string
  matrix: Record<string, string>
  labels: string[]
  osType: OsType
  executor: ExecutorName | null
  /** The id of a build image. */
  image: number | null
  services: Job['services']
  timeoutMinutes: number | undefined
  retries: { count: number; exitCodes?: number[] | undefined }
  handsOn: string[]
  /** Whether a retry begins with the workspace of the failed attempt, if that still exists. */
  keepsWorkspace: boolean
  /** The conditions of its stage and its own. */
  when: Condition[]
  /** The position of its first step in the build. */
  firstStep: number
  steps: PlannedStep[]
}

/**
 * The jobs of a build, in order: consecutive stages with steps are one job with one workspace; each job of a stage is a
 * job, and a matrix one for each combination. A stage that waits for people begins another job.
 */
export function planOf({ stages }: Definition): PlannedJob[] {
  const jobs: PlannedJob[] = []
  let leg = -1
  let run: PlannedJob | undefined
  let firstStep = 0
  const add = (job: Omit<PlannedJob, 'leg' | 'firstStep'>) => {
    const planned = { ...job, leg, firstStep }
    jobs.push(planned)
    firstStep += job.steps.length
    return planned
  }
  for (const [stageIndex, stage] of stages.entries()) {
    const of = (steps: Step[], around?: Condition) =>
      steps.map((step) => ({ stage: stage.name, stageIndex, step, around }))
    const gate = gateOf(stage, stageIndex)
    if (stage.jobs.length === 0) {
      const steps = of(stage.steps, stage.when)
      if (run && !gate) {
        run.steps.push(...steps)
        run.handsOn.push(...stage.handsOn)
        run.keepsWorkspace ||= stage.keepsWorkspace === true
        firstStep += steps.length
        continue
      }
      leg++
      run = add({ ...plain, gate, handsOn: [...stage.handsOn], keepsWorkspace: stage.keepsWorkspace === true, steps })
      continue
    }
    run = undefined
    leg++
    for (const job of stage.jobs)
      for (const matrix of job.matrix ? combinations(job.matrix) : [{}])
        add({
          gate,
          name: job.name,
          matrix,
          labels: job.labels,
          osType: job.osType,
          executor: job.executor ?? null,
          image: job.image ?? null,
          services: job.services,
          timeoutMinutes: job.timeoutMinutes,
          retries: job.retries ?? plain.retries,
          handsOn: job.handsOn,
          keepsWorkspace: job.keepsWorkspace === true,
          when: [stage.when, job.when].filter((when) => when !== undefined),
          steps: of(job.steps),
        })
  }
  return jobs
}

const gateOf = ({ name, mode, approval }: Stage, stageIndex: number): PlannedGate | null =>
  mode === 'auto' ? null : { stage: name, stageIndex, mode, approval: approval ?? Approval.parse({}) }

const plain = {
  name: '',
  matrix: {},
  labels: [],
  osType: 'linux',
  executor: null,
  image: null,
  services: [],
  timeoutMinutes: undefined,
  retries: { count: 0 },
  when: [],
} satisfies Partial<PlannedJob>

/** The build images of the job and its services. */
export const imagesOfJob = ({ image, services }: PlannedJob): number[] => [
  ...(image === null ? [] : [image]),
  ...services.map((service) => service.image),
]

export const hasCheckout = ({ steps }: PlannedJob): boolean => steps.some(({ step }) => step.type === 'checkout')
