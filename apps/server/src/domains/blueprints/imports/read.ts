import { rolloutOf } from '@gantry/contract/stacks/demand'
import { JobRules } from '@gantry/contract/stacks/spec-run'
import { ServiceName, ServiceSpec } from '@gantry/contract/stacks/spec'
import { entriesOf } from '@gantry/contract/stacks/outward'
import { mask } from '@gantry/contract/validators'
import { type CompiledService, mostServices } from '@gantry/tosca/compile'
import { flatIssue, phraseOf } from '@gantry/tosca/problems'
import { type Cell, readCells } from './cells.ts'
import { readCompose } from './compose.ts'
import type { Draft } from './fields.ts'
import { readKubernetes } from './kubernetes.ts'
import type { Telling, Told } from './telling.ts'

export type Format = 'kubernetes' | 'compose'

/** A text as it is imported. */
export interface Read {
  format: Format | null
  /** The services that are right by themselves. */
  services: CompiledService[]
  /** All that the text has, also those that are not, and where each begins. */
  names: { name: string; line: number; column: number }[]
  /** What keeps the text, or a service of it, from being imported. */
  wrong: Told[]
  /** What has no place, and what was added. */
  notes: Told[]
}

function formatOf(cells: readonly Cell[]): Format | undefined {
  const has = (cell: Cell, key: string) => cell.is === 'map' && cell.entries.has(key)
  if (cells.some((cell) => has(cell, 'apiVersion') || has(cell, 'kind'))) return 'kubernetes'
  return cells.length === 1 && cells[0] && has(cells[0], 'services') ? 'compose' : undefined
}

/** Where the field of a document comes from: the innermost part of its path that has a place. */
function placeOf({ places, at }: Draft, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const place = places.get(path.slice(0, length).join('.'))
    if (place !== undefined) return place
  }
  return at
}

/** What is masked is not known: it is given anew. */
const unmasked = (value: unknown): unknown => {
  if (value === mask) return ''
  if (Array.isArray(value)) return value.map(unmasked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, unmasked(one)]))
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Without what holds anyway: an object says it, a document need not. */
function lean({ rollout, job, ...rest }: ServiceSpec): ServiceSpec {
  return {
    ...rest,
    ...(rollout && !isSame(rollout, rolloutOf(rest)) ? { rollout } : {}),
    ...(job && !isSame(job, JobRules.parse({})) ? { job } : {}),
  }
}

/** Checks a service's document by the one schema, and tells each issue where it comes from. */
function specOf(draft: Draft, tell: Telling): ServiceSpec | undefined {
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

/** Services that are started before a service, and others that it is placed by. */
function lookAmong(drafts: readonly Draft[], tell: Telling): void {
  const known = new Set(drafts.map(({ name }) => name))
  for (const { name, requires } of drafts)
    for (const one of requires)
      if (!known.has(one.name))
        tell.of(name).wrong(one.at, 'imports-requires-nothing', { name, target: one.name.slice(0, 60) })
  const waits = new Map(drafts.map((one) => [one.name, one.requires]))
  const done = new Set<string>()
  for (const { name } of drafts) {
    // without recursion: a chain may be as long as the text
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

/** Names that the services of a text must not share, and services that it does not have. */
function lookAtTargets(services: readonly CompiledService[], drafts: readonly Draft[], tell: Telling): void {
  const known = new Set(drafts.map(({ name }) => name))
  const at = new Map(drafts.map((draft) => [draft.name, draft.at]))
  for (const { name, spec } of services)
    for (const { targets } of entriesOf(spec.outward))
      for (const { service } of targets)
        if (!known.has(service)) tell.of(name).note(at.get(name) ?? 0, 'imports-target', { name: service.slice(0, 60) })
}

/** What is told of everything at most; the rest is seen once this is mended. */
const mostTold = 500

/** Reads Kubernetes objects or a Compose file as services of a stack. */
export function readText(text: string): Read {
  const { cells, tell } = readCells(text)
  const format = formatOf(cells)
  const answer = (drafts: readonly Draft[], services: CompiledService[]): Read => {
    const sorted = (list: readonly Told[]) =>
      list.toSorted((a, b) => a.line - b.line || a.column - b.column).slice(0, mostTold)
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
  if (drafts.length > mostServices)
    tell.wrong(drafts[mostServices]?.at ?? 0, 'imports-too-many', { most: mostServices })
  lookAmong(drafts, tell)
  const services = drafts.slice(0, mostServices).flatMap((draft) => {
    const spec = specOf(draft, tell.of(draft.name))
    return spec ? [{ name: draft.name, spec, requires: draft.requires.map(({ name }) => name) }] : []
  })
  lookAtTargets(services, drafts, tell)
  return answer(drafts, services)
}
