import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.gen.ts'

/** The namespaces that the stacks of these teams, or of all, have on a cluster, by name. */
export const namespacesOf = async (
  db: Kysely<Tables>,
  environment: string,
  teams?: readonly number[],
): Promise<string[]> =>
  (
    await db
      .selectFrom('stack')
      .select('namespace')
      .where('environment', '=', environment)
      .$if(teams !== undefined, (q) => q.where('team_id', '=', sql<number>`any(${teams}::int[])`))
      .orderBy('namespace')
      .execute()
  ).map(({ namespace }) => namespace)
