import { sql } from 'kysely'
import { bestOf, ofTeams, type Source, toFound } from '../../../db/search.ts'
import { usableBy } from './clusters.store.ts'

/** A cluster is found through a team that may use it, the current one before others; an administrator finds all. */
export const search: Source = {
  kind: 'cluster',
  needs: ['resource_cluster_view'],
  async find(db, wanted) {
    const { teams, current } = wanted
    const through = db
      .selectFrom('team')
      .select(['team.id', 'team.name'])
      .where(ofTeams('team.id', teams))
      .where(usableBy(sql.ref('team.id')))
      .orderBy(sql`team.id is distinct from ${current ?? null}::int`)
      .orderBy('team.id')
      .limit(1)
    const rows = await db
      .selectFrom('environment')
      .leftJoinLateral(through.as('through'), (join) => join.onTrue())
      .select(['environment.uuid', 'environment.name'])
      .select(['through.id as teamId', 'through.name as teamName'])
      .$call(bestOf(wanted, { name: 'environment.name', team: 'through.id' }))
      .execute()
    return rows.map((row) => toFound(row, { kind: 'cluster', name: row.name, hint: '', place: { uuid: row.uuid } }))
  },
}
