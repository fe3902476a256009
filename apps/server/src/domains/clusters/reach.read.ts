import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.gen.ts'

/** The namespaces that the stacks of these teams have on a cluster. */
export const namespacesOf = async (
  db: Kysely<Tables>,
  environment: string,
  teams: readonly number[],
): Promise<string[]> =>
  teams.length === 0
    ? []
    : (
        await db
          .selectFrom('stack')
          .select('namespace')
          .where('environment', '=', environment)
          .where('team_id', 'in', teams)
          .execute()
      ).map(({ namespace }) => namespace)
