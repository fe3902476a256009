import { rows } from '../../db/rows.ts'
import type { Db } from '../../db/tables.gen.ts'

export const memberRows = rows.selectFrom('team_member').select(['team_id', 'account_id', 'role_id', 'leader'])

export const teamRoleRows = rows.selectFrom('team_role').select(['id', 'team_id', 'name'])

export const systemRoleRows = rows.selectFrom('system_role').select(['id', 'name'])

export const systemRoleHolderRows = rows.selectFrom('account_system_role').select(['account_id', 'role_id'])

export const teamNames = async (db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> =>
  ids.length === 0
    ? new Map()
    : new Map(
        (await db.selectFrom('team').select(['id', 'name']).where('id', 'in', ids).execute()).map(({ id, name }) => [
          id,
          name,
        ]),
      )

/** The name of a team; empty if there is none. */
export const nameOfTeam = async (db: Db, id: number): Promise<string> => (await teamNames(db, [id])).get(id) ?? ''

/** Whether the team exists; it then cannot be deleted until the transaction ends. */
export const holdTeam = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('team').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()) !== undefined
