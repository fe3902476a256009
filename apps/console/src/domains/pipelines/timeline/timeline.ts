import type { Build, BuildStage } from '@gantry/contract/pipelines/builds'
import type { BuildWait } from '@gantry/contract/pipelines/builds/wait'
import type { JobState, StepState } from '@gantry/contract/pipelines/states'
import { visibleWaits } from './waits.ts'

export interface Bar {
  key: string
  kind: 'wait' | 'stage' | 'job' | 'step'
  /** Empty for a wait, which has a text for its kind. */
  label: string
  state: StepState | JobState | 'waiting'
  /** Fractions of the whole duration, from 0 to 1. */
  from: number
  to: number
  startedAt: string
  endedAt: string | null
  /** The step whose log it opens; undefined for stages and jobs. */
  step?: number
  /** What it waited for. */
  wait?: BuildWait['for']
}

export interface Timeline {
  ms: number
  bars: Bar[]
}

interface Span {
  startedAt: string | null
  endedAt: string | null
}

/** From the first start to the last end; without an end while one of them is running. */
function spanOf(spans: readonly Span[]): { startedAt: string; endedAt: string | null } | undefined {
  const begun = spans.filter((span): span is Span & { startedAt: string } => span.startedAt !== null)
  const startedAt = begun.map((span) => span.startedAt).toSorted()[0]
  if (startedAt === undefined) return undefined
  const ends = begun.map((span) => span.endedAt)
  return { startedAt, endedAt: ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null) }
}

const isOfAttempt = ({ passedIn }: BuildStage['steps'][number]): boolean => passedIn === null

/** The spans of a stage: those of its jobs, or without jobs of its steps. */
const spansOf = ({ jobs, steps }: BuildStage): readonly Span[] => (jobs.length > 0 ? jobs : steps.filter(isOfAttempt))

const spanOfWait = ({ from, to }: BuildWait): Span => ({ startedAt: from, endedAt: to })

const jobLabel = ({ name, matrix }: BuildStage['jobs'][number]): string => [name, ...Object.values(matrix)].join(' ')

/**
 * What ran when, and the waits before it: a row for each wait, stage, job and step that has begun, in order. Jobs and
 * steps have the times of the displayed attempt; what passed in an earlier one has no row. `now`: the end of running
 * parts.
 */
export function timelineOf(build: Pick<Build, 'stages' | 'waits'>, now: number): Timeline {
  const waits = visibleWaits(build.waits)
  const whole = spanOf([...waits.map(spanOfWait), ...build.stages.flatMap(spansOf)])
  if (!whole) return { ms: 0, bars: [] }
  const begin = Date.parse(whole.startedAt)
  // a start in the browser's future counts as now
  const ms = Math.max(1, (whole.endedAt === null ? now : Date.parse(whole.endedAt)) - begin)
  const part = (at: number): number => Math.min(1, Math.max(0, (at - begin) / ms))
  const bars: Bar[] = []
  const add = (bar: Pick<Bar, 'key' | 'kind' | 'label' | 'state' | 'step' | 'wait'>, span: Span | undefined): void => {
    if (!span || span.startedAt === null) return
    const { startedAt, endedAt } = span
    const to = endedAt === null ? 1 : part(Date.parse(endedAt))
    bars.push({ ...bar, startedAt, endedAt, from: part(Date.parse(startedAt)), to })
  }
  const addWaits = (key: string, are: (wait: BuildWait) => boolean): void => {
    for (const wait of waits.filter(are))
      add({ key, kind: 'wait', label: '', state: 'waiting', wait: wait.for }, spanOfWait(wait))
  }
  addWaits('review', (wait) => wait.for === 'review')
  let lastJob: number | undefined
  for (const [at, stage] of build.stages.entries()) {
    const addSteps = (steps: BuildStage['steps']): void => {
      for (const step of steps.filter(isOfAttempt))
        add({ key: `step ${step.index}`, kind: 'step', label: step.name, state: step.state, step: step.index }, step)
    }
    addWaits(`gate ${at}`, (wait) => wait.stage === at)
    const plain = stage.jobs.length === 0 ? stage.steps[0]?.job : undefined
    // several stages without jobs are one job, which waits before the first of them
    if (plain !== undefined && plain !== lastJob) addWaits(`agent ${plain}`, (wait) => wait.job === plain)
    lastJob = plain
    add({ key: `stage ${at}`, kind: 'stage', label: stage.name, state: stage.state }, spanOf(spansOf(stage)))
    if (plain !== undefined) addSteps(stage.steps)
    for (const job of stage.jobs) {
      addWaits(`agent ${job.index}`, (wait) => wait.job === job.index)
      add({ key: `job ${job.index}`, kind: 'job', label: jobLabel(job), state: job.state }, job)
      addSteps(stage.steps.filter((step) => step.job === job.index))
    }
  }
  return { ms, bars }
}
