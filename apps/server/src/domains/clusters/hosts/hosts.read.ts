import { sql } from 'kysely'
import { byName } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { addressed, type Addressed, usableBy } from '../clusters/clusters.store.ts'
import { stackRows } from '../../stacks/public.read.ts'

/** Clusters that these teams may use, by name; undefined means all. The sandbox belongs to every team. */
export const clustersOf = (
  db: Db,
  { teams, only }: { teams: readonly number[] | undefined; only?: string | undefined },
): Promise<(Addressed & { ofOneTeam: boolean })[]> =>
  teams?.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('environment')
        .select(addressed)
        .select(
          sql<boolean>`not sandbox and (select count(*) from environment_team where environment = environment.uuid) = 1`.as(
            'ofOneTeam',
          ),
        )
        .$if(only !== undefined, (q) => q.where('uuid', '=', only ?? ''))
        .$if(teams !== undefined, (q) => q.where(usableBy(sql`any(${teams}::int[])`)))
        .orderBy(byName('name'))
        .orderBy('uuid')
        .execute()

export const stackNamespaces = async (db: Db, clusterId: string): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (
      await db
        .selectFrom(stackRows.as('stack'))
        .select(['namespace', 'name'])
        .where('environment', '=', clusterId)
        .execute()
    ).map(({ namespace, name }) => [namespace, name]),
  )
