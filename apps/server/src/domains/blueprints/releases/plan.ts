import type { ReleasePlan } from '@gantry/contract/blueprints/releases'
import { changedFields } from '@gantry/contract/documents'
import { type ServiceSpec, typeOf } from '@gantry/contract/stacks/spec'
import { startOrder } from '@gantry/tosca/circles'
import type { CompiledService } from '@gantry/tosca/compile'
import { isObject } from '../../../kernel/json.ts'

type Planned = ReleasePlan['made'][number]
type Difference = ReleasePlan['changed'][number]['fields'][number]

/** The position of each service in the start order, from 1. */
export function turnsOf(services: readonly CompiledService[]): Map<string, number> {
  const turns = new Map<string, number>()
  for (const { name, requires } of startOrder(services))
    turns.set(name, 1 + Math.max(0, ...requires.map((one) => turns.get(one) ?? 0)))
  return turns
}

export const plannedOf = ({ name, spec, requires }: CompiledService, turns: ReadonlyMap<string, number>): Planned => ({
  name,
  type: typeOf(spec),
  requires,
  turn: turns.get(name) ?? 1,
  image: spec.image,
  replicas: spec.replicas,
})

const longest = 300
const line = (value: unknown): string | null =>
  value === undefined ? null : (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, longest)

function differences(before: unknown, after: unknown, at: string): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (isObject(before) && isObject(after))
    return Object.keys({ ...before, ...after }).flatMap((key) => differences(before[key], after[key], `${at}.${key}`))
  return [{ field: at, before: line(before), after: line(after) }]
}

/** The differences between two specifications by field, secrets masked. `secret`: whether any secret differs. */
export const fieldsOf = (before: ServiceSpec, after: ServiceSpec, secret: boolean): Difference[] => [
  ...changedFields(before, after).flatMap((field) => differences(before[field], after[field], field)),
  ...(secret ? [{ field: 'secret', before: null, after: null }] : []),
]
