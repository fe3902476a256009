import { bestFirst, carries, rank } from '../../db/search.ts'
import type { Source } from '../search/public.ts'

export const search: Source = {
  kind: 'agent',
  needs: 'admin',
  async find(db, wanted) {
    const rows = await db
      .selectFrom('agent')
      .select(['agent.id', 'agent.name', 'agent.os_type as osType'])
      .select(rank(wanted.text, 'agent.name').as('rank'))
      .where(carries(wanted.words, ['agent.name']))
      .orderBy(bestFirst(wanted, { name: 'agent.name' }))
      .limit(wanted.limit)
      .execute()
    return rows.map(({ id, name, osType, rank: rankOf }) => ({
      rank: rankOf,
      elsewhere: true,
      hit: { kind: 'agent', name, hint: osType, team: null, place: { id } },
    }))
  },
}
