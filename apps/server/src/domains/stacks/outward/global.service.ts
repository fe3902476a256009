import type { GlobalRule, WayProtocol } from '@gantry/contract/stacks/global-ingress'
import type { List } from '@gantry/contract/paging'
import { sorting } from '../../../db/list.ts'
import { visibleTeams } from '../../../identity/access.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { page } from '../../../kernel/paging.ts'
import { mustUse } from '../../clusters/public.ts'
import { type Filter, listPorts, listRules, listTaken, ruleOrders, type StoredRule } from './global.read.ts'
import { urlOf } from './ways.service.ts'

type Query = Parameters<typeof page>[0] & { keyword?: string | undefined; sort?: string | undefined }

const permission = 'stack_service_view'

const toGlobalRule = ({ family, addresses, ...rule }: StoredRule): GlobalRule => ({
  ...rule,
  url: urlOf({ family, port: rule.port, host: rule.host, path: rule.path }, addresses),
})

async function readRules(ctx: Ctx, filter: Filter, query: Query): Promise<List<GlobalRule>> {
  const found = await listRules(
    ctx.db,
    { ...filter, keyword: query.keyword },
    sorting(query.sort, [...ruleOrders]),
    page(query),
  )
  return { ...found, items: found.items.map(toGlobalRule) }
}

type Filters = Query & { environment?: string | undefined; protocol?: WayProtocol | 'all' | undefined }

const toFilter = ({ environment, protocol = 'all' }: Filters): Omit<Filter, 'teams'> => ({
  environment,
  protocols: protocol === 'all' ? undefined : [protocol],
})

/** The rules of the teams whose services the caller may see. */
export const readGlobalRules = async (ctx: Ctx, query: Filters): Promise<List<GlobalRule>> =>
  readRules(ctx, { ...toFilter(query), teams: await visibleTeams(ctx, permission) }, query)

export const readEveryRule = (ctx: Ctx, query: Filters): Promise<List<GlobalRule>> =>
  readRules(ctx, { ...toFilter(query), teams: undefined }, query)

export const readRulesOf = async (
  ctx: Ctx,
  query: Query & { port?: number | undefined; protocol?: WayProtocol | undefined; host?: string | undefined },
): Promise<List<GlobalRule>> => {
  const { port, protocol, host } = query
  const teams = await visibleTeams(ctx, permission)
  return readRules(ctx, { teams, port, host, protocols: protocol && [protocol] }, query)
}

export const readPorts = async (ctx: Ctx, query: Query) =>
  listPorts(ctx.db, { teams: await visibleTeams(ctx, permission), keyword: query.keyword }, page(query))

interface StackPlace {
  teamId: number
  envId: string
}

/** URLs, so only rules of HTTP and HTTPS, on a cluster that the team may use. */
export async function readUrls(
  ctx: Ctx,
  { teamId, envId }: StackPlace,
  query: Query & { group_name?: string | undefined },
) {
  await mustUse(ctx, envId, teamId)
  const filter = { teams: [teamId], environment: envId, group: query.group_name }
  return readRules(ctx, { ...filter, protocols: ['HTTP', 'HTTPS'] }, query)
}

export async function readTaken(
  ctx: Ctx,
  { teamId, envId }: StackPlace,
  query: Query & { group_name?: string | undefined },
) {
  await mustUse(ctx, envId, teamId)
  return listTaken(ctx.db, teamId, { environment: envId, group: query.group_name }, page(query))
}

export const readWhole = async (ctx: Ctx, clusterId: string, query: Query) =>
  readRules(
    ctx,
    { teams: await visibleTeams(ctx, permission), environment: clusterId, protocols: ['TCP', 'UDP'] },
    query,
  )
