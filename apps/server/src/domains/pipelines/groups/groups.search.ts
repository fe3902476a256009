import { bestOf, type Source, toFound } from '../../../db/search.ts'

export const search: Source = {
  kind: 'pipeline-group',
  // a group's page is the list of its pipelines
  needs: ['pipeline_group_view', 'pipeline_pipeline_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('pipeline_group')
      .innerJoin('team', 'team.id', 'pipeline_group.team_id')
      .select(['pipeline_group.id', 'pipeline_group.name', 'team.id as teamId', 'team.name as teamName'])
      .$call(bestOf(wanted, { name: 'pipeline_group.name', team: 'pipeline_group.team_id' }))
      .orderBy('pipeline_group.id')
      .execute()
    return rows.map((row) => toFound(row, { kind: 'pipeline-group', name: row.name, hint: '', place: { id: row.id } }))
  },
}
