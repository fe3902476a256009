import { bestOf, type Source, toFound } from '../../db/search.ts'

export const search: Source = {
  kind: 'product',
  needs: ['product_product_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('product')
      .innerJoin('team', 'team.id', 'product.team_id')
      .select(['product.id', 'product.name', 'team.id as teamId', 'team.name as teamName'])
      .$call(bestOf(wanted, { name: 'product.name', team: 'product.team_id' }))
      .orderBy('product.id')
      .execute()
    return rows.map((row) => toFound(row, { kind: 'product', name: row.name, hint: '', place: { id: row.id } }))
  },
}
