import { rolloutOf } from '@gantry/contract/stacks/demand'
import { JobRules } from '@gantry/contract/stacks/spec-run'
import { ServiceName, ServiceSpec } from '@gantry/contract/stacks/spec'
import { entriesOf } from '@gantry/contract/stacks/outward'
import { mask } from '@gantry/contract/validators'
import { type CompiledService, maxServices } from '@gantry/tosca/compile'
import { flatIssue, phraseOf } from '@gantry/tosca/problems'
import { type Cell, readCells } from './cells.ts'
import { readCompose } from './compose.ts'
import type { Draft } from './fields.ts'
import { readKubernetes } from './kubernetes.ts'
import type { Reporter, Diagnostic } from './telling.ts'

export type Format = 'kubernetes' | 'compose'

/** The result of parsing a text. */
export interface Read {
  format: Format | null
  /** Valid services. */
  services: CompiledService[]
  /** All services of the text, valid or not, and where each begins. */
  names: { name: string; line: number; column: number }[]
  /** Problems that prevent the import of the text, or of one service. */
  wrong: Diagnostic[]
  /** What has no equivalent, and what was added. */
  notes: Diagnostic[]
}

function formatOf(cells: readonly Cell[]): Format | undefined {
  const has = (cell: Cell, key: string) => cell.is === 'map' && cell.entries.has(key)
  if (cells.some((cell) => has(cell, 'apiVersion') || has(cell, 'kind'))) return 'kubernetes'
  return cells.length === 1 && cells[0] && has(cells[0], 'services') ? 'compose' : undefined
}

/** Position of a document's field: that of the longest prefix of its path that has one. */
function placeOf({ places, at }: Draft, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const place = places.get(path.slice(0, length).join('.'))
    if (place !== undefined) return place
  }
  return at
}

/** Empties masked values: they are unknown and must be entered again. */
const unmasked = (value: unknown): unknown => {
  if (value === mask) return ''
  if (Array.isArray(value)) return value.map(unmasked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, unmasked(one)]))
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Drops fields with default values: Kubernetes objects spell them out, documents omit them. */
function lean({ rollout, job, ...rest }: ServiceSpec): ServiceSpec {
  return {
    ...rest,
    ...(rollout && !isSame(rollout, rolloutOf(rest)) ? { rollout } : {}),
    ...(job && !isSame(job, JobRules.parse({})) ? { job } : {}),
  }
}

/** Validates a service's document, and reports each issue at its position in the text. */
function specOf(draft: Draft, tell: Reporter): ServiceSpec | undefined {
  const { name, document } = draft
  const named = ServiceName.safeParse(name)
  const key = named.error?.issues[0]?.message
  if (key !== undefined) tell.wrong(draft.at, 'imports-service-name', { name: name.slice(0, 60) }, { key, vars: {} })
  const result = ServiceSpec.safeParse(unmasked(document))
  if (result.success) return named.success ? lean(result.data) : undefined
  for (const issue of result.error.issues.map(flatIssue)) {
    const missing =
      issue.path.reduce<unknown>(
        (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
        document,
      ) === undefined
    const [key, vars] = phraseOf(issue, missing)
    tell.wrong(placeOf(draft, issue.path), 'imports-property', { where: issue.path.join('.') }, { key, vars })
  }
  return undefined
}

/** Reports requirements that name no service of the text, and circles of requirements. */
function lookAmong(drafts: readonly Draft[], tell: Reporter): void {
  const known = new Set(drafts.map(({ name }) => name))
  for (const { name, requires } of drafts)
    for (const one of requires)
      if (!known.has(one.name))
        tell.of(name).wrong(one.at, 'imports-requires-nothing', { name, target: one.name.slice(0, 60) })
  const waits = new Map(drafts.map((one) => [one.name, one.requires]))
  const done = new Set<string>()
  for (const { name } of drafts) {
    // without recursion, because a chain may be as long as the text
    const way = done.has(name) ? [] : [{ name, next: 0 }]
    for (let step = way.at(-1); step; step = way.at(-1)) {
      const requirement = waits.get(step.name)?.[step.next]
      step.next += 1
      if (!requirement) {
        way.pop()
        done.add(step.name)
      } else if (way.some((one) => one.name === requirement.name)) {
        const circle = [...way.map((one) => one.name), requirement.name]
        tell.of(step.name).wrong(requirement.at, 'imports-requires-circle', {
          circle: circle.slice(circle.indexOf(requirement.name)).join(' → ').slice(0, 300),
        })
      } else if (waits.has(requirement.name) && !done.has(requirement.name))
        way.push({ name: requirement.name, next: 0 })
    }
  }
}

/** Notes targets of ingresses and load balancers that are no services of the text. */
function lookAtTargets(services: readonly CompiledService[], drafts: readonly Draft[], tell: Reporter): void {
  const known = new Set(drafts.map(({ name }) => name))
  const at = new Map(drafts.map((draft) => [draft.name, draft.at]))
  for (const { name, spec } of services)
    for (const { targets } of entriesOf(spec.outward))
      for (const { service } of targets)
        if (!known.has(service)) tell.of(name).note(at.get(name) ?? 0, 'imports-target', { name: service.slice(0, 60) })
}

/** At most this many problems, and as many notes, are returned. */
const maxProblems = 500

/** Reads Kubernetes objects or a Compose file as services of a stack. */
export function readText(text: string): Read {
  const { cells, tell } = readCells(text)
  const format = formatOf(cells)
  const answer = (drafts: readonly Draft[], services: CompiledService[]): Read => {
    const sorted = (list: readonly Diagnostic[]) =>
      list.toSorted((a, b) => a.line - b.line || a.column - b.column).slice(0, maxProblems)
    return {
      format: format ?? null,
      services,
      names: drafts.map(({ name, at }) => ({ name, ...tell.place(at) })),
      wrong: sorted(tell.found.wrong),
      notes: sorted(tell.found.notes),
    }
  }
  if (tell.hasWrong()) return answer([], [])
  const [first] = cells
  if (!first || !format) {
    tell.wrong(0, first ? 'imports-neither' : 'imports-nothing')
    return answer([], [])
  }
  const drafts = format === 'kubernetes' ? readKubernetes(cells, tell) : readCompose(first, tell)
  if (drafts.length === 0) tell.wrong(0, 'imports-no-services')
  if (drafts.length > maxServices) tell.wrong(drafts[maxServices]?.at ?? 0, 'imports-too-many', { most: maxServices })
  lookAmong(drafts, tell)
  const services = drafts.slice(0, maxServices).flatMap((draft) => {
    const spec = specOf(draft, tell.of(draft.name))
    return spec ? [{ name: draft.name, spec, requires: draft.requires.map(({ name }) => name) }] : []
  })
  lookAtTargets(services, drafts, tell)
  return answer(drafts, services)
}
