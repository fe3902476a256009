import type { Owned } from '../teams/public.ts'

export const owned: Owned = {
  phrase: 'team-owned-products',
  count: async (db, teamId) => {
    const { count } = await db
      .selectFrom('product')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('team_id', '=', teamId)
      .executeTakeFirstOrThrow()
    return count
  },
}
