import type { SystemRole } from '@gantry/contract/teams/roles'
import { setRevision } from '@gantry/contract/revision'
import { duplicates } from '@gantry/contract/validators'
import { brokenConstraint } from '../../../db/constraint.ts'
import { mustBeMadeOn } from '../../../db/revision.ts'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { refuseUnknown, publishRights } from '../roles/rights.ts'
import {
  deleteSystemRole,
  holdersOf,
  insertSystemRole,
  lockAccount,
  lockSystemRole,
  lockSystemRoles,
  setSystemRoles,
  updateSystemRole,
  withRevision,
} from './system-roles.store.ts'

interface Fields {
  name: string
  permissions: string[]
}

const nameTaken = ({ name }: Fields) =>
  brokenConstraint('system_role_name', new Fault('conflict', 'system-role-name-taken', { name }))

const sorted = ({ name, permissions }: Fields): Fields => ({ name, permissions: permissions.toSorted() })

/** Locks a role created by an administrator; built-in roles cannot be changed. */
async function lockOwn(ctx: Ctx, roleId: number): Promise<SystemRole> {
  const role = await lockSystemRole(ctx.db, roleId)
  if (!role) throw new Fault('missing', 'system-role-missing')
  note(ctx, { object: role.name })
  if (role.builtIn) throw new Fault('conflict', 'system-role-built-in', { name: role.name })
  return role
}

export const createSystemRole = (ctx: Ctx, given: Fields): Promise<SystemRole> =>
  inTx(ctx, async (ctx) => {
    const fields = sorted(given)
    note(ctx, { object: fields.name, after: fields })
    await refuseUnknown(fields.permissions, { system: true })
    const { id } = await insertSystemRole(ctx.db, fields).catch(nameTaken(fields))
    return withRevision({ id, ...fields, builtIn: false, users: 0 })
  })

export const changeSystemRole = (
  ctx: Ctx,
  roleId: number,
  { revision, ...given }: Fields & { revision?: string | undefined },
): Promise<SystemRole> =>
  inTx(ctx, async (ctx) => {
    const fields = sorted(given)
    const role = await lockOwn(ctx, roleId)
    mustBeMadeOn(role.revision, revision)
    note(ctx, { before: { name: role.name, permissions: role.permissions }, after: fields })
    await refuseUnknown(fields.permissions, { system: true })
    await updateSystemRole(ctx.db, roleId, fields).catch(nameTaken(fields))
    await publishRights(ctx, await holdersOf(ctx.db, roleId))
    return withRevision({ ...role, ...fields })
  })

export const removeSystemRole = (ctx: Ctx, roleId: number): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const role = await lockOwn(ctx, roleId)
    note(ctx, { before: { name: role.name, permissions: role.permissions } })
    if (role.users > 0) throw new Fault('conflict', 'system-role-in-use', { name: role.name, count: role.users })
    await deleteSystemRole(ctx.db, roleId)
    return null
  })

/** Assigns exactly these roles and withdraws others. `revision` is that of the roles that the caller read. */
export const assignSystemRoles = (ctx: Ctx, userId: number, roleIds: number[], revision?: string): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const doubled = duplicates(roleIds.map(String))
    if (doubled.length > 0) throw new Fault('invalid', 'system-roles-double', { ids: doubled.join(', ') })
    const account = mustExist(await lockAccount(ctx.db, userId))
    note(ctx, { object: account.name, before: account.roles.map(({ name }) => name) })
    mustBeMadeOn(setRevision(account.roles.map(({ id }) => id)), revision)
    const roles = await lockSystemRoles(ctx.db, roleIds)
    note(ctx, { after: roles.map(({ name }) => name) })
    if (roles.length < roleIds.length) throw new Fault('missing', 'system-role-missing')
    await setSystemRoles(ctx.db, userId, roleIds)
    await publishRights(ctx, [userId])
    return null
  })
