import { bestOf, type Source, toFound } from '../../db/search.ts'

export const search: Source = {
  kind: 'dockerfile',
  needs: ['pipeline_dockerfile_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('dockerfile')
      .innerJoin('team', 'team.id', 'dockerfile.team_id')
      .select(['dockerfile.id', 'dockerfile.name', 'team.id as teamId', 'team.name as teamName'])
      .$call(bestOf(wanted, { name: 'dockerfile.name', team: 'dockerfile.team_id' }))
      .orderBy('dockerfile.id')
      .execute()
    return rows.map((row) => toFound(row, { kind: 'dockerfile', name: row.name, hint: '', place: { id: row.id } }))
  },
}
