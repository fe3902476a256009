import { isDeepStrictEqual } from 'node:util'
import type { PermissionEntry } from '@gantry/contract/auth/session'
import { firstRoles, type Role, type RoleTemplate } from '@gantry/contract/teams/roles'
import { teamTopic } from '@gantry/contract/teams/topics'
import { brokenConstraint } from '../../../db/constraint.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { entries, permissionKeys } from '../../auth/public.ts'
import { mustGrant } from '../members/grants.ts'
import { refuseUnknown, publishRights } from './rights.ts'
import {
  concernedBy,
  deleteRole,
  findRole,
  insertMissing,
  insertRole,
  listRoles,
  lockRole,
  setPermissions,
} from './roles.store.ts'
import { firstRolesOf, templates } from './templates.ts'

const changed = (ctx: Ctx, teamId: number) => publish(ctx, teamTopic, { teamId }, { changed: 'roles' })

interface NewRole {
  roleName: string
  /** Id of a role of the team to copy. */
  from?: number | undefined
  template?: RoleTemplate['name'] | undefined
}

/** The permissions that a new role starts with. Permissions that no longer exist are not copied. */
async function beginning(ctx: Ctx, teamId: number, { from, template }: NewRole): Promise<string[]> {
  if (from !== undefined && template !== undefined) throw new Fault('invalid', 'role-two-origins')
  if (template !== undefined) return (await templates()).find(({ name }) => name === template)?.permissions ?? []
  if (from === undefined) return []
  const role = await findRole(ctx.db, teamId, from)
  if (!role) throw new Fault('missing', 'role-missing')
  const known = await permissionKeys()
  return role.permissions.filter((key) => known.has(key))
}

export const createRole = (ctx: Ctx, teamId: number, wanted: NewRole): Promise<Role> =>
  inTx(ctx, async (ctx) => {
    const name = wanted.roleName
    note(ctx, { object: name })
    const permissions = await beginning(ctx, teamId, wanted)
    note(ctx, { after: permissions })
    await mustGrant(ctx, teamId, permissions)
    const template = wanted.template ?? null
    const { id } = await insertRole(ctx.db, { team_id: teamId, name, permissions, template }).catch(
      brokenConstraint('team_role_name', new Fault('conflict', 'role-name-taken', { name })),
    )
    await changed(ctx, teamId)
    return { id, name, members: 0, template }
  })

/** Adds the initial roles that the team lacks. */
export const addFirstRoles = (ctx: Ctx, teamId: number): Promise<Role[]> =>
  inTx(ctx, async (ctx) => {
    const names = await insertMissing(ctx.db, await firstRolesOf(teamId))
    note(ctx, { object: firstRoles.join(', '), after: names })
    for (const { name, permissions } of await templates())
      if (names.includes(name)) await mustGrant(ctx, teamId, permissions)
    await changed(ctx, teamId)
    return listRoles(ctx.db, teamId)
  })

export const removeRole = (ctx: Ctx, teamId: number, roleId: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const role = await lockRole(ctx.db, teamId, roleId)
    if (!role) throw new Fault('missing', 'role-missing')
    note(ctx, { object: role.name, before: role.permissions })
    if (role.members > 0) throw new Fault('conflict', 'role-in-use', { name: role.name, count: role.members })
    const looking = await concernedBy(ctx.db, roleId)
    await deleteRole(ctx.db, roleId)
    await changed(ctx, teamId)
    await publishRights(ctx, looking)
    return null
  })

export async function rolePermissions(ctx: Ctx, teamId: number, roleId: number): Promise<PermissionEntry[]> {
  const role = await findRole(ctx.db, teamId, roleId)
  if (!role) throw new Fault('missing', 'role-missing')
  return entries((key) => role.permissions.includes(key))
}

/**
 * Sets the permissions in the list and leaves the others. Only added ones are grants: a user who lacks a permission may
 * leave it in the role or remove it, but not add it.
 */
export const changePermissions = (ctx: Ctx, teamId: number, roleId: number, wanted: PermissionEntry[]): Promise<null> =>
  inTx(ctx, async (ctx) => {
    await refuseUnknown(wanted.map(({ name }) => name))
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
    if (!isDeepStrictEqual(after, role.permissions.toSorted())) await setPermissions(ctx.db, roleId, after)
    await changed(ctx, teamId)
    await publishRights(ctx, await concernedBy(ctx.db, roleId))
    return null
  })
