import type { JobInput, StageInput, Step, StepInput } from '@gantry/contract/pipelines/definition'

/** A definition that is being edited. It may be invalid like any input; keys identify rows as they move. */
export interface DraftStep {
  key: string
  step: StepInput
}

export interface DraftStage {
  key: string
  name: string
  steps: readonly DraftStep[]
  /** What else the stage says: its jobs, its condition. */
  more: Omit<StageInput, 'name' | 'steps'>
}

export type Draft = readonly DraftStage[]

let last = 0
const newKey = (): string => `k${++last}`

export const draftOf = (stages: readonly StageInput[]): Draft =>
  stages.map(({ name, steps = [], ...more }) => ({
    key: newKey(),
    name,
    steps: steps.map((step) => ({ key: newKey(), step })),
    more,
  }))

export const stagesOfDraft = (draft: Draft): StageInput[] =>
  draft.map(({ name, steps, more }) => ({ name, ...more, steps: steps.map(({ step }) => step) }))

/** The jobs of a stage; a stage with jobs has no steps of its own. */
export const jobsOfStage = ({ more }: DraftStage): readonly JobInput[] => more.jobs ?? []

/** The name, or the name with the first number that makes it unique. */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted
  for (let n = 2; ; n += 1) {
    const name = `${wanted} ${n}`
    if (!taken.includes(name)) return name
  }
}

const stepNames = (draft: Draft): string[] => draft.flatMap((stage) => stage.steps.map(({ step }) => step.name))

export const addStage = (draft: Draft, name: string): Draft => [
  ...draft,
  {
    key: newKey(),
    name: freeName(
      name,
      draft.map((stage) => stage.name),
    ),
    steps: [],
    more: {},
  },
]

const swapped = <T>(list: readonly T[], at: number, by: 1 | -1): readonly T[] => {
  const one = list[at]
  const other = list[at + by]
  if (one === undefined || other === undefined) return list
  return list.map((each, i) => (i === at ? other : i === at + by ? one : each))
}

export const moveStage = (draft: Draft, at: number, by: 1 | -1): Draft => swapped(draft, at, by)
export const removeStage = (draft: Draft, at: number): Draft => draft.filter((_, i) => i !== at)

const changed = (draft: Draft, at: number, change: (stage: DraftStage) => DraftStage): Draft =>
  draft.map((stage, i) => (i === at ? change(stage) : stage))

export const renameStage = (draft: Draft, at: number, name: string): Draft =>
  changed(draft, at, (stage) => ({ ...stage, name }))

/** Adds a step at a stage's end, under a name of its own; answers its key too, so that it can be opened. */
export function addStep(draft: Draft, at: number, step: StepInput): { draft: Draft; key: string } {
  const key = newKey()
  const made = { ...step, name: freeName(step.name, stepNames(draft)) }
  return { key, draft: changed(draft, at, (stage) => ({ ...stage, steps: [...stage.steps, { key, step: made }] })) }
}

export const removeStep = (draft: Draft, at: number, row: number): Draft =>
  changed(draft, at, (stage) => ({ ...stage, steps: stage.steps.filter((_, i) => i !== row) }))

export const changeStep = (draft: Draft, at: number, row: number, step: StepInput): Draft =>
  changed(draft, at, (stage) => ({
    ...stage,
    steps: stage.steps.map((each, i) => (i === row ? { ...each, step } : each)),
  }))

/** Whether a step can go further that way: within its stage, or over its edge into the next one. */
export const canMoveStep = (draft: Draft, at: number, row: number, by: 1 | -1): boolean => {
  const steps = draft[at]?.steps ?? []
  return steps[row + by] !== undefined || draft[at + by] !== undefined
}

/** Moves a step by one place; from a stage's edge it goes to the near end of the neighbour. */
export function moveStep(draft: Draft, at: number, row: number, by: 1 | -1): Draft {
  const stage = draft[at]
  const step = stage?.steps[row]
  if (!stage || !step) return draft
  if (stage.steps[row + by]) return changed(draft, at, (one) => ({ ...one, steps: swapped(one.steps, row, by) }))
  if (!draft[at + by]) return draft
  return changed(removeStep(draft, at, row), at + by, (one) => ({
    ...one,
    steps: by === 1 ? [step, ...one.steps] : [...one.steps, step],
  }))
}

export type StepType = Step['type']
export const stepTypes: readonly StepType[] = ['checkout', 'script', 'report', 'artifact', 'image', 'deploy']

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
      // Registries count from 1: 0 is none yet.
      return { type, name, registryId: 0, repository: '', copy: [{ from: '**', to: '/app' }] }
    case 'deploy':
      return { type, name, stackUuid: '', service: '' }
  }
}
