import { bestOf, type Source, toFound } from '../../../db/search.ts'

export const search: Source = {
  kind: 'service',
  needs: ['stack_service_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('service')
      .innerJoin('stack', 'stack.id', 'service.stack_id')
      .innerJoin('team', 'team.id', 'stack.team_id')
      .select([
        'service.id',
        'service.name',
        'service.type',
        'service.state',
        'stack.id as stackId',
        'stack.uuid as stackUuid',
      ])
      .select(['stack.name as stackName', 'stack.environment as envId', 'team.id as teamId', 'team.name as teamName'])
      .$call(bestOf(wanted, { name: 'service.name', team: 'stack.team_id', also: ['stack.name'] }))
      .orderBy('service.id')
      .execute()
    return rows.map((row) =>
      toFound(row, {
        kind: 'service',
        name: row.name,
        hint: row.stackName,
        state: row.state,
        place: {
          id: row.id,
          type: row.type,
          envId: row.envId,
          stackId: row.stackId,
          stackUuid: row.stackUuid,
          stackName: row.stackName,
        },
      }),
    )
  },
}
