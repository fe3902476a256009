import { bestOf, type Source, toFound } from '../../../db/search.ts'

export const search: Source = {
  kind: 'pipeline',
  needs: ['pipeline_pipeline_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('pipeline')
      .innerJoin('pipeline_group', 'pipeline_group.id', 'pipeline.group_id')
      .innerJoin('team', 'team.id', 'pipeline.team_id')
      .select(['pipeline.id', 'pipeline.name', 'pipeline.group_id as appId', 'pipeline_group.name as hint'])
      .select(['team.id as teamId', 'team.name as teamName'])
      .$call(bestOf(wanted, { name: 'pipeline.name', team: 'pipeline.team_id', also: ['pipeline_group.name'] }))
      .orderBy('pipeline.id')
      .execute()
    return rows.map((row) =>
      toFound(row, { kind: 'pipeline', name: row.name, hint: row.hint, place: { id: row.id, appId: row.appId } }),
    )
  },
}
