import type { Build, BuildStep } from '@gantry/contract/pipelines/builds'
import type { Sample, SampleAnswer } from '@gantry/contract/sample/sample'

/** The milestones of the first minute, in order. */
export type Milestone = 'commit' | 'test' | 'image' | 'stack' | 'answer'

export interface MilestoneSpan {
  milestone: Milestone
  state: 'waiting' | 'running' | 'done' | 'failed'
  from: string | null
  to: string | null
}

type Steps = readonly Pick<BuildStep, 'type' | 'state' | 'startedAt' | 'endedAt'>[]

/** Maps steps to milestones by their type, so that a changed pipeline can still be followed. */
const legOf = (type: string): Milestone => (type === 'image' ? 'image' : type === 'deploy' ? 'stack' : 'test')

function toLeg(milestone: Milestone, all: Steps): MilestoneSpan {
  const steps = all.filter((step) => legOf(step.type) === milestone)
  const started = steps.map((step) => step.startedAt).filter((at) => at !== null)
  const leg = { milestone, from: started[0] ?? null, to: null }
  if (steps.some((step) => step.state === 'failed' || step.state === 'aborted'))
    return { ...leg, state: 'failed', to: steps.findLast((step) => step.endedAt !== null)?.endedAt ?? null }
  if (steps.length > 0 && steps.every((step) => step.state === 'success'))
    return { ...leg, state: 'done', to: steps.at(-1)?.endedAt ?? null }
  return {
    ...leg,
    state: steps.some((step) => step.state !== 'pending' && step.state !== 'not_built') ? 'running' : 'waiting',
  }
}

type Followed = Pick<Build, 'state'> & { stages: readonly { steps: Steps }[] }

/** The milestones of the newest commit, up to the service's answer. */
export function courseOf(
  sample: Pick<Sample, 'commits' | 'service'>,
  build: Followed | undefined,
  answer: Pick<SampleAnswer, 'status'> | undefined,
): MilestoneSpan[] {
  const steps = build?.stages.flatMap((stage) => stage.steps) ?? []
  const legs = (['test', 'image', 'stack'] as const).map((milestone) => toLeg(milestone, steps))
  const shipped = legs.at(-1)
  const answers = sample.service !== null && answer?.status === 200
  return [
    { milestone: 'commit', state: sample.commits > 0 ? 'done' : 'waiting', from: null, to: null },
    ...legs,
    {
      milestone: 'answer',
      state: shipped?.state !== 'done' ? 'waiting' : answers ? 'done' : 'running',
      from: null,
      to: null,
    },
  ]
}

export const isThrough = (legs: readonly MilestoneSpan[]): boolean => legs.every((leg) => leg.state === 'done')
export const reached = (legs: readonly MilestoneSpan[]): number => legs.filter((leg) => leg.state === 'done').length

/** The total time, by the server's clock, from the queueing of the commit's build to the deployment's end. */
export function travelMs(build: { queuedAt: string } | undefined, legs: readonly MilestoneSpan[]): number | undefined {
  const shipped = legs.find((leg) => leg.milestone === 'stack')?.to
  return build && shipped ? Math.max(0, Date.parse(shipped) - Date.parse(build.queuedAt)) : undefined
}
