import type { JobInput, StageInput, Step, StepInput } from '@gantry/contract/pipelines/definition'

/** A definition that is being edited. It may be invalid like any input; keys identify rows as they move. */
export interface DraftStep {
  key: string
  step: StepInput
}

export interface DraftJob {
  key: string
  /** The fields of the job without its steps. */
  job: Omit<JobInput, 'steps'>
  steps: readonly DraftStep[]
}

export interface DraftStage {
  key: string
  /** The fields of the stage without its steps and jobs. */
  stage: Omit<StageInput, 'steps' | 'jobs'>
  steps: readonly DraftStep[]
  jobs: readonly DraftJob[]
}

export type Draft = readonly DraftStage[]

/** A list of steps: those of a stage, or of one of its jobs. */
export interface StepList {
  stage: number
  job?: number | undefined
}

let last = 0
const newKey = (): string => `k${++last}`

const stepsOf = (steps: readonly StepInput[]): DraftStep[] => steps.map((step) => ({ key: newKey(), step }))

export const draftOf = (stages: readonly StageInput[]): Draft =>
  stages.map(({ steps = [], jobs = [], ...stage }) => ({
    key: newKey(),
    stage,
    steps: stepsOf(steps),
    jobs: jobs.map(({ steps: own, ...job }) => ({ key: newKey(), job, steps: stepsOf(own) })),
  }))

/** A stage has either steps or jobs; the other is omitted. */
export const stagesOfDraft = (draft: Draft): StageInput[] =>
  draft.map(({ stage, steps, jobs }) => ({
    ...stage,
    ...(jobs.length > 0
      ? { jobs: jobs.map((one) => ({ ...one.job, steps: one.steps.map(({ step }) => step) })) }
      : { steps: steps.map(({ step }) => step) }),
  }))

/** The name, or the name with the first number that makes it unique. */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted
  for (let n = 2; ; n += 1) {
    const end = ` ${n}`
    const name = `${wanted.slice(0, 30 - end.length)}${end}`
    if (!taken.includes(name)) return name
  }
}

const put = <T>(list: readonly T[], at: number, one: T): readonly T[] => [...list.slice(0, at), one, ...list.slice(at)]
const withoutAt = <T>(list: readonly T[], at: number): readonly T[] => list.filter((_, i) => i !== at)
const changed = <T>(list: readonly T[], at: number, change: (one: T) => T): readonly T[] =>
  list.map((one, i) => (i === at ? change(one) : one))

const swapped = <T>(list: readonly T[], at: number, by: 1 | -1): readonly T[] => {
  const one = list[at]
  return one === undefined || list[at + by] === undefined ? list : put(withoutAt(list, at), at + by, one)
}

export const addStage = (draft: Draft, name: string): Draft => [
  ...draft,
  {
    key: newKey(),
    stage: {
      name: freeName(
        name,
        draft.map(({ stage }) => stage.name),
      ),
    },
    steps: [],
    jobs: [],
  },
]

export const moveStage = (draft: Draft, at: number, by: 1 | -1): Draft => swapped(draft, at, by)
export const removeStage = (draft: Draft, at: number): Draft => withoutAt(draft, at)
export const changeStage = (draft: Draft, at: number, stage: DraftStage['stage']): Draft =>
  changed(draft, at, (one) => ({ ...one, stage }))

/** Moves a stage to the position of another one, which shifts. */
export const moveStageTo = (draft: Draft, from: number, at: number): Draft => {
  const one = draft[from]
  return one ? put(withoutAt(draft, from), at > from ? at - 1 : at, one) : draft
}

const jobNames = (draft: Draft): string[] => draft.flatMap(({ jobs }) => jobs.map(({ job }) => job.name))

/** Adds a job at a stage's end. The present steps of the stage become its first job. */
export function addJob(draft: Draft, at: number, name: string): { draft: Draft; key: string } {
  const key = newKey()
  const next = changed(draft, at, (one) => {
    const { handsOn, keepsWorkspace, ...stage } = one.stage
    const first =
      one.steps.length === 0
        ? []
        : [
            {
              key: newKey(),
              job: {
                name: freeName(stage.name, jobNames(draft)),
                ...(handsOn && { handsOn }),
                ...(keepsWorkspace && { keepsWorkspace }),
              },
              steps: one.steps,
            },
          ]
    const made: DraftJob = {
      key,
      job: { name: freeName(name, [...jobNames(draft), ...first.map(({ job }) => job.name)]) },
      steps: [],
    }
    return {
      ...one,
      stage: first.length > 0 || one.jobs.length > 0 ? stage : one.stage,
      steps: [],
      jobs: [...one.jobs, ...first, made],
    }
  })
  return { draft: next, key }
}

/** Turns the only job of a stage into the stage's own steps; fields of jobs only are dropped. */
export const unwrapJob = (draft: Draft, at: number): Draft => {
  const next = changed(draft, at, (one) => {
    const [only] = one.jobs
    if (!only) return one
    const { handsOn, keepsWorkspace } = only.job
    const own = { ...(handsOn && handsOn.length > 0 && { handsOn }), ...(keepsWorkspace && { keepsWorkspace }) }
    return { ...one, stage: { ...one.stage, ...own }, steps: [], jobs: [] }
  })
  return (draft[at]?.jobs[0]?.steps ?? []).reduce<Draft>(
    (now, step) => insertStep(now, { stage: at }, now[at]?.steps.length ?? 0, step),
    next,
  )
}

export const changeJob = (draft: Draft, at: number, row: number, job: DraftJob['job']): Draft =>
  changed(draft, at, (one) => ({ ...one, jobs: changed(one.jobs, row, (each) => ({ ...each, job })) }))
export const removeJob = (draft: Draft, at: number, row: number): Draft =>
  changed(draft, at, (one) => ({ ...one, jobs: withoutAt(one.jobs, row) }))

/** Whether a job can move there: a stage with its own steps accepts none. */
export const takesJob = (draft: Draft, at: number): boolean => draft[at] !== undefined && draft[at].steps.length === 0

export function moveJobTo(draft: Draft, from: number, row: number, to: number, at: number): Draft {
  const one = draft[from]?.jobs[row]
  if (!one || !takesJob(draft, to)) return draft
  const place = from === to && at > row ? at - 1 : at
  return changed(removeJob(draft, from, row), to, (stage) => ({ ...stage, jobs: put(stage.jobs, place, one) }))
}

/** Where a job moves by one step in a direction: past its neighbour, or into the next stage that accepts jobs. */
export function nextForJob(
  draft: Draft,
  at: number,
  row: number,
  by: 1 | -1,
): { stage: number; at: number } | undefined {
  if (draft[at]?.jobs[row + by]) return { stage: at, at: by === 1 ? row + 2 : row - 1 }
  for (let to = at + by; draft[to]; to += by)
    if (takesJob(draft, to)) return { stage: to, at: by === 1 ? 0 : (draft[to]?.jobs.length ?? 0) }
  return undefined
}

export const stepsAt = (draft: Draft, { stage, job }: StepList): readonly DraftStep[] =>
  (job === undefined ? draft[stage]?.steps : draft[stage]?.jobs[job]?.steps) ?? []

/** Every list of steps, in the order of the screen. */
export const placesOf = (draft: Draft): StepList[] =>
  draft.flatMap(({ jobs }, stage): StepList[] =>
    jobs.length === 0 ? [{ stage }] : jobs.map((_, job) => ({ stage, job })),
  )

const inPlace = (
  draft: Draft,
  { stage, job }: StepList,
  change: (steps: readonly DraftStep[]) => readonly DraftStep[],
): Draft =>
  changed(draft, stage, (one) =>
    job === undefined
      ? { ...one, steps: change(one.steps) }
      : { ...one, jobs: changed(one.jobs, job, (each) => ({ ...each, steps: change(each.steps) })) },
  )

/** Names of steps are unique in a job; all stages with steps count as one job. */
const namesBeside = (draft: Draft, place: StepList): string[] =>
  (place.job === undefined ? draft.flatMap(({ steps }) => steps) : stepsAt(draft, place)).map(({ step }) => step.name)

function insertStep(draft: Draft, place: StepList, at: number, one: DraftStep): Draft {
  const step = { ...one.step, name: freeName(one.step.name, namesBeside(draft, place)) }
  return inPlace(draft, place, (steps) => put(steps, at, { ...one, step }))
}

/** Adds a step at a list's end, under a unique name; returns its key too, so that it can be opened. */
export function addStep(draft: Draft, place: StepList, step: StepInput): { draft: Draft; key: string } {
  const key = newKey()
  return { key, draft: insertStep(draft, place, stepsAt(draft, place).length, { key, step }) }
}

export const removeStep = (draft: Draft, place: StepList, row: number): Draft =>
  inPlace(draft, place, (steps) => withoutAt(steps, row))

export const changeStep = (draft: Draft, place: StepList, row: number, step: StepInput): Draft =>
  inPlace(draft, place, (steps) => changed(steps, row, (one) => ({ ...one, step })))

const isSame = (a: StepList, b: StepList): boolean => a.stage === b.stage && a.job === b.job

export function moveStepTo(draft: Draft, from: StepList, row: number, to: StepList, at: number): Draft {
  const one = stepsAt(draft, from)[row]
  if (!one) return draft
  const place = isSame(from, to) && at > row ? at - 1 : at
  return insertStep(removeStep(draft, from, row), to, place, one)
}

/** Where a step moves by one position in a direction: within its list, or to the near end of the neighbouring list. */
export function nextForStep(
  draft: Draft,
  from: StepList,
  row: number,
  by: 1 | -1,
): { place: StepList; at: number } | undefined {
  if (stepsAt(draft, from)[row + by]) return { place: from, at: by === 1 ? row + 2 : row - 1 }
  const places = placesOf(draft)
  const place = places[places.findIndex((one) => isSame(one, from)) + by]
  return place && { place, at: by === 1 ? 0 : stepsAt(draft, place).length }
}

/** The steps that ran before this one, in its own job and in earlier stages. */
export function stepsBefore(draft: Draft, place: StepList, row: number): StepInput[] {
  const earlier = placesOf(draft)
    .filter((one) => one.stage < place.stage)
    .flatMap((one) => stepsAt(draft, one))
  return [...earlier, ...stepsAt(draft, place).slice(0, row)].map(({ step }) => step)
}

export type StepType = Step['type']
export const stepTypes: readonly StepType[] = [
  'checkout',
  'script',
  'report',
  'coverage',
  'scan',
  'cache',
  'code-quality',
  'artifact',
  'image',
  'copy',
  'deploy',
  'helm',
  'blueprint',
  'http',
  'mail',
  'pipeline',
]

/** A new step of a type: required fields are empty, so that the form asks for them. */
export function newStep(type: StepType, name: string): StepInput {
  switch (type) {
    case 'checkout':
      return { type, name }
    case 'script':
      return { type, name, run: '' }
    case 'report':
      return { type, name, files: '**/*.xml', always: true }
    case 'artifact':
      return { type, name, files: '' }
    case 'image':
      // Registries count from 1: 0 means not chosen yet.
      return { type, name, registryId: 0, repository: '', copy: [{ from: '**', to: '/app' }] }
    case 'coverage':
      return { type, name, files: 'coverage/lcov.info' }
    case 'scan':
      return { type, name, files: '', limits: { critical: 0, high: 0 } }
    case 'cache':
      return { type, name, key: '', paths: [] }
    case 'code-quality':
      return { type, name, gate: { bugs: 0, vulnerabilities: 0 } }
    case 'copy':
      return { type, name, fromRegistryId: 0, from: '', registryId: 0, repository: '' }
    case 'mail':
      return { type, name, to: [], subject: '', text: '' }
    case 'http':
      return { type, name, url: 'https://' }
    case 'pipeline':
      return { type, name, pipelineId: 0 }
    case 'deploy':
      return { type, name, stackUuid: '', service: '' }
    case 'helm':
      return { type, name, stackUuid: '', release: '', repositoryId: 0, chart: '', version: '' }
    case 'blueprint':
      return { type, name, stackUuid: '', blueprintId: 0 }
  }
}
