import { sql } from 'kysely'
import { decisionCap, type DecisionSource } from '../../../db/decisions.ts'

/** Clusters at whose address another one answers: an administrator accepts that one or corrects the address. */
export const clustersThatWait: DecisionSource<'cluster'> = {
  kind: 'cluster',
  needs: 'admin',
  async find(db, { id }) {
    const rows = await db
      .selectFrom('environment')
      .select(['uuid', 'name', 'answers', sql<string>`coalesce(answers_at, created_at)`.as('since')])
      // the screen of a cluster needs a team; for administrators any will do
      .select(
        sql<number>`coalesce((select default_team_id from account where account.id = ${id}),
          (select min(team.id) from team))`.as('teamId'),
      )
      .where('answers', 'is not', null)
      .orderBy('since', 'desc')
      .limit(decisionCap)
      .execute()
    return rows.map(({ uuid, name, answers, since, teamId }) => ({
      key: `cluster ${uuid} ${answers}`,
      text: { key: 'decisions-cluster', vars: { name } },
      team: null,
      by: '',
      since,
      until: null,
      path: `/teams/${teamId}/resourcemanager/cluster/environments-detail/${uuid}`,
    }))
  },
}
