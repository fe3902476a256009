import { bestOf, type Source, toFound } from '../../../db/search.ts'
import { productRows } from '../../products/public.read.ts'

export const search: Source = {
  kind: 'blueprint',
  needs: ['product_blueprint_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('blueprint')
      .innerJoin('team', 'team.id', 'blueprint.team_id')
      .innerJoin(productRows.as('product'), 'product.id', 'blueprint.product_id')
      .select(['blueprint.id', 'blueprint.version', 'product.id as productId', 'product.name as productName'])
      .select(['team.id as teamId', 'team.name as teamName'])
      .$call(bestOf(wanted, { name: 'blueprint.version', team: 'blueprint.team_id', also: ['product.name'] }))
      .orderBy('blueprint.id')
      .execute()
    return rows.map((row) =>
      toFound(row, {
        kind: 'blueprint',
        name: row.version,
        hint: row.productName,
        place: { id: row.id, productId: row.productId },
      }),
    )
  },
}
