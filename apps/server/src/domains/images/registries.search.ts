import { sql } from 'kysely'
import { bestOf, ofTeams, type Source, toFound } from '../../db/search.ts'
import { usableBy } from './registries.store.ts'

/** A team's own registries, and those that one of the caller's teams may use, by the current team if possible. */
export const search: Source = {
  kind: 'registry',
  needs: ['image_registry_view'],
  async find(db, wanted) {
    const { current, teams } = wanted
    const rows = await db
      .selectFrom('registry')
      .leftJoinLateral(
        (q) =>
          q
            .selectFrom('team')
            .select(['team.id', 'team.name'])
            .where((q) => usableBy(q.ref('team.id')))
            .where(ofTeams('team.id', teams))
            .orderBy(sql`team.id is distinct from ${current ?? null}::int`)
            .orderBy('team.id')
            .limit(1)
            .as('through'),
        (join) => join.onTrue(),
      )
      .select(['registry.id', 'registry.name', 'registry.url', 'through.id as teamId', 'through.name as teamName'])
      .$call(bestOf(wanted, { name: 'registry.name', team: 'through.id', also: ['registry.url'] }))
      .orderBy('registry.id')
      .execute()
    return rows.map((row) => toFound(row, { kind: 'registry', name: row.name, hint: row.url, place: { id: row.id } }))
  },
}
