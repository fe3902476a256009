import { sql } from 'kysely'
import type { SystemRole } from '@gantry/contract/teams/roles'
import type { Db } from '../../../db/tables.gen.ts'
import { byName } from '../../../db/list.ts'
import { revisionOf } from '../../../db/revision.ts'

const users = sql<number>`(
  select count(*) from account_system_role where account_system_role.role_id = system_role.id)`

const systemRoles = (db: Db) =>
  db.selectFrom('system_role').select(['id', 'name', 'built_in as builtIn', 'permissions', users.as('users')])

/** Adds the role's revision, as in answers. */
export const withRevision = (role: Omit<SystemRole, 'revision'>): SystemRole => ({
  ...role,
  revision: revisionOf([role.name, role.permissions]),
})

/** Built-in roles first. */
export const listSystemRoles = async (db: Db): Promise<SystemRole[]> =>
  (await systemRoles(db).orderBy('built_in', 'desc').orderBy(byName('name')).execute()).map(withRevision)

/** Locked until the transaction ends, so that nobody assigns or changes the role. */
export async function lockSystemRole(db: Db, roleId: number): Promise<SystemRole | undefined> {
  const role = await systemRoles(db).where('id', '=', roleId).forUpdate().executeTakeFirst()
  return role && withRevision(role)
}

export const insertSystemRole = (db: Db, role: { name: string; permissions: string[] }): Promise<{ id: number }> =>
  db.insertInto('system_role').values(role).returning('id').executeTakeFirstOrThrow()

export const updateSystemRole = (db: Db, roleId: number, change: { name: string; permissions: string[] }) =>
  db.updateTable('system_role').set(change).where('id', '=', roleId).executeTakeFirst()

export const deleteSystemRole = (db: Db, roleId: number) =>
  db.deleteFrom('system_role').where('id', '=', roleId).executeTakeFirst()

export async function holdersOf(db: Db, roleId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('account_system_role')
    .select('account_id as id')
    .where('role_id', '=', roleId)
    .execute()
  return rows.map(({ id }) => id)
}

/** The account, locked until the transaction ends, and its roles. */
export const lockAccount = (db: Db, accountId: number) =>
  db
    .selectFrom('account')
    .select(['id', 'user_name as name'])
    .select(
      sql<{ id: number; name: string }[]>`coalesce((
        select json_agg(json_build_object('id', system_role.id, 'name', system_role.name) order by ${byName('system_role.name')})
        from account_system_role join system_role on system_role.id = account_system_role.role_id
        where account_system_role.account_id = account.id), '[]')`.as('roles'),
    )
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Those that exist, by name; locked, so that none of them is deleted meanwhile. */
export const lockSystemRoles = (db: Db, roleIds: number[]) =>
  db
    .selectFrom('system_role')
    .select(['id', 'name'])
    .where(sql<boolean>`id = any(${roleIds})`)
    .orderBy(byName('name'))
    .forKeyShare()
    .execute()

/** Removes roles that are not listed, adds new ones and leaves the rest: a kept role keeps its sockets open. */
export async function setSystemRoles(db: Db, accountId: number, roleIds: number[]): Promise<void> {
  await db
    .deleteFrom('account_system_role')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`role_id <> all(${roleIds})`)
    .execute()
  if (roleIds.length === 0) return
  await db
    .insertInto('account_system_role')
    .values(roleIds.map((role_id) => ({ account_id: accountId, role_id })))
    .onConflict((c) => c.doNothing())
    .execute()
}

/** Creates a built-in role at the first start, and sets its permissions at each to those of this version. */
export const keepBuiltIn = (db: Db, name: string, permissions: string[]) =>
  db
    .insertInto('system_role')
    .values({ name, permissions, built_in: true })
    .onConflict((c) =>
      c
        .column('name')
        .doUpdateSet({ permissions, built_in: true })
        .where(sql<boolean>`system_role.permissions is distinct from ${permissions} or not system_role.built_in`),
    )
    .execute()
