import { sql } from 'kysely'
import type { Role, RoleTemplate } from '@gantry/contract/teams/roles'
import type { Db } from '../../../db/tables.gen.ts'
import { byName } from '../../../db/list.ts'

const members = sql<number>`(select count(*) from team_member where team_member.role_id = team_role.id)`

const template = sql<RoleTemplate['name'] | null>`template`.as('template')

export const listRoles = (db: Db, teamId: number): Promise<Role[]> =>
  db
    .selectFrom('team_role')
    .select(['id', 'name', members.as('members'), template])
    .where('team_id', '=', teamId)
    .orderBy(byName('name'))
    .execute()

interface NewRole {
  team_id: number
  name: string
  permissions: string[]
  template: RoleTemplate['name'] | null
}

export const insertRole = (db: Db, role: NewRole): Promise<{ id: number }> =>
  db.insertInto('team_role').values(role).returning('id').executeTakeFirstOrThrow()

/** Returns the names of the inserted roles; existing roles of the same name stay as they are. */
export async function insertMissing(db: Db, roles: NewRole[]): Promise<string[]> {
  const made = await db
    .insertInto('team_role')
    .values(roles)
    .onConflict((c) => c.columns(['team_id', 'name']).doNothing())
    .returning('name')
    .execute()
  return made.map(({ name }) => name)
}

const oneRole = (db: Db, teamId: number, roleId: number) =>
  db
    .selectFrom('team_role')
    .select(['id', 'name', 'permissions', members.as('members')])
    .where('team_id', '=', teamId)
    .where('id', '=', roleId)

export const findRole = (db: Db, teamId: number, roleId: number) => oneRole(db, teamId, roleId).executeTakeFirst()

/** Like findRole, and locked until the transaction ends, so that nobody assigns or changes the role. */
export const lockRole = (db: Db, teamId: number, roleId: number) =>
  oneRole(db, teamId, roleId).forUpdate().executeTakeFirst()

export const deleteRole = (db: Db, roleId: number) =>
  db.deleteFrom('team_role').where('id', '=', roleId).executeTakeFirst()

/** Sets the permissions; the role no longer follows a template. */
export const setPermissions = (db: Db, roleId: number, permissions: string[]) =>
  db.updateTable('team_role').set({ permissions, template: null }).where('id', '=', roleId).executeTakeFirst()

/** Users who have the role, and users who view the team as this role. */
export async function concernedBy(db: Db, roleId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('team_member')
    .select('account_id as id')
    .where('role_id', '=', roleId)
    .union(db.selectFrom('session').select('account_id as id').where('view_as', '=', roleId))
    .execute()
  return rows.map(({ id }) => id)
}
