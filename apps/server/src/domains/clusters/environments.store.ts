import type { List } from '@gantry/contract/paging'
import { type Kysely, sql } from 'kysely'
import { jsonb } from '../../db/json.ts'
import { anyContains, byCodePoint } from '../../db/list.ts'
import type { Tables } from '../../db/tables.gen.ts'
import { listed, type Page } from '../../kernel/paging.ts'

type Db = Kysely<Tables>

export interface EnvironmentRow {
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
  /** Cores, GiB, pods. */
  capacity: { cpu: number; memory: number; pods: number } | null
  /** Percent. */
  usage: { cpu: number | null; memory: number | null }
  createdAt: string
  teams: { id: number; name: string }[]
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
    ])
    .select((q) => [
      q.ref('environment.capacity').$castTo<EnvironmentRow['capacity']>().as('capacity'),
      q.ref('environment.usage').$castTo<EnvironmentRow['usage']>().as('usage'),
    ])
    .select(
      sql<
        { id: number; name: string }[]
      >`coalesce((select jsonb_agg(jsonb_build_object('id', team.id, 'name', team.name)
        order by team.name) from environment_team join team on team.id = environment_team.team_id
        where environment_team.environment = environment.uuid), '[]')`.as('teams'),
    )

/** Assigned to the team, or the sandbox, which is every team's. */
const usableBy = (teamId: number) =>
  sql<boolean>`(environment.sandbox or exists (select from environment_team
    where environment_team.environment = environment.uuid and environment_team.team_id = ${teamId}))`

export async function listEnvironments(db: Db, keyword: string, at: Page): Promise<List<EnvironmentRow>> {
  const of = rows(db).$if(keyword !== '', (q) => q.where(anyContains(['environment.name'], keyword)))
  const items = await of.orderBy(byCodePoint('environment.name')).limit(at.limit).offset(at.offset).execute()
  const { total } = await of
    .clearSelect()
    .select((n) => n.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return listed(items, total, at)
}

export const environmentsOf = (db: Db, teamId: number): Promise<EnvironmentRow[]> =>
  rows(db).where(usableBy(teamId)).orderBy(byCodePoint('environment.name')).execute()

export const findEnvironment = (db: Db, uuid: string): Promise<EnvironmentRow | undefined> =>
  rows(db).where('environment.uuid', '=', uuid).executeTakeFirst()

/** The product's simulated cluster; it stays in the database where the sandbox is switched off later. */
export const sandboxEnvironment = (db: Db): Promise<{ uuid: string; server: string } | undefined> =>
  db.selectFrom('environment').select(['uuid', 'server']).where('sandbox', '=', true).executeTakeFirst()

export const mayUse = async (db: Db, uuid: string, teamId: number): Promise<boolean> =>
  (await db
    .selectFrom('environment')
    .select('uuid')
    .where('uuid', '=', uuid)
    .where(usableBy(teamId))
    .executeTakeFirst()) !== undefined

/** The teams that may use it. */
export async function teamsUsing(db: Db, uuid: string): Promise<number[] | 'every' | undefined> {
  const row = await db
    .selectFrom('environment')
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

/** The sealed address of each environment, or of one. */
export const addresses = (db: Db, uuid?: string): Promise<{ uuid: string; address: string }[]> =>
  db
    .selectFrom('environment')
    .select(['uuid', 'address'])
    .$if(uuid !== undefined, (q) => q.where('uuid', '=', uuid ?? ''))
    .execute()

export const insertEnvironment = async (
  db: Db,
  environment: { name: string; description: string; server: string; address: string },
): Promise<string | undefined> =>
  (
    await db
      .insertInto('environment')
      .values(environment)
      .onConflict((c) => c.constraint('environment_name').doNothing())
      .returning('uuid')
      .executeTakeFirst()
  )?.uuid

export const putSandbox = (db: Db, server: string, address: string) =>
  db
    .insertInto('environment')
    .values({ name: 'sandbox', server, address, sandbox: true })
    .onConflict((c) => c.column('sandbox').where('sandbox', '=', true).doUpdateSet({ server, address }))
    .execute()

export const updateEnvironment = (
  db: Db,
  uuid: string,
  change: { name: string; description: string; server?: string; address?: string },
) => db.updateTable('environment').set(change).where('uuid', '=', uuid).execute()

export const deleteEnvironment = (db: Db, uuid: string) =>
  db.deleteFrom('environment').where('uuid', '=', uuid).execute()

export const assignTeam = (db: Db, environment: string, teamId: number) =>
  db
    .insertInto('environment_team')
    .values({ environment, team_id: teamId })
    .onConflict((c) => c.doNothing())
    .execute()

export const unassignTeam = (db: Db, environment: string, teamId: number) =>
  db.deleteFrom('environment_team').where('environment', '=', environment).where('team_id', '=', teamId).execute()

/** Names of stacks on a cluster, of one team or of all. */
export const stacksOn = async (db: Db, environment: string, teamId?: number): Promise<string[]> =>
  (
    await db
      .selectFrom('stack')
      .select('name')
      .where('environment', '=', environment)
      .$if(teamId !== undefined, (q) => q.where('team_id', '=', teamId ?? 0))
      .orderBy('name')
      .limit(10)
      .execute()
  ).map((row) => row.name)

export interface Checked {
  health: EnvironmentRow['health']
  reason: { key: string; vars: Record<string, string | number> } | null
  version?: string
  nodeNum?: number
}

export const noteHealth = (db: Db, uuid: string, checked: Checked) =>
  db
    .updateTable('environment')
    .set({
      health: checked.health,
      reason: checked.reason && jsonb(checked.reason),
      checked_at: sql`now()`,
      ...(checked.version === undefined ? {} : { version: checked.version }),
      ...(checked.nodeNum === undefined ? {} : { node_num: checked.nodeNum }),
    })
    .where('uuid', '=', uuid)
    .execute()
