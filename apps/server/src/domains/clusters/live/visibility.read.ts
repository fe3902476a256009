import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { stackRows } from '../../stacks/public.read.ts'

/** The namespaces of the stacks of these teams, or of all, on a cluster, by name. */
export const namespacesOf = async (db: Db, clusterId: string, teams?: readonly number[]): Promise<string[]> =>
  (
    await db
      .selectFrom(stackRows.as('stack'))
      .innerJoin('environment_namespace as given', (join) =>
        join
          .onRef('given.environment', '=', 'stack.environment')
          .onRef('given.namespace', '=', 'stack.namespace')
          .onRef('given.stack_uuid', '=', 'stack.uuid'),
      )
      .select('stack.namespace')
      .where('stack.environment', '=', clusterId)
      .where('given.held', '=', true)
      .$if(teams !== undefined, (q) => q.where('stack.team_id', '=', sql<number>`any(${teams}::int[])`))
      .orderBy('stack.namespace')
      .execute()
  ).map(({ namespace }) => namespace)

/** The namespaces that decide which volumes a caller sees: those that a team's stacks have, and ever had. */
export interface ClaimsSeen {
  now: ReadonlySet<string>
  ever: ReadonlySet<string>
}

/** The namespaces of a cluster that decide which volumes these teams see. */
export async function claimsOf(db: Db, clusterId: string, teams: readonly number[]): Promise<ClaimsSeen> {
  const rows = await db
    .selectFrom('environment_namespace as given')
    .leftJoin(stackRows.as('stack'), 'stack.uuid', 'given.stack_uuid')
    .select(['given.namespace', 'stack.id as stackId'])
    .where('given.environment', '=', clusterId)
    .where('given.held', '=', true)
    .where('given.team_id', '=', sql<number>`any(${teams}::int[])`)
    .execute()
  const there = rows.filter(({ stackId }) => stackId !== null)
  return {
    now: new Set(there.map(({ namespace }) => namespace)),
    ever: new Set(rows.map(({ namespace }) => namespace)),
  }
}
