import { dirname } from 'node:path'
import type { PermissionEntry, PermissionModule, PermissionType } from '@gantry/contract/auth/session'
import { requiredPermissions, callOf, type Endpoint } from '@gantry/contract/endpoint'
import { systemPrefix } from '../../../identity/access.ts'
import { findEndpoints, type Found } from '../../../kernel/find.ts'
import { isPhrase, say } from '../../../kernel/phrase.ts'
import type { Lang } from '../../../kernel/context.ts'

/** A permission exists because a call requires it. Its key ends with what it allows: `team_role_create`. */
const types = ['view', 'create', 'edit', 'operate', 'delete', 'execute'] as const satisfies PermissionType[]

export interface Permission {
  name: string
  type: PermissionType
  /** The domain that it belongs to. */
  module: string
  /** Whether roles of teams may contain it, or only system roles. */
  of: PermissionModule['type']
  calls: string[]
}

function typeOf(key: string): PermissionType {
  const verb = key.slice(key.lastIndexOf('_') + 1)
  const type = types.find((known) => known === verb)
  if (!type) throw new Error(`the permission ${key} does not end with one of ${types.join(', ')}`)
  return type
}

/**
 * The domain of a permission, of those that require it: the one named like its object, or like its area, or the only
 * one. `stack_service_view` belongs to `stacks`, whichever domains require it.
 */
export function moduleOf(key: string, askers: ReadonlySet<string>): string {
  const [area = '', thing = ''] = key.split('_')
  const home = [thing, `${thing}s`, area, `${area}s`].find((name) => askers.has(name))
  const [only] = askers
  if (home !== undefined) return home
  if (only === undefined || askers.size > 1)
    throw new Error(`the permission ${key} has no home: ${[...askers].join(', ')} ask for it`)
  return only
}

/** The catalogue of these calls, in the order of the keys. */
export function catalogueOf(endpoints: readonly Found<Endpoint>[]): Permission[] {
  const found = new Map<string, { askers: Set<string>; calls: string[] }>()
  for (const { file, value } of endpoints) {
    for (const key of requiredPermissions(value)) {
      const one = found.get(key) ?? { askers: new Set(), calls: [] }
      one.askers.add(dirname(file))
      one.calls.push(callOf(value))
      found.set(key, one)
    }
  }
  return [...found]
    .map(([name, { askers, calls }]) => ({
      name,
      type: typeOf(name),
      module: moduleOf(name, askers),
      of: name.startsWith(systemPrefix) ? ('system' as const) : ('team' as const),
      calls: calls.sort(),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

let collected: Promise<Permission[]> | undefined

export const allPermissions = (): Promise<Permission[]> => (collected ??= findEndpoints().then(catalogueOf))

/** The permissions that a role of a team may contain; with `system`, those of system roles. */
export async function permissionKeys({ system = false } = {}): Promise<Set<string>> {
  return new Set((await allPermissions()).filter(({ of }) => system || of === 'team').map(({ name }) => name))
}

/**
 * The permissions that a role of a team may contain, each with whether it is held; with `system`, also those of system
 * roles.
 */
export const entries = async (isHeld: (key: string) => boolean, { system = false } = {}): Promise<PermissionEntry[]> =>
  [...(await permissionKeys({ system }))].map((name) => ({ name, enable: isHeld(name) }))

const detailOf = (lang: Lang, name: string): string => {
  const key = `permission.${name}`
  return isPhrase(key) ? say(lang, key) : name
}

/** The catalogue by module, with whether each permission is held. */
export async function modules(lang: Lang, isHeld: (permission: Permission) => boolean): Promise<PermissionModule[]> {
  const grouped = new Map<string, PermissionModule>()
  for (const permission of await allPermissions()) {
    const { module, of, name, type, calls } = permission
    const group = grouped.get(`${module} ${of}`) ?? { module, type: of, enable: true, permissions: [] }
    const enable = isHeld(permission)
    group.enable &&= enable
    group.permissions.push({ name, type, enable, detail: detailOf(lang, name), calls })
    grouped.set(`${module} ${of}`, group)
  }
  return [...grouped].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}
