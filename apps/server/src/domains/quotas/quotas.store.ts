import type { Quota } from '@gantry/contract/quotas/quotas'
import { type Kysely, sql } from 'kysely'
import { byCodePoint } from '../../db/list.ts'
import type { Tables } from '../../db/tables.gen.ts'

type Db = Kysely<Tables>

/** A team's quota on each cluster that it may use, and what its stacks' shares add up to. */
export async function teamQuotas(db: Db, teamId: number, environment?: string): Promise<Quota[]> {
  const rows = await db
    .selectFrom('environment')
    .leftJoin('team_quota', (join) =>
      join.onRef('team_quota.environment', '=', 'environment.uuid').on('team_quota.team_id', '=', teamId),
    )
    .select(['environment.uuid', 'environment.name', 'team_quota.cpu', 'team_quota.memory'])
    .select((q) => [
      q
        .selectFrom('stack')
        .whereRef('stack.environment', '=', 'environment.uuid')
        .where('stack.team_id', '=', teamId)
        .select(sql<number>`coalesce(sum(stack.cpu), 0)`.as('cpu'))
        .$asScalar()
        .$notNull()
        .as('allocated_cpu'),
      q
        .selectFrom('stack')
        .whereRef('stack.environment', '=', 'environment.uuid')
        .where('stack.team_id', '=', teamId)
        .select(sql<number>`coalesce(sum(stack.memory), 0)`.as('memory'))
        .$asScalar()
        .$notNull()
        .as('allocated_memory'),
    ])
    .where(
      sql<boolean>`(environment.sandbox or exists (select from environment_team
        where environment_team.environment = environment.uuid and environment_team.team_id = ${teamId}))`,
    )
    .$if(environment !== undefined, (q) => q.where('environment.uuid', '=', environment ?? ''))
    .orderBy(byCodePoint('environment.name'))
    .execute()
  return rows.map((row) => ({
    envUuid: row.uuid,
    envName: row.name,
    hard: { cpu: row.cpu, memory: row.memory },
    allocated: { cpu: row.allocated_cpu, memory: row.allocated_memory },
    used: null,
  }))
}

/** Until this transaction ends nobody else decides about the quota of this team on this cluster. */
export const serialise = (db: Db, teamId: number, environment: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${teamId} ${environment}`}, 0))`.execute(db)

export const putQuota = (
  db: Db,
  teamId: number,
  environment: string,
  hard: { cpu: number | null; memory: number | null },
) =>
  db
    .insertInto('team_quota')
    .values({ team_id: teamId, environment, ...hard })
    .onConflict((c) => c.columns(['team_id', 'environment']).doUpdateSet(hard))
    .execute()
