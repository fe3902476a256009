import { bestOf, type Source, toFound } from '../../db/search.ts'

export const search: Source = {
  kind: 'config-project',
  needs: ['config_project_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('config_project')
      .innerJoin('team', 'team.id', 'config_project.team_id')
      .select(['config_project.name', 'team.id as teamId', 'team.name as teamName'])
      .$call(bestOf(wanted, { name: 'config_project.name', team: 'config_project.team_id' }))
      .orderBy('config_project.id')
      .execute()
    return rows.map((row) =>
      toFound(row, { kind: 'config-project', name: row.name, hint: '', place: { name: row.name } }),
    )
  },
}
