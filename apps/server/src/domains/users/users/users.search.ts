import { bestOf, type Source, toFound } from '../../../db/search.ts'

export const search: Source = {
  kind: 'user',
  needs: 'admin',
  async find(db, wanted) {
    const rows = await db
      .selectFrom('account')
      .select(['account.id', 'user_name as name', 'nickname', 'email'])
      .$call(bestOf(wanted, { name: 'account.user_name', also: ['account.nickname', 'account.email'] }))
      .orderBy('account.id')
      .execute()
    return rows.map(({ id, name, nickname, email, ...row }) =>
      toFound(row, { kind: 'user', name, hint: nickname === name ? email : nickname || email, place: { id } }),
    )
  },
}
