import { sql } from 'kysely'
import { bestOf, type Source, toFound } from '../../db/search.ts'
import { usableBy } from './catalogs.store.ts'

/** For administrators: finds entries, with their own page. */
export const entries: Source = {
  kind: 'catalog',
  needs: 'admin',
  async find(db, wanted) {
    const rows = await db
      .selectFrom('catalog')
      .select(['id', 'name'])
      .$call(bestOf(wanted, { name: 'catalog.name', also: ['catalog.description'] }))
      .orderBy('id')
      .execute()
    return rows.map(({ id, name, ...row }) => toFound(row, { kind: 'catalog', name, hint: '', place: { id } }))
  },
}

/** For teams: finds what can be deployed in the current team, or in another team of the user. */
export const presets: Source = {
  kind: 'preset',
  needs: ['product_blueprint_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('catalog')
      .innerJoin('team', (join) => join.on(usableBy(sql.ref<number>('team.id'))))
      .where(
        sql<boolean>`exists (select from catalog_template one where one.catalog_id = catalog.id and one.published)`,
      )
      .select(['catalog.id', 'catalog.name', 'team.id as teamId', 'team.name as teamName'])
      .$call(bestOf(wanted, { name: 'catalog.name', team: 'team.id', also: ['catalog.description'] }))
      .orderBy('catalog.id')
      .orderBy('team.id')
      .execute()
    return rows.map(({ id, name, ...row }) => toFound(row, { kind: 'preset', name, hint: '', place: { id } }))
  },
}
