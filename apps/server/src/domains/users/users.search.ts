import { bestFirst, carries, rank } from '../../db/search.ts'
import type { Source } from '../search/public.ts'

export const search: Source = {
  kind: 'user',
  needs: 'admin',
  async find(db, wanted) {
    const rows = await db
      .selectFrom('account')
      .select(['account.id', 'user_name as name', 'nickname', 'email'])
      .select(rank(wanted.text, 'account.user_name').as('rank'))
      .where(carries(wanted.words, ['account.user_name', 'account.nickname', 'account.email']))
      .orderBy(bestFirst(wanted, { name: 'account.user_name' }))
      .orderBy('account.id')
      .limit(wanted.limit)
      .execute()
    return rows.map(({ id, name, nickname, email, rank: rankOf }) => ({
      rank: rankOf,
      elsewhere: true,
      hit: { kind: 'user', name, hint: nickname === name ? email : nickname || email, team: null, place: { id } },
    }))
  },
}
