import type { Build } from '@gantry/contract/pipelines/builds'
import type { JobState, StepState } from '@gantry/contract/pipelines/states'

export interface Bar {
  key: string
  kind: 'stage' | 'job' | 'step'
  label: string
  state: StepState | JobState
  /** Parts of the whole length, from 0 to 1. */
  from: number
  to: number
  startedAt: string
  endedAt: string | null
  /** The step whose log it opens; undefined for stages and jobs. */
  step?: number
}

export interface Timeline {
  ms: number
  bars: Bar[]
}

interface Span {
  startedAt: string | null
  endedAt: string | null
}

/** From the first start to the last end; without an end while one of them goes on. */
function around(spans: readonly Span[]): { startedAt: string; endedAt: string | null } | undefined {
  const begun = spans.filter((span): span is Span & { startedAt: string } => span.startedAt !== null)
  const startedAt = begun.map((span) => span.startedAt).toSorted()[0]
  if (startedAt === undefined) return undefined
  const ends = begun.map((span) => span.endedAt)
  return { startedAt, endedAt: ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null) }
}

const jobLabel = ({ name, matrix }: Build['stages'][number]['jobs'][number]): string =>
  [name, ...Object.values(matrix)].join(' ')

/** What ran when: a row for each stage, job and step that has begun, in their order. `now`: the end of what goes on. */
export function timelineOf(build: Pick<Build, 'stages'>, now: number): Timeline {
  const whole = around(build.stages.flatMap(({ steps }) => steps))
  if (!whole) return { ms: 0, bars: [] }
  const begin = Date.parse(whole.startedAt)
  // a start in the browser's future counts as now
  const ms = Math.max(1, (whole.endedAt === null ? now : Date.parse(whole.endedAt)) - begin)
  const part = (at: number): number => Math.min(1, Math.max(0, (at - begin) / ms))
  const bars: Bar[] = []
  const add = (bar: Pick<Bar, 'key' | 'kind' | 'label' | 'state' | 'step'>, span: Span | undefined): void => {
    if (!span || span.startedAt === null) return
    const { startedAt, endedAt } = span
    const to = endedAt === null ? 1 : part(Date.parse(endedAt))
    bars.push({ ...bar, startedAt, endedAt, from: part(Date.parse(startedAt)), to })
  }
  for (const [at, stage] of build.stages.entries()) {
    add({ key: `stage ${at}`, kind: 'stage', label: stage.name, state: stage.state }, around(stage.steps))
    const addSteps = (steps: Build['stages'][number]['steps']): void => {
      for (const step of steps)
        add({ key: `step ${step.index}`, kind: 'step', label: step.name, state: step.state, step: step.index }, step)
    }
    if (stage.jobs.length === 0) addSteps(stage.steps)
    for (const job of stage.jobs) {
      const steps = stage.steps.filter((step) => step.job === job.index)
      add({ key: `job ${job.index}`, kind: 'job', label: jobLabel(job), state: job.state }, around(steps))
      addSteps(steps)
    }
  }
  return { ms, bars }
}
