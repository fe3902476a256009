import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { activeStatuses } from '../../../identity/sessions.ts'
import { memberRows } from '../../teams/public.read.ts'

/** The email addresses of active members of the team with these user names, as far as they have one. */
export async function addressesOf(db: Db, teamId: number, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom(memberRows.as('team_member'))
    .innerJoin('account', 'account.id', 'team_member.account_id')
    .select(['account.user_name as name', 'account.email'])
    .where('team_member.team_id', '=', teamId)
    .where('account.user_name', 'in', names)
    .where('account.status', 'in', activeStatuses)
    .where('account.email', '<>', '')
    .execute()
  return new Map(rows.map(({ name, email }) => [name, email]))
}

/** What an email says about the build that sends it, and the path of the build's page. */
export const mailedBuild = (db: Db, id: number) =>
  db
    .selectFrom('build')
    .innerJoin('pipeline', 'pipeline.id', 'build.pipeline_id')
    .innerJoin('team', 'team.id', 'build.team_id')
    .select(['pipeline.name as pipeline', 'build.number', 'team.name as team'])
    .select(
      sql<string>`'/teams/' || team.id || '/cd/pipeline_group_id/' || pipeline.group_id || '/pipeline_id/'
        || pipeline.id || '/history/' || build.number || '/info'`.as('path'),
    )
    .where('build.id', '=', id)
    .executeTakeFirstOrThrow()
