import { bestOf, type Source, toFound } from '../../../db/search.ts'

/** The platform's Harbors; a team's projects in them are another kind of hit. */
export const search: Source = {
  kind: 'harbor',
  needs: 'admin',
  async find(db, wanted) {
    const rows = await db
      .selectFrom('harbor')
      .select(['harbor.id', 'harbor.name', 'harbor.url'])
      .$call(bestOf(wanted, { name: 'harbor.name', also: ['harbor.url'] }))
      .orderBy('harbor.id')
      .execute()
    return rows.map(({ id, name, url, ...row }) => toFound(row, { kind: 'harbor', name, hint: url, place: { id } }))
  },
}
