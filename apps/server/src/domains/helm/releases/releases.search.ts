import { bestOf, type Source, toFound } from '../../../db/search.ts'
import { stackRows } from '../../stacks/public.read.ts'

export const search: Source = {
  kind: 'helm-release',
  needs: ['helm_release_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('helm_release')
      .innerJoin(stackRows.as('stack'), 'stack.id', 'helm_release.stack_id')
      .innerJoin('team', 'team.id', 'stack.team_id')
      .select([
        'helm_release.id',
        'helm_release.name',
        'stack.name as stackName',
        'stack.environment',
        'team.id as teamId',
        'team.name as teamName',
      ])
      .$call(bestOf(wanted, { name: 'helm_release.name', team: 'stack.team_id' }))
      .orderBy('helm_release.id')
      .execute()
    return rows.map((row) =>
      toFound(row, {
        kind: 'helm-release',
        name: row.name,
        hint: row.stackName,
        place: { id: row.id, cluster: row.environment },
      }),
    )
  },
}
