import { bestOf, type Source, toFound } from '../../../db/search.ts'

export const search: Source = {
  kind: 'harbor-project',
  needs: ['image_harbor_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('harbor_namespace')
      .innerJoin('harbor', 'harbor.id', 'harbor_namespace.harbor_id')
      .innerJoin('team', 'team.id', 'harbor_namespace.team_id')
      .select([
        'harbor_namespace.id',
        'harbor_namespace.name',
        'harbor_namespace.project_id as projectId',
        'harbor.id as harborId',
        'harbor.name as harborName',
        'team.id as teamId',
        'team.name as teamName',
      ])
      .$call(bestOf(wanted, { name: 'harbor_namespace.name', team: 'team.id' }))
      .orderBy('harbor_namespace.id')
      .execute()
    return rows.map(({ id, name, projectId, harborId, harborName, ...row }) =>
      toFound(row, { kind: 'harbor-project', name, hint: harborName, place: { id, harborId, projectId } }),
    )
  },
}
