import type { PermissionModule, PermissionType } from '@gantry/contract/auth/session'

export const verbs = ['view', 'create', 'edit', 'operate', 'execute', 'delete'] as const satisfies PermissionType[]
export type Verb = (typeof verbs)[number]

export interface PermissionRow {
  /** The prefix of its permissions: `stack_service`. */
  key: string
  /** The permissions of this thing, by their verbs. */
  keys: Partial<Record<Verb, string>>
}

export interface Area {
  /** The prefix of its permissions: `stack`. */
  key: string
  things: readonly PermissionRow[]
}

/** The catalogue as a table: a part for each area, a row for each of its things, a column for each verb. */
export function matrixOf(modules: readonly PermissionModule[]): Area[] {
  const areas = new Map<string, Map<string, Partial<Record<Verb, string>>>>()
  for (const { name, type } of modules.flatMap(({ permissions }) => permissions)) {
    const [area = name] = name.split('_')
    const thing = name.slice(0, name.lastIndexOf('_'))
    const things = areas.get(area) ?? new Map<string, Partial<Record<Verb, string>>>()
    areas.set(area, things.set(thing, { ...things.get(thing), [type]: name }))
  }
  return [...areas]
    .map(([key, things]) => ({
      key,
      things: [...things].map(([thing, keys]) => ({ key: thing, keys })).toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

export const keysOf = (area: Area): string[] => area.things.flatMap(({ keys }) => Object.values(keys))

/** The rows whose texts contain every typed word; areas without a row are omitted. */
export function matching(
  areas: readonly Area[],
  typed: string,
  textsOf: (area: Area, thing: PermissionRow) => string,
): Area[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...areas]
  return areas
    .map((area) => ({
      ...area,
      things: area.things.filter((thing) => {
        const text = textsOf(area, thing).toLowerCase()
        return words.every((word) => text.includes(word))
      }),
    }))
    .filter(({ things }) => things.length > 0)
}

export interface Difference {
  added: string[]
  removed: string[]
}

export const differenceOf = (first: ReadonlySet<string>, chosen: ReadonlySet<string>): Difference => ({
  added: [...chosen].filter((key) => !first.has(key)).toSorted(),
  removed: [...first].filter((key) => !chosen.has(key)).toSorted(),
})

/** Whether all, some or none of these are selected. */
export function shareOf(keys: readonly string[], chosen: ReadonlySet<string>): 'all' | 'some' | 'none' {
  const count = keys.filter((key) => chosen.has(key)).length
  return count === 0 ? 'none' : count === keys.length ? 'all' : 'some'
}
