import { bestOf, type Source, toFound } from '../../db/search.ts'

export const search: Source = {
  kind: 'agent',
  needs: 'admin',
  async find(db, wanted) {
    const rows = await db
      .selectFrom('agent')
      .select(['agent.id', 'agent.name', 'agent.os_type as osType'])
      .$call(bestOf(wanted, { name: 'agent.name' }))
      .execute()
    return rows.map(({ id, name, osType, ...row }) =>
      toFound(row, { kind: 'agent', name, hint: osType, place: { id } }),
    )
  },
}
