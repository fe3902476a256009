import type { Change, StepPlace } from '@gantry/contract/batch-edits/changes'
import type { Definition, Job, Stage, Step } from '@gantry/contract/pipelines/definition'
import { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import { anyGlob } from '../triggers/globs.ts'

/** Why a document cannot be changed so: a phrase key, and the place in the document. */
export interface Issue {
  key: string
  path: string
}

export interface Edited {
  /** The whole changed document; undefined if it would be invalid. */
  document?: PipelineDocument
  issue?: Issue
  /** For each change, whether there is something in the document that it applies to. */
  matched: boolean[]
}

/**
 * Applies changes to a document with masked secrets, each to the result of the one before. A mask stands for the stored
 * secret, so that changes neither need nor reveal it.
 */
export function edit(document: PipelineDocument, changes: readonly Change[]): Edited {
  const draft = structuredClone(document)
  const room = { left: maxGrowth }
  const matched = changes.map((change) => applyOne(draft, change, room))
  if (room.left < 0) return { issue: { key: 'text-too-long', path: '' }, matched }
  // an unchanged document of an earlier release may violate a newer rule
  if (JSON.stringify(draft) === JSON.stringify(document)) return { document, matched }
  const parsed = PipelineDocument.safeParse(draft)
  if (parsed.success) return { document: parsed.data, matched }
  const [issue] = parsed.error.issues
  return { issue: { key: issue?.message ?? '', path: issue?.path.map(String).join('.') ?? '' }, matched }
}

/**
 * How many characters replacements may add to a document: far more than its rules allow in any text. Otherwise a few
 * replacements that contain the replaced text would fill the memory before the rules are checked.
 */
const maxGrowth = 1_000_000

/** What is left of the allowed growth; nothing is replaced once it is below zero. */
interface GrowthLimit {
  left: number
}

/** Changes the draft; returns whether there was something to apply the change to. */
function applyOne(draft: PipelineDocument, change: Change, room: GrowthLimit): boolean {
  switch (change.type) {
    case 'set':
      return setSetting(draft, change.field, change.value)
    case 'set-variable':
      return setNamed(draft.variables, change.variable, change.existing)
    case 'remove-variable':
      return removeNamed(draft.variables, change.name)
    case 'set-parameter':
      return setNamed(draft.parameters, change.parameter, change.existing)
    case 'remove-parameter':
      return removeNamed(draft.parameters, change.name)
    case 'add-labels':
      draft.agentLabels = [...new Set([...draft.agentLabels, ...change.labels])]
      return true
    case 'remove-labels': {
      const had = draft.agentLabels.length
      draft.agentLabels = draft.agentLabels.filter((label) => !change.labels.includes(label))
      return draft.agentLabels.length < had
    }
    case 'replace-text':
      return replaceText(draft, change, room)
    case 'set-stage':
      return some(stagesAt(draft.definition, change.where.stage), (stage) => setField(stage, change))
    case 'set-job':
      return some(jobsAt(draft.definition, change.where), (job) => setField(job, change))
    case 'set-step':
      return some(
        stepsAt(draft.definition, change.where).filter(({ type }) => type === change.step),
        (step) => setField(step, change),
      )
    case 'set-step-variable':
      return some(
        environmentsAt(draft.definition, change.where).filter(
          (environment) => !change.existing || environment.some(({ name }) => name === change.name),
        ),
        (environment) => setNamed(environment, { name: change.name, value: change.value }, false),
      )
    case 'remove-step-variable':
      return some(
        environmentsAt(draft.definition, change.where).filter((environment) => removeNamed(environment, change.name)),
        () => undefined,
      )
    case 'add-step':
      return addStep(draft.definition, change)
    case 'remove-step':
      return removeStep(draft.definition, change)
  }
}

function some<T>(found: readonly T[], work: (one: T) => unknown): boolean {
  found.forEach(work)
  return found.length > 0
}

function setSetting(draft: PipelineDocument, field: string, value: unknown): boolean {
  const [, ofRepository] = /^repository\.(.+)$/.exec(field) ?? []
  const holder: object | null = ofRepository === undefined ? draft : draft.repository
  if (holder === null) return false
  Object.assign(holder, { [ofRepository ?? field]: value })
  return true
}

function setField(part: object, { field, value }: { field: string; value: unknown }): void {
  if (value === null) Reflect.deleteProperty(part, field)
  else Object.assign(part, { [field]: structuredClone(value) })
}

function setNamed<T extends { name: string }>(list: T[], one: T, existing: boolean): boolean {
  const at = list.findIndex(({ name }) => name === one.name)
  if (at >= 0) list[at] = one
  else if (!existing) list.push(one)
  return at >= 0 || !existing
}

function removeNamed(list: { name: string }[], name: string): boolean {
  const at = list.findIndex((one) => one.name === name)
  if (at >= 0) list.splice(at, 1)
  return at >= 0
}

/** `*` stands for any characters, including slashes; an empty pattern matches every name. */
const matching = (pattern: string): ((name: string) => boolean) =>
  anyGlob(pattern === '' ? [] : [pattern.replaceAll(/\*+/g, '**')])

function stagesAt({ stages }: Definition, pattern: string): Stage[] {
  const fits = matching(pattern)
  return stages.filter(({ name }) => fits(name))
}

function jobsAt(definition: Definition, where: Pick<StepPlace, 'stage' | 'job'>): Job[] {
  const fits = matching(where.job)
  return stagesAt(definition, where.stage).flatMap(({ jobs }) => jobs.filter(({ name }) => fits(name)))
}

/** Lists of steps: those of matching jobs and, if no job is named, of matching stages without jobs. */
const stepListsAt = (definition: Definition, where: Pick<StepPlace, 'stage' | 'job'>): { steps: Step[] }[] => [
  ...(where.job === '' ? stagesAt(definition, where.stage).filter(({ jobs }) => jobs.length === 0) : []),
  ...jobsAt(definition, where),
]

function stepsAt(definition: Definition, where: StepPlace): Step[] {
  const fits = matching(where.step)
  return stepListsAt(definition, where).flatMap(({ steps }) => steps.filter(({ name }) => fits(name)))
}

const environmentsAt = (definition: Definition, where: StepPlace) =>
  stepsAt(definition, where).flatMap((step) =>
    step.type === 'script' || step.type === 'image' ? [step.environment] : [],
  )

function addStep(definition: Definition, change: Extract<Change, { type: 'add-step' }>): boolean {
  const fits = matching(change.beside)
  let added = false
  for (const { steps } of stepListsAt(definition, change.where)) {
    const beside = steps.findIndex(({ name }) => fits(name))
    const at = { first: 0, last: steps.length, before: beside, after: beside < 0 ? -1 : beside + 1 }[change.at]
    if (at < 0) continue
    steps.splice(at, 0, structuredClone(change.step))
    added = true
  }
  return added
}

function removeStep(definition: Definition, change: Extract<Change, { type: 'remove-step' }>): boolean {
  const fits = matching(change.where.step)
  let removed = false
  for (const list of stepListsAt(definition, change.where)) {
    const kept = list.steps.filter((step) => !((change.step === 'any' || step.type === change.step) && fits(step.name)))
    removed ||= kept.length < list.steps.length
    list.steps = kept
  }
  return removed
}

function replaceText(
  draft: PipelineDocument,
  change: Extract<Change, { type: 'replace-text' }>,
  room: GrowthLimit,
): boolean {
  let found = false
  const replaced = (text: string): string => {
    if (!text.includes(change.find)) return text
    found = true
    if (room.left < 0) return text
    const between = text.split(change.find)
    room.left -= Math.max(0, (between.length - 1) * (change.replacement.length - change.find.length))
    return room.left < 0 ? text : between.join(change.replacement)
  }
  /** Replaces in every text of a value, but not in the names of fields. */
  const inside = (value: unknown): unknown => {
    if (typeof value === 'string') return replaced(value)
    if (Array.isArray(value)) return value.map(inside)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inside(inner)]))
  }
  switch (change.in) {
    case 'projectName':
    case 'description':
      draft[change.in] = replaced(draft[change.in])
      break
    case 'repository.url':
    case 'repository.branch': {
      const field = change.in === 'repository.url' ? 'url' : 'branch'
      if (draft.repository) draft.repository[field] = replaced(draft.repository[field])
      break
    }
    case 'scripts':
      for (const step of stepsAt(draft.definition, change.where))
        if (step.type === 'script') step.run = replaced(step.run)
      break
    case 'steps':
      for (const step of stepsAt(draft.definition, change.where)) {
        const { type: _, ...rest } = step
        Object.assign(step, inside(rest))
      }
  }
  return found
}
