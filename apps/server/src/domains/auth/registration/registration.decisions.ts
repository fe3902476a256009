import { decisionCap, type DecisionSource } from '../../../db/decisions.ts'

/** Registered accounts that no administrator has approved yet. */
export const accountsThatWait: DecisionSource<'account'> = {
  kind: 'account',
  needs: 'admin',
  async find(db) {
    const rows = await db
      .selectFrom('account')
      .select(['id', 'user_name as name', 'email', 'created_at as since'])
      .where('status', '=', 'unapproved')
      .orderBy('id', 'desc')
      .limit(decisionCap)
      .execute()
    return rows.map(({ id, name, email, since }) => ({
      key: `account ${id}`,
      text: { key: 'decisions-account', vars: { name, email } },
      team: null,
      by: name,
      since,
      until: null,
      path: '/sysconfig/users?state=unapproved',
      userId: id,
      name,
    }))
  },
}
