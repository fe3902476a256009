import { sql } from 'kysely'
import { byName } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'

export const insertTeam = (
  db: Db,
  team: { name: string; description: string; creator_id: number | null; updated_by: string },
): Promise<{ id: number }> => db.insertInto('team').values(team).returning('id').executeTakeFirstOrThrow()

export const updateTeam = (db: Db, teamId: number, change: { name: string; description: string; updated_by: string }) =>
  db
    .updateTable('team')
    .set({ ...change, updated_at: sql`now()` })
    .where('id', '=', teamId)
    .executeTakeFirst()

export const deleteTeam = (db: Db, teamId: number) => db.deleteFrom('team').where('id', '=', teamId).executeTakeFirst()

export const findTeamName = (db: Db, teamId: number) =>
  db.selectFrom('team').select('name').where('id', '=', teamId).executeTakeFirst()

/**
 * Locks the team until the transaction ends. Every change of leaders locks it first, so that two concurrent ones never
 * both rely on the other's leader.
 */
export const lockTeam = (db: Db, teamId: number) =>
  db.selectFrom('team').select(['id', 'name']).where('id', '=', teamId).forNoKeyUpdate().executeTakeFirst()

export const findMember = (db: Db, teamId: number, userId: number) =>
  db
    .selectFrom('team_member')
    .select(['leader', 'role_id as roleId'])
    .where('team_id', '=', teamId)
    .where('account_id', '=', userId)
    .executeTakeFirst()

export const membersOf = async (db: Db, teamId: number): Promise<number[]> => {
  const rows = await db.selectFrom('team_member').select('account_id').where('team_id', '=', teamId).execute()
  return rows.map((row) => row.account_id)
}

export async function countLeaders(db: Db, teamId: number): Promise<number> {
  const { leaders } = await db
    .selectFrom('team_member')
    .select((eb) => eb.fn.countAll<number>().as('leaders'))
    .where('team_id', '=', teamId)
    .where('leader', '=', true)
    .executeTakeFirstOrThrow()
  return leaders
}

/** Returns the ids of the new members, without those who already were members. */
export const insertMembers = async (
  db: Db,
  teamId: number,
  userIds: number[],
  as: { leader: boolean; role_id: number | null } = { leader: false, role_id: null },
): Promise<number[]> => {
  const added = await db
    .insertInto('team_member')
    .values(userIds.map((account_id) => ({ team_id: teamId, account_id, ...as })))
    .onConflict((c) => c.columns(['team_id', 'account_id']).doNothing())
    .returning('account_id')
    .execute()
  return added.map((row) => row.account_id)
}

export const deleteMember = (db: Db, teamId: number, userId: number) =>
  db.deleteFrom('team_member').where('team_id', '=', teamId).where('account_id', '=', userId).executeTakeFirst()

export const setMember = (
  db: Db,
  teamId: number,
  userId: number,
  change: { leader: boolean; role_id: number | null },
) =>
  db
    .updateTable('team_member')
    .set(change)
    .where('team_id', '=', teamId)
    .where('account_id', '=', userId)
    .executeTakeFirst()

/** Memberships that a directory or provider granted. */
export const mappedMemberships = (db: Db, accountId: number, source: string) =>
  db
    .selectFrom('team_member')
    .select(['team_id as teamId', 'leader', 'role_id as roleId'])
    .where('account_id', '=', accountId)
    .where('granted_by', '=', source)
    .execute()

/** Leaves a membership made by hand unchanged. */
export const grantMember = (
  db: Db,
  member: { team_id: number; account_id: number; leader: boolean; role_id: number | null; granted_by: string },
) =>
  db
    .insertInto('team_member')
    .values(member)
    .onConflict((c) =>
      c
        .columns(['team_id', 'account_id'])
        .doUpdateSet({ leader: member.leader, role_id: member.role_id })
        .where('team_member.granted_by', '=', member.granted_by),
    )
    .execute()

/** The teams that any of the users is in, locked in the order of their ids until the transaction ends. */
export const lockTeamsOf = (db: Db, userIds: number[]) =>
  db
    .selectFrom('team')
    .select('id')
    .where('id', 'in', (eb) => eb.selectFrom('team_member').select('team_id').where('account_id', 'in', userIds))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Names of the teams whose leaders are all among these users. */
export const teamsLedAlone = async (db: Db, userIds: number[]): Promise<string[]> => {
  const teams = await db
    .selectFrom('team')
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .select('team.name')
    .where('team_member.leader', '=', true)
    .groupBy(['team.id', 'team.name'])
    .having((eb) => eb.fn.agg<boolean>('bool_and', [eb('team_member.account_id', 'in', userIds)]), '=', true)
    .orderBy(byName('team.name'))
    .limit(20)
    .execute()
  return teams.map((team) => team.name)
}

export const deleteMemberships = (db: Db, userIds: number[]) =>
  db.deleteFrom('team_member').where('account_id', 'in', userIds).execute()
