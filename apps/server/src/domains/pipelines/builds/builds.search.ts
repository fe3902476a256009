import { sql } from 'kysely'
import { bestFirst, carries, elsewhere, ofTeams, rank, type Source, toFound } from '../../../db/search.ts'

/** A build is named by its pipeline and its number. */
export const search: Source = {
  kind: 'build',
  needs: ['pipeline_pipeline_view', 'pipeline_build_view'],
  async find(db, wanted) {
    if (!wanted.number) return []
    const { of, value } = wanted.number
    const rows = await db
      .selectFrom('pipeline')
      .innerJoin('build', (join) => join.onRef('build.pipeline_id', '=', 'pipeline.id').on('build.number', '=', value))
      .innerJoin('pipeline_group', 'pipeline_group.id', 'pipeline.group_id')
      .innerJoin('team', 'team.id', 'pipeline.team_id')
      .select(['pipeline.id', 'pipeline.name', 'pipeline.group_id as appId', 'build.number'])
      .select(['build.branch', 'build.commit_message as commitMessage', 'team.id as teamId', 'team.name as teamName'])
      .select([
        // without a pipeline name, all builds with that number rank equally, behind names that contain the text
        (of.length === 0 ? sql<number>`3` : rank(of.join(' '), 'pipeline.name')).as('rank'),
        elsewhere('pipeline.team_id', wanted.current).as('elsewhere'),
      ])
      .where(ofTeams('pipeline.team_id', wanted.teams))
      .where(carries(of, ['pipeline.name', 'pipeline_group.name']))
      .$if(of.length === 0, (q) => q.orderBy('elsewhere').orderBy('build.queued_at', 'desc'))
      .orderBy(bestFirst('pipeline.name'))
      .orderBy('pipeline.id')
      .limit(wanted.limit)
      .execute()
    return rows.map((row) =>
      toFound(row, {
        kind: 'build',
        name: `${row.name} #${row.number}`,
        hint: row.commitMessage.split('\n')[0] || row.branch,
        place: { id: row.id, appId: row.appId, number: row.number },
      }),
    )
  },
}
