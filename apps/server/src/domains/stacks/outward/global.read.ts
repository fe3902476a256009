import type { GlobalRule, WayProtocol } from '@gantry/contract/stacks/global-ingress'
import type { Family } from '@gantry/contract/stacks/outward'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { anyContains, byName, countMatches } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { clusterRows } from '../../clusters/public.read.ts'

/** Filters for claims; `teams` limits them to teams, undefined means all teams. */
export interface Filter {
  teams: readonly number[] | undefined
  environment?: string | undefined
  protocols?: readonly WayProtocol[] | undefined
  port?: number | undefined
  host?: string | undefined
  group?: string | undefined
  keyword?: string | undefined
}

/** A rule without its URL, which depends on its addresses. */
export type StoredRule = Omit<GlobalRule, 'url'> & { family: Family; addresses: string[] }

const protocol = sql<WayProtocol>`upper(claim.family)`
const group = sql<string>`coalesce(service.spec #>> '{outward,group}', '')`

const claims = (db: Db, { teams, environment, protocols, port, host, group: wanted, keyword = '' }: Filter) =>
  db
    .selectFrom('outward_claim as claim')
    .innerJoin('service', 'service.id', 'claim.service_id')
    .innerJoin('stack', 'stack.id', 'service.stack_id')
    .innerJoin('team', 'team.id', 'stack.team_id')
    .innerJoin(clusterRows.as('environment'), 'environment.uuid', 'claim.environment')
    .$if(teams !== undefined, (q) => q.where(sql<boolean>`stack.team_id = any(${teams ?? []}::int[])`))
    .$if(environment !== undefined, (q) => q.where('claim.environment', '=', environment ?? ''))
    .$if(protocols !== undefined, (q) => q.where(sql<boolean>`${protocol} = any(${protocols ?? []}::text[])`))
    .$if(port !== undefined, (q) => q.where('claim.port', '=', port ?? 0))
    .$if(host !== undefined, (q) => q.where('claim.host', '=', host ?? ''))
    .$if(wanted !== undefined, (q) => q.where(sql<boolean>`${group} = ${wanted}`))
    .$if(keyword !== '', (q) =>
      q.where(
        anyContains(
          ['claim.host', 'claim.path', 'service.name', 'stack.name', 'team.name', 'environment.name'],
          keyword,
        ),
      ),
    )

const orders = {
  host: byName('claim.host'),
  port: sql.ref('claim.port'),
  service: byName('service.name'),
  stack: byName('stack.name'),
  environment: byName('environment.name'),
  team: byName('team.name'),
}

export const ruleOrders = ['host', 'port', 'service', 'stack', 'environment', 'team'] as const

export async function listRules(
  db: Db,
  filter: Filter,
  { by, direction }: { by: keyof typeof orders; direction: 'asc' | 'desc' },
  at: Page,
): Promise<List<StoredRule>> {
  const of = claims(db, filter)
  const items = await of
    .leftJoin('service_outward as reached', 'reached.service_id', 'service.id')
    .select([
      'claim.environment as envId',
      'environment.name as environment',
      'team.id as teamId',
      'team.name as team',
      'stack.id as stackId',
      'stack.uuid as stackUuid',
      'stack.name as stack',
      'service.id as serviceId',
      'service.name as service',
      sql<'lb' | 'ingress'>`service.type`.as('serviceType'),
      group.as('group'),
      protocol.as('protocol'),
      sql<Family>`claim.family`.as('family'),
      'claim.port',
      'claim.host',
      'claim.path',
      sql<string[]>`coalesce(reached.addresses, '{}')`.as('addresses'),
    ])
    .orderBy(orders[by], direction)
    .orderBy(orders.host)
    .orderBy('claim.port')
    .orderBy('claim.path')
    .orderBy('claim.environment')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, of), at)
}

/** The ports of these claims in all clusters. */
export async function listPorts(db: Db, filter: Filter, at: Page) {
  const of = claims(db, filter)
    .select([
      'claim.port',
      protocol.as('protocol'),
      sql<number>`count(*)`.as('rules'),
      sql<number>`count(distinct claim.environment)`.as('environments'),
    ])
    .groupBy(['claim.port', 'claim.family'])
  const items = await of.orderBy('claim.port').orderBy('claim.family').limit(at.limit).offset(at.offset).execute()
  return toList(items, await totalOf(db, of), at)
}

/** The claimed ports of a cluster, with the number of the team's rules, and whether other teams have any. */
export async function listTaken(db: Db, teamId: number, filter: Omit<Filter, 'teams'>, at: Page) {
  const of = claims(db, { ...filter, teams: undefined })
    .select([
      'claim.port',
      protocol.as('protocol'),
      sql<number>`count(*) filter (where stack.team_id = ${teamId})`.as('own'),
      sql<boolean>`bool_or(stack.team_id <> ${teamId})`.as('others'),
    ])
    .groupBy(['claim.port', 'claim.family'])
  const items = await of.orderBy('claim.port').limit(at.limit).offset(at.offset).execute()
  return toList(items, await totalOf(db, of), at)
}

async function totalOf(db: Db, groups: ReturnType<typeof claims>): Promise<number> {
  const { rows } = await sql<{ found: number }>`select count(*) as found from (${groups}) as matching`.execute(db)
  return rows[0]?.found ?? 0
}
