import { older, protocolVersion } from '@gantry/agent-protocol/protocol'
import type { AgentDetail, AgentRow, Machine } from '@gantry/contract/agents/agents'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { z } from 'zod'
import { anyContains, byName, countMatches, sorting } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import { Fault } from '../../kernel/fault.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { Executors } from './agents.store.ts'
import { clusterRows } from '../clusters/public.read.ts'
import { buildJobRows } from '../pipelines/public.read.ts'

const online = sql<boolean>`coalesce(agent.last_seen_at > now() - interval '60 seconds', false)`

const rows = (db: Db) =>
  db
    .selectFrom('agent')
    .leftJoin('team', 'team.id', 'agent.team_id')
    .leftJoin(clusterRows.as('environment'), 'environment.uuid', 'agent.environment')
    .select(['agent.id', 'agent.uuid', 'agent.name', 'agent.os_type as osType', 'agent.labels as givenLabels'])
    .select(['agent.own_labels as ownLabels', 'agent.capacity', 'agent.paused', 'agent.team_id as teamId'])
    .select(['team.name as teamName', 'agent.version', 'agent.protocol', 'agent.isolated', 'agent.executors'])
    .select(['agent.waits', 'agent.environment', 'environment.name as environmentName'])
    .select(['agent.embedded', 'agent.last_seen_at as lastSeenAt', 'agent.revision'])
    .select(online.as('online'))
    .select(sql<boolean>`agent.clean_asked_at is not null`.as('cleaning'))
    .select(
      sql<number>`(select count(*) from ${buildJobRows} build_job where build_job.agent_id = agent.id and build_job.state = 'building')`.as(
        'running',
      ),
    )

type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>

function toAgentRow({ online, protocol, teamName, environmentName, ...row }: Row): AgentRow {
  return {
    ...row,
    labels: [...new Set([...row.givenLabels, ...row.ownLabels])],
    state: row.lastSeenAt === null ? 'never' : online ? 'online' : 'offline',
    teamName: teamName ?? '',
    environmentName: environmentName ?? '',
    update: older(protocolVersion, protocol),
    executors: Executors.parse(row.executors),
  }
}

export const listAgents = async (db: Db): Promise<AgentRow[]> =>
  (await rows(db).orderBy(byName('agent.name')).execute()).map(toAgentRow)

export async function readAgent(db: Db, id: number): Promise<AgentDetail> {
  const row = await rows(db)
    .leftJoin('agent_machine as machine', 'machine.agent_id', 'agent.id')
    .select(['agent.created_at as createdAt', 'agent.cleaned_at as cleanedAt'])
    .select(
      sql<string | null>`case when agent.token_hash is null and agent.registration_until > now()
        then agent.registration_until end`.as('tokenUntil'),
    )
    .select(['machine.name as host', 'machine.system', 'machine.architecture', 'machine.cpus', 'machine.memory'])
    .select(['machine.disk', 'machine.disk_free as diskFree'])
    .where('agent.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Fault('missing', 'resource-missing')
  const { createdAt, cleanedAt, tokenUntil, host, system, architecture, cpus, memory, disk, diskFree, ...agent } = row
  const silent = !agent.online && agent.lastSeenAt !== null
  return {
    ...toAgentRow(agent),
    createdAt,
    cleanedAt,
    tokenUntil,
    protocol: agent.protocol,
    machine: host === null ? null : ({ name: host, system, architecture, cpus, memory, disk, diskFree } as Machine),
    offline: silent ? { since: agent.lastSeenAt ?? '', version: agent.version } : null,
  }
}

const Agents = z.array(z.object({ id: z.number(), name: z.string(), state: z.enum(['online', 'offline']) }))

const sorts = {
  name: byName('machine.name'),
  system: sql`max(machine.system)`,
  cpus: sql`max(machine.cpus)`,
  memory: sql`max(machine.memory)`,
  disk: sql`max(machine.disk)`,
  diskFree: sql`max(machine.disk_free)`,
}

/** Machines by name. Where several agents run on one machine, the one that reported last describes it. */
export async function listHosts(
  db: Db,
  { keyword = '', sort }: { keyword?: string | undefined; sort?: string | undefined },
  at: Page,
): Promise<List<Machine & { agents: z.infer<typeof Agents>; seenAt: string }>> {
  const { by, direction } = sorting(sort, ['name', 'system', 'cpus', 'memory', 'disk', 'diskFree'])
  const matching = db
    .selectFrom('agent_machine as machine')
    .innerJoin('agent', 'agent.id', 'machine.agent_id')
    .$if(keyword !== '', (q) => q.where(anyContains(['machine.name', 'machine.system', 'agent.name'], keyword)))
    .groupBy('machine.name')
  const last = <T>(column: string) =>
    sql<T>`(array_agg(${sql.ref(`machine.${column}`)} order by agent.last_seen_at desc nulls last))[1]`
  const items = await matching
    .select('machine.name')
    .select([last<string>('system').as('system'), last<string>('architecture').as('architecture')])
    .select([last<number>('cpus').as('cpus'), last<number>('memory').as('memory')])
    .select([last<number>('disk').as('disk'), last<number>('disk_free').as('diskFree')])
    .select(sql<string>`max(agent.last_seen_at)`.as('seenAt'))
    .select(
      sql`jsonb_agg(jsonb_build_object('id', agent.id, 'name', agent.name,
        'state', case when ${online} then 'online' else 'offline' end) order by ${byName('agent.name')})`.as('agents'),
    )
    .orderBy(sorts[by], direction)
    .orderBy(byName('machine.name'))
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(
    items.map((row) => ({ ...row, agents: Agents.parse(row.agents) })),
    await countMatches(db, matching),
    at,
  )
}
