import type { Amount, Quota } from '@gantry/contract/quotas/quotas'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { anyContains, byName, countMatches } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { usableBy } from '../clusters/public.ts'
import { clusterRows } from '../clusters/public.read.ts'
import { stackRows } from '../stacks/public.read.ts'

/** A quota as stored; only the cluster knows how much of it is used. */
export type QuotaRow = Omit<Quota, 'used'> & { team: { id: number; name: string } }

/** Every team with every cluster that it may use. */
const pairs = (db: Db) =>
  db
    .selectFrom('team')
    .innerJoin(clusterRows.as('environment'), (join) => join.on(usableBy(sql.ref('team.id'))))
    .leftJoin('team_quota', (join) =>
      join.onRef('team_quota.environment', '=', 'environment.uuid').onRef('team_quota.team_id', '=', 'team.id'),
    )

const allocated = (resource: 'cpu' | 'memory') =>
  sql<number>`(select coalesce(sum(${sql.ref(`stack.${resource}`)}), 0) from ${stackRows} stack
    where stack.environment = environment.uuid and stack.team_id = team.id)`

async function toQuotaRows(of: ReturnType<typeof pairs>): Promise<QuotaRow[]> {
  const rows = await of
    .select(['team.id', 'team.name as teamName', 'environment.uuid', 'environment.name'])
    .select(['team_quota.cpu', 'team_quota.memory'])
    .select([allocated('cpu').as('allocatedCpu'), allocated('memory').as('allocatedMemory')])
    .execute()
  return rows.map((row) => ({
    team: { id: row.id, name: row.teamName },
    envUuid: row.uuid,
    envName: row.name,
    hard: { cpu: row.cpu, memory: row.memory },
    allocated: { cpu: row.allocatedCpu, memory: row.allocatedMemory },
  }))
}

/** A team's quota on each cluster that it may use, and the sum of its stacks' shares. */
export const teamQuotas = (db: Db, teamId: number, environment?: string): Promise<QuotaRow[]> =>
  toQuotaRows(
    pairs(db)
      .where('team.id', '=', teamId)
      .$if(environment !== undefined, (q) => q.where('environment.uuid', '=', environment ?? ''))
      .orderBy(byName('environment.name')),
  )

export const quotaSorts = ['team', 'cluster', 'cpu', 'memory'] as const

/** The allocated part of the quota; unlimited quotas sort lowest. */
const share = (resource: 'cpu' | 'memory') =>
  sql<number>`coalesce(${allocated(resource)} / nullif(${sql.ref(`team_quota.${resource}`)}, 0), -1)`

interface Wanted {
  keyword?: string | undefined
  envUuid?: string | undefined
  by: (typeof quotaSorts)[number]
  direction: 'asc' | 'desc'
}

export async function listQuotas(db: Db, { keyword, envUuid, by, direction }: Wanted, at: Page) {
  const matching = pairs(db)
    .$if(keyword !== undefined && keyword !== '', (q) =>
      q.where(anyContains(['team.name', 'environment.name'], keyword ?? '')),
    )
    .$if(envUuid !== undefined, (q) => q.where('environment.uuid', '=', envUuid ?? ''))
  const columns = {
    team: byName('team.name'),
    cluster: byName('environment.name'),
    cpu: share('cpu'),
    memory: share('memory'),
  }
  const items = await toQuotaRows(
    matching
      .orderBy(columns[by], direction)
      .orderBy(byName('team.name'))
      .orderBy(byName('environment.name'))
      .limit(at.limit)
      .offset(at.offset),
  )
  const page: List<QuotaRow> = toList(items, await countMatches(db, matching), at)
  return page
}

/** Serializes decisions about the quota of this team on this cluster until the transaction ends. */
export const serialise = (db: Db, teamId: number, clusterId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${teamId} ${clusterId}`}, 0))`.execute(db)

export const putQuota = (db: Db, teamId: number, clusterId: string, hard: Amount) =>
  db
    .insertInto('team_quota')
    .values({ team_id: teamId, environment: clusterId, ...hard })
    .onConflict((c) => c.columns(['team_id', 'environment']).doUpdateSet(hard))
    .execute()
