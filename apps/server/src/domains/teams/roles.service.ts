import type { PermissionEntry } from '@gantry/contract/auth/session'
import type { Role } from '@gantry/contract/teams/roles'
import { duplicates } from '@gantry/contract/validators'
import { topics } from '@gantry/contract/push/topics'
import { brokenConstraint } from '../../db/constraint.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { emit } from '../../kernel/events.ts'
import { Fault } from '../../kernel/fault.ts'
import { entries, permissionKeys } from '../auth/public.ts'
import { mustGrant } from './grants.ts'
import { deleteRole, findRole, insertRole, lockRole, setPermissions } from './roles.store.ts'

const changed = (ctx: Ctx, teamId: number) =>
  emit(ctx, { topic: topics.team(teamId), teamId, content: { changed: 'roles' } })

export const createRole = (ctx: Ctx, teamId: number, name: string): Promise<Role> =>
  inTx(ctx, async (ctx) => {
    note(ctx, { object: name })
    const { id } = await insertRole(ctx.db, teamId, name).catch(
      brokenConstraint('team_role_name', new Fault('conflict', 'role-name-taken', { name })),
    )
    await changed(ctx, teamId)
    return { id, name, members: 0 }
  })

export const removeRole = (ctx: Ctx, teamId: number, roleId: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const role = await lockRole(ctx.db, teamId, roleId)
    if (!role) throw new Fault('missing', 'role-missing')
    note(ctx, { object: role.name, before: role.permissions })
    if (role.members > 0) throw new Fault('conflict', 'role-in-use', { name: role.name, count: role.members })
    await deleteRole(ctx.db, roleId)
    await changed(ctx, teamId)
    return null
  })

export async function rolePermissions(ctx: Ctx, teamId: number, roleId: number): Promise<PermissionEntry[]> {
  const role = await findRole(ctx.db, teamId, roleId)
  if (!role) throw new Fault('missing', 'role-missing')
  return entries((key) => role.permissions.includes(key))
}

/**
 * Sets what the list names and leaves the rest. Only what is new is a grant: who lacks a permission may leave it with the
 * role or take it away, but not give it.
 */
export const changePermissions = (ctx: Ctx, teamId: number, roleId: number, wanted: PermissionEntry[]): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const doubled = duplicates(wanted.map(({ name }) => name))
    if (doubled.length > 0) throw new Fault('invalid', 'role-double-permissions', { keys: doubled.join(', ') })
    const known = await permissionKeys()
    const unknown = wanted.filter(({ name }) => !known.has(name)).map(({ name }) => name)
    if (unknown.length > 0) throw new Fault('invalid', 'role-unknown-permissions', { keys: unknown.join(', ') })
    const role = await lockRole(ctx.db, teamId, roleId)
    if (!role) throw new Fault('missing', 'role-missing')

    const permissions = new Set(role.permissions)
    for (const { name, enable } of wanted) {
      if (enable) permissions.add(name)
      else permissions.delete(name)
    }
    const after = [...permissions].sort()
    note(ctx, { object: role.name, before: role.permissions, after })
    await mustGrant(
      ctx,
      teamId,
      after.filter((permission) => !role.permissions.includes(permission)),
    )
    await setPermissions(ctx.db, roleId, after)
    await changed(ctx, teamId)
    return null
  })
