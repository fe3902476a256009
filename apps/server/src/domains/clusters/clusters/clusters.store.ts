import type { List } from '@gantry/contract/paging'
import { type RawBuilder, sql } from 'kysely'
import { anyContains, byName, countMatches } from '../../../db/list.ts'
import { prepared } from '../../../db/open.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { stackRows } from '../../stacks/public.read.ts'

/**
 * Condition on a row of `environment`: it is assigned to the team, or it is the sandbox, which every team may use. The
 * team is anything that an id can be compared with: a value, a column, `any(…)`.
 */
export const usableBy = (team: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(environment.sandbox or exists (select from environment_team
    where environment_team.environment = environment.uuid and environment_team.team_id = ${team}))`

export interface ClusterRow {
  uuid: string
  name: string
  description: string
  server: string
  sandbox: boolean
  version: string
  nodeNum: number
  health: 'healthy' | 'unreachable' | 'credentials' | 'unknown'
  reason: unknown
  reach: 'kubeconfig' | 'token' | 'agent'
  /** In cores, GiB and pods. */
  capacity: { cpu: number; memory: number; pods: number } | null
  /** In percent. */
  usage: { cpu: number | null; memory: number | null }
  createdAt: string
  /** Whether a complete delete is running. */
  leaving: boolean
  /** Uid of the cluster's kube-system; null until it was read. */
  cluster: string | null
  /** Identity of another cluster that answers at the address. */
  answers: string | null
  /** Another environment with the same cluster, from before this was refused. */
  twin: string | null
  /** A hash of its encrypted address. */
  addressHash: string
  teams: { id: number; name: string }[]
}

/** `address` is encrypted, and empty for a cluster with an agent. */
export interface Addressed {
  uuid: string
  name: string
  reach: ClusterRow['reach']
  address: string
  /** Uid of the cluster's kube-system; null until it was read. */
  cluster: string | null
  /** Identity of another cluster that answers at the address. */
  answers: string | null
}

/** The columns of Addressed. */
export const addressed = [
  'environment.uuid',
  'environment.name',
  'environment.reach',
  'environment.address',
  'environment.cluster',
  'environment.answers',
] as const

/** As stored: the server as lists show it, the address encrypted. */
export interface NewAddress {
  reach: ClusterRow['reach']
  server: string
  address: string
}

const rows = (db: Db) =>
  db
    .selectFrom('environment')
    .select([
      'environment.uuid',
      'environment.name',
      'environment.description',
      'environment.server',
      'environment.sandbox',
      'environment.version',
      'environment.node_num as nodeNum',
      'environment.health',
      'environment.reason',
      'environment.reach',
      'environment.created_at as createdAt',
      'environment.cluster',
      'environment.answers',
    ])
    .select((q) =>
      q
        .selectFrom('environment as other')
        .select('other.name')
        .whereRef('other.cluster', '=', 'environment.cluster')
        .whereRef('other.uuid', '!=', 'environment.uuid')
        .orderBy('other.created_at')
        .limit(1)
        .as('twin'),
    )
    .select(sql<string>`encode(sha256(convert_to(environment.address, 'UTF8')), 'base64')`.as('addressHash'))
    .select(sql<boolean>`environment.leaving_since is not null`.as('leaving'))
    .select((q) => [
      q.ref('environment.capacity').$castTo<ClusterRow['capacity']>().as('capacity'),
      q.ref('environment.usage').$castTo<ClusterRow['usage']>().as('usage'),
    ])
    .select(
      sql<
        { id: number; name: string }[]
      >`coalesce((select jsonb_agg(jsonb_build_object('id', team.id, 'name', team.name)
        order by ${byName('team.name')}) from environment_team join team on team.id = environment_team.team_id
        where environment_team.environment = environment.uuid), '[]')`.as('teams'),
    )

/** Clusters with problems come first. */
const byHealth = sql`array_position(array['unreachable', 'credentials', 'unknown', 'healthy'], environment.health)`

const orders = {
  name: byName('environment.name'),
  health: byHealth,
  version: byName('environment.version'),
  nodeNum: sql.ref('environment.node_num'),
  capacity: sql`(environment.capacity ->> 'cpu')::numeric`,
  usage: sql`(environment.usage ->> 'cpu')::numeric`,
}

export async function listClusters(
  db: Db,
  { keyword = '', health }: { keyword?: string | undefined; health?: ClusterRow['health'] | undefined },
  { by, direction }: { by: keyof typeof orders; direction: 'asc' | 'desc' },
  at: Page,
): Promise<List<ClusterRow>> {
  const named = rows(db).$if(keyword !== '', (q) => q.where(anyContains(['environment.name'], keyword)))
  const of = health === undefined ? named : named.where('environment.health', '=', health)
  const items = await of
    .orderBy(orders[by], (order) => order[direction]().nullsLast())
    .orderBy(orders.name)
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, of.clearSelect()), at)
}

export const clustersOfTeam = (db: Db, teamId: number): Promise<ClusterRow[]> =>
  rows(db)
    .where(usableBy(sql.val(teamId)))
    .orderBy(byName('environment.name'))
    .execute()

export const findCluster = (db: Db, uuid: string): Promise<ClusterRow | undefined> =>
  rows(db).where('environment.uuid', '=', uuid).executeTakeFirst()

/** The product's simulated cluster; it stays in the database where the sandbox is switched off later. */
export const sandboxCluster = (db: Db): Promise<{ uuid: string; server: string } | undefined> =>
  db.selectFrom('environment').select(['uuid', 'server']).where('sandbox', '=', true).executeTakeFirst()

export const mayUse = async (db: Db, uuid: string, teamId: number): Promise<boolean> =>
  (await db
    .selectFrom('environment')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where('leaving_since', 'is', null)
    .where(usableBy(sql.val(teamId)))
    .executeTakeFirst()) !== undefined

/**
 * Called in a transaction. `share`: until it ends nobody unassigns a team, starts to empty the environment or deletes
 * it. `update` waits for all who share the lock, and so sees what they have created.
 */
export async function lockCluster(db: Db, uuid: string, mode: 'share' | 'update'): Promise<void> {
  await db
    .selectFrom('environment')
    .select('uuid')
    .where('uuid', '=', uuid)
    .$if(mode === 'share', (q) => q.forShare())
    .$if(mode === 'update', (q) => q.forNoKeyUpdate())
    .execute()
}

/** The teams that may use it. */
export async function teamsUsing(db: Db, uuid: string): Promise<number[] | 'every' | undefined> {
  const row = await db
    .selectFrom('environment')
    .modifyFront(prepared)
    .select(['sandbox'])
    .select(
      sql<
        number[]
      >`array(select team_id from environment_team where environment_team.environment = environment.uuid order by team_id)`.as(
        'teams',
      ),
    )
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  return row?.sandbox ? 'every' : row?.teams
}

/** The encrypted address of each environment, or of one. */
export const addresses = (db: Db, uuid?: string): Promise<Addressed[]> =>
  db
    .selectFrom('environment')
    .modifyFront(prepared)
    .select(addressed)
    .$if(uuid !== undefined, (q) => q.where('uuid', '=', uuid ?? ''))
    .execute()

export const allUuids = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('environment').select('uuid').execute()).map(({ uuid }) => uuid)

/** Undefined if another environment has the same name or cluster. */
export const insertCluster = async (
  db: Db,
  environment: NewAddress & { name: string; description: string; cluster: string | null },
): Promise<string | undefined> =>
  (
    await db
      .insertInto('environment')
      .values(environment)
      .onConflict((c) => c.doNothing())
      .returning('uuid')
      .executeTakeFirst()
  )?.uuid

export const putSandbox = (db: Db, server: string, address: string) =>
  db
    .insertInto('environment')
    .values({ name: 'sandbox', server, address, sandbox: true })
    .onConflict((c) => c.column('sandbox').where('sandbox', '=', true).doUpdateSet({ server, address }))
    .execute()

export const updateCluster = (
  db: Db,
  uuid: string,
  change: { name: string; description: string } & Partial<NewAddress & { answers: string | null }>,
) =>
  db
    .updateTable('environment')
    .set(change)
    // what is known of the old address does not apply to the new one
    .$if(change.address !== undefined, (q) =>
      q.set({ health: 'unknown', reason: null, measured_at: null, capacity: null, version: '', node_num: 0 }),
    )
    .where('uuid', '=', uuid)
    .execute()

export const beginLeaving = (db: Db, uuid: string) =>
  db
    .updateTable('environment')
    .set({ leaving_since: sql`now()`, settle_until: null })
    .where('uuid', '=', uuid)
    .execute()

/** Whether a complete delete has been running for at least so many minutes. */
export const isLeaving = async (db: Db, uuid: string, minutes: number): Promise<boolean> =>
  (await db
    .selectFrom('environment')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where(sql<boolean>`leaving_since <= now() - make_interval(mins => ${minutes}::int)`)
    .executeTakeFirst()) !== undefined

export const stopLeaving = (db: Db, uuid: string) =>
  db.updateTable('environment').set({ leaving_since: null }).where('uuid', '=', uuid).execute()

export const deleteCluster = (db: Db, uuid: string) => db.deleteFrom('environment').where('uuid', '=', uuid).execute()

export const assignTeam = (db: Db, clusterId: string, teamId: number) =>
  db
    .insertInto('environment_team')
    .values({ environment: clusterId, team_id: teamId })
    .onConflict((c) => c.doNothing())
    .execute()

export const unassignTeam = (db: Db, clusterId: string, teamId: number) =>
  db.deleteFrom('environment_team').where('environment', '=', clusterId).where('team_id', '=', teamId).execute()

/** Names of the stacks on a cluster, of one team or of all. */
export const stacksOn = async (db: Db, clusterId: string, teamId?: number): Promise<string[]> =>
  (
    await db
      .selectFrom(stackRows.as('stack'))
      .select('name')
      .where('environment', '=', clusterId)
      .$if(teamId !== undefined, (q) => q.where('team_id', '=', teamId ?? 0))
      .orderBy(byName('name'))
      .limit(10)
      .execute()
  ).map((row) => row.name)
