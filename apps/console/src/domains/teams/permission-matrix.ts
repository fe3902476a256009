import type { PermissionModule } from '@gantry/contract/auth/session'

export const verbs = ['view', 'create', 'edit', 'operate', 'execute', 'delete'] as const
export type Verb = (typeof verbs)[number]

export interface Thing {
  /** `stack_service`. */
  key: string
  /** The permissions of this thing, by what they allow. */
  keys: Partial<Record<Verb, string>>
}

export interface Area {
  /** `stack`: what a permission's name begins with. */
  key: string
  things: readonly Thing[]
}

/** The catalogue as tables: an area each, a line for each of its things, a column for each verb. */
export function matrixOf(modules: readonly PermissionModule[]): Area[] {
  const areas = new Map<string, Map<string, Partial<Record<Verb, string>>>>()
  for (const { name, type } of modules.flatMap(({ permissions }) => permissions)) {
    const [area = name] = name.split('_')
    const thing = name.slice(0, name.lastIndexOf('_'))
    const things = areas.get(area) ?? new Map<string, Partial<Record<Verb, string>>>()
    areas.set(area, things.set(thing, { ...things.get(thing), [type]: name }))
  }
  return [...areas]
    .map(([key, things]) => ({ key, things: [...things].map(([thing, keys]) => ({ key: thing, keys })) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

export const keysOf = (area: Area): string[] => area.things.flatMap(({ keys }) => Object.values(keys))
