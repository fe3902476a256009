import { bestFirst, carries, elsewhere, ofTeams, rank } from '../../db/search.ts'
import type { Source } from '../search/public.ts'

export const search: Source = {
  kind: 'stack',
  needs: ['stack_stack_view'],
  async find(db, wanted) {
    const rows = await db
      .selectFrom('stack')
      .innerJoin('environment', 'environment.uuid', 'stack.environment')
      .leftJoin('product', 'product.id', 'stack.product_id')
      .innerJoin('team', 'team.id', 'stack.team_id')
      .select(['stack.id', 'stack.name', 'stack.environment as envId', 'environment.name as hint'])
      .select(['team.id as teamId', 'team.name as teamName'])
      .select([rank(wanted.text, 'stack.name').as('rank'), elsewhere('stack.team_id', wanted.current).as('elsewhere')])
      .where(ofTeams('stack.team_id', wanted.teams))
      .where(carries(wanted.words, ['stack.name', 'product.name']))
      .orderBy(bestFirst(wanted, { name: 'stack.name', team: 'stack.team_id' }))
      .orderBy('stack.id')
      .limit(wanted.limit)
      .execute()
    return rows.map((row) => ({
      rank: row.rank,
      elsewhere: row.elsewhere,
      hit: {
        kind: 'stack',
        name: row.name,
        hint: row.hint,
        team: { id: row.teamId, name: row.teamName },
        place: { id: row.id, envId: row.envId },
      },
    }))
  },
}
