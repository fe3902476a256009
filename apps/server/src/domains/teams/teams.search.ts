import { bestFirst, carries, elsewhere, ofTeams, rank } from '../../db/search.ts'
import type { Source } from '../search/public.ts'

/** The caller's teams; all of them for administrators. */
export const search: Source = {
  kind: 'team',
  needs: [],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('team')
      .select(['team.id', 'team.name', 'team.description'])
      .select([rank(wanted.text, 'team.name').as('rank'), elsewhere('team.id', wanted.current).as('elsewhere')])
      .where(ofTeams('team.id', wanted.teams))
      .where(carries(wanted.words, ['team.name']))
      .orderBy(bestFirst(wanted, { name: 'team.name', team: 'team.id' }))
      .limit(wanted.limit)
      .execute()
    return rows.map(({ id, name, description, rank: rankOf, elsewhere: away }) => ({
      rank: rankOf,
      elsewhere: away,
      hit: { kind: 'team', name, hint: description.split('\n')[0] ?? '', team: { id, name }, place: { id } },
    }))
  },
}
