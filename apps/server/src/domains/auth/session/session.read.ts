import { sql } from 'kysely'
import type { Session } from '@gantry/contract/auth/session'
import { byName } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { unreadVersion } from '../../../identity/news.ts'
import { memberRows, systemRoleHolderRows, systemRoleRows, teamRoleRows } from '../../teams/public.read.ts'

/**
 * What the console knows about the signed-in user, except for the token. The first team is the one to start with.
 * `passwordExpired`: the session was opened with a password that is too old.
 */
export async function sessionOf(
  db: Db,
  accountId: number,
  { passwordExpired }: { passwordExpired: boolean },
): Promise<Omit<Session, 'token'>> {
  const account = await db
    .selectFrom('account')
    .select(['id', 'newly_built as newlyBuilt', 'user_name as userName', 'nickname', 'email', 'admin', 'type'])
    .select(['space_name as spaceName', 'default_team_id as defaultTeam'])
    .select(unreadVersion.as('news'))
    // a setting of another domain, which says whether it counts
    .select(
      sql<string | null>`(select value #>> '{license,expiredAt}' from setting where name = 'license')`.as(
        'licensedUntil',
      ),
    )
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const { defaultTeam, ...user } = account
  const teams = await db
    .selectFrom(memberRows.as('team_member'))
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .leftJoin(teamRoleRows.as('team_role'), 'team_role.id', 'team_member.role_id')
    .select(['team.id', 'team.name', 'team_member.leader as teamLeader'])
    .select((eb) => eb.fn.coalesce('team_role.name', sql<string>`''`).as('roleName'))
    .where('team_member.account_id', '=', accountId)
    .orderBy(sql`team.id is not distinct from ${defaultTeam}`, 'desc')
    .orderBy(byName('team.name'))
    .execute()
  const roles = await db
    .selectFrom(systemRoleHolderRows.as('account_system_role'))
    .innerJoin(systemRoleRows.as('system_role'), 'system_role.id', 'account_system_role.role_id')
    .select('system_role.name')
    .where('account_system_role.account_id', '=', accountId)
    .orderBy(byName('system_role.name'))
    .execute()
  const newlyBuilt = user.newlyBuilt || passwordExpired
  return {
    ...user,
    newlyBuilt,
    passwordExpired: passwordExpired && !user.newlyBuilt,
    teams,
    systemRoles: roles.map((role) => role.name),
    viewAs: null,
    news: newlyBuilt ? '' : user.news,
  }
}
