import { dirname } from 'node:path'
import type { PermissionEntry, PermissionModule } from '@gantry/contract/auth/session'
import { permissionOf } from '@gantry/contract/endpoint'
import { findEndpoints } from '../../kernel/find.ts'

/** A permission exists because an endpoint asks for it. Its key ends with what it lets one do: `team_role_create`. */
const types = ['view', 'create', 'edit', 'operate', 'delete', 'execute'] as const
type PermissionType = (typeof types)[number]

function typeOf(key: string): PermissionType {
  const verb = key.slice(key.lastIndexOf('_') + 1)
  const type = types.find((known) => known === verb)
  if (!type) throw new Error(`the permission ${key} does not end with one of ${types.join(', ')}`)
  return type
}

async function collect(): Promise<PermissionModule[]> {
  const modules = new Map<string, Set<string>>()
  const placed = new Set<string>()
  for (const { file, value } of await findEndpoints()) {
    const permission = permissionOf(value.access)
    if (permission === undefined || placed.has(permission)) continue
    placed.add(permission)
    const module = dirname(file)
    modules.set(module, (modules.get(module) ?? new Set()).add(permission))
  }
  return [...modules]
    .map(([module, keys]) => ({
      module,
      type: 'team' as const,
      enable: false,
      permissions: [...keys]
        .sort()
        .map((name) => ({ name, type: typeOf(name), enable: false, detail: name, calls: [] })),
    }))
    .sort((a, b) => (a.module < b.module ? -1 : 1))
}

let collected: Promise<PermissionModule[]> | undefined

/** Every permission there is, by the domain that asks for it; one that several ask for stands with the first. */
export const catalogue = (): Promise<PermissionModule[]> => (collected ??= collect())

export async function permissionKeys(): Promise<Set<string>> {
  return new Set((await catalogue()).flatMap(({ permissions }) => permissions.map(({ name }) => name)))
}

/** The whole catalogue, each with whether it is held. */
export const entries = async (held: (key: string) => boolean): Promise<PermissionEntry[]> =>
  [...(await permissionKeys())].map((name) => ({ name, enable: held(name) }))
