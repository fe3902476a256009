import { bestOf, type Source, toFound } from '../../../db/search.ts'
import { clusterRows } from '../../clusters/public.read.ts'
import { productRows } from '../../products/public.read.ts'

export const search: Source = {
  kind: 'stack',
  needs: ['stack_stack_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('stack')
      .innerJoin(clusterRows.as('environment'), 'environment.uuid', 'stack.environment')
      .leftJoin(productRows.as('product'), 'product.id', 'stack.product_id')
      .innerJoin('team', 'team.id', 'stack.team_id')
      .select(['stack.id', 'stack.uuid', 'stack.name', 'stack.environment as envId', 'environment.name as hint'])
      .select(['team.id as teamId', 'team.name as teamName'])
      .$call(bestOf(wanted, { name: 'stack.name', team: 'stack.team_id', also: ['product.name'] }))
      .orderBy('stack.id')
      .execute()
    return rows.map((row) =>
      toFound(row, {
        kind: 'stack',
        name: row.name,
        hint: row.hint,
        uuid: row.uuid,
        place: { id: row.id, envId: row.envId },
      }),
    )
  },
}
