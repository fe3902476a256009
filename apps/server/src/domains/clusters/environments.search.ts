import { sql } from 'kysely'
import { bestFirst, carries, ofTeams, rank } from '../../db/search.ts'
import type { Source } from '../search/public.ts'

/** A cluster is found through a team that may use it, the current one before others; an administrator finds all. */
export const search: Source = {
  kind: 'cluster',
  needs: ['resource_cluster_view'],
  async find(db, wanted) {
    const { teams, current } = wanted
    const through = db
      .selectFrom('team')
      .select(['team.id', 'team.name'])
      .where(ofTeams('team.id', teams))
      .where(
        sql<boolean>`(environment.sandbox or exists (select from environment_team
          where environment_team.environment = environment.uuid and environment_team.team_id = team.id))`,
      )
      .orderBy(sql`team.id is distinct from ${current ?? null}::int`)
      .orderBy('team.id')
      .limit(1)
    const rows = await db
      .selectFrom('environment')
      .leftJoinLateral(through.as('through'), (join) => join.onTrue())
      .select(['environment.uuid', 'environment.name', 'environment.server'])
      .select(['through.id as teamId', 'through.name as teamName'])
      .select(rank(wanted.text, 'environment.name').as('rank'))
      .$if(teams !== undefined, (q) => q.where('through.id', 'is not', null))
      .where(carries(wanted.words, ['environment.name']))
      .orderBy(bestFirst(wanted, { name: 'environment.name' }))
      .limit(wanted.limit)
      .execute()
    return rows.map((row) => ({
      rank: row.rank,
      elsewhere: current === undefined || row.teamId !== current,
      hit: {
        kind: 'cluster',
        name: row.name,
        hint: '',
        team: row.teamId === null ? null : { id: row.teamId, name: row.teamName ?? '' },
        place: { uuid: row.uuid },
      },
    }))
  },
}
