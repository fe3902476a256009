import { bestOf, type Source } from '../../../db/search.ts'

/** The caller's teams; for administrators all teams. */
export const search: Source = {
  kind: 'team',
  needs: [],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('team')
      .select(['team.id', 'team.name', 'team.description'])
      .$call(bestOf(wanted, { name: 'team.name', team: 'team.id' }))
      .execute()
    return rows.map(({ id, name, description, rank, elsewhere }) => ({
      rank,
      elsewhere,
      hit: { kind: 'team', name, hint: description.split('\n')[0] ?? '', team: { id, name }, place: { id } },
    }))
  },
}
