import { bestFirst, carries, elsewhere, ofTeams, rank } from '../../db/search.ts'
import type { Source } from '../search/public.ts'

export const search: Source = {
  kind: 'pipeline-group',
  // its page is the list of its pipelines
  needs: ['pipeline_group_view', 'pipeline_pipeline_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('pipeline_group')
      .innerJoin('team', 'team.id', 'pipeline_group.team_id')
      .select(['pipeline_group.id', 'pipeline_group.name', 'team.id as teamId', 'team.name as teamName'])
      .select([
        rank(wanted.text, 'pipeline_group.name').as('rank'),
        elsewhere('pipeline_group.team_id', wanted.current).as('elsewhere'),
      ])
      .where(ofTeams('pipeline_group.team_id', wanted.teams))
      .where(carries(wanted.words, ['pipeline_group.name']))
      .orderBy(bestFirst(wanted, { name: 'pipeline_group.name', team: 'pipeline_group.team_id' }))
      .orderBy('pipeline_group.id')
      .limit(wanted.limit)
      .execute()
    return rows.map((row) => ({
      rank: row.rank,
      elsewhere: row.elsewhere,
      hit: {
        kind: 'pipeline-group',
        name: row.name,
        hint: '',
        team: { id: row.teamId, name: row.teamName },
        place: { id: row.id },
      },
    }))
  },
}
