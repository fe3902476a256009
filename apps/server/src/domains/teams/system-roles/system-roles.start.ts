import type { Start } from '../../../http/server.ts'
import { allPermissions, type Permission } from '../../auth/public.ts'
import { keepBuiltIn } from './system-roles.store.ts'

/** Names on the wire, which the console translates. They select permissions by verb, so that new ones are covered. */
export const builtIn: Record<string, (permission: Permission) => boolean> = {
  'platform-auditor': ({ type }) => type === 'view',
  'platform-operator': ({ type }) => type === 'view' || type === 'operate' || type === 'execute',
}

export const start: Start = {
  order: 20,
  run: async ({ db }) => {
    const all = await allPermissions()
    for (const [name, carries] of Object.entries(builtIn))
      await keepBuiltIn(
        db,
        name,
        all.filter(carries).map((permission) => permission.name),
      )
  },
}
