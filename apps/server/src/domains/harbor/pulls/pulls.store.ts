import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import { byName } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import { serviceRevisionRows, serviceRows, stackRows } from '../../stacks/public.read.ts'

/** Begins a round for a team's pull right. */
export const requestRound = (db: Db, harborId: number, teamId: number) =>
  db
    .insertInto('harbor_pull')
    .values({ harbor_id: harborId, team_id: teamId })
    .onConflict((c) =>
      c.columns(['harbor_id', 'team_id']).doUpdateSet({ wanted: sql`harbor_pull.wanted + 1`, settle_until: null }),
    )
    .execute()

/** The same for every team with a pull right in this Harbor. */
export const requestAllRounds = (db: Db, harborId: number) =>
  db
    .updateTable('harbor_pull')
    .set({ wanted: sql`wanted + 1`, settle_until: null })
    .where('harbor_id', '=', harborId)
    .execute()

/** The same for deleted teams, whose projects are already gone. */
export const wantOfMissingTeams = (db: Db) =>
  db
    .updateTable('harbor_pull')
    .set({ wanted: sql`wanted + 1`, settle_until: null })
    .where('settled', '>=', sql<number>`wanted`)
    .where(sql<boolean>`not exists (select from team where team.id = harbor_pull.team_id)`)
    .execute()

/** The robots that pull rights still have in a Harbor. */
export const leftRobots = async (db: Db, harborId: number): Promise<number[]> =>
  (
    await db
      .selectFrom('harbor_pull')
      .select('robot_id')
      .where('harbor_id', '=', harborId)
      .where('robot_id', 'is not', null)
      .execute()
  ).flatMap(({ robot_id }) => robot_id ?? [])

export interface Pull {
  wanted: number
  robotId: number | null
  /** URL of the Harbor in which the robot was created. */
  url: string
  /** Names of the team's projects there. */
  projects: string[]
  /** The registry that represents the Harbor, while the team may pull. */
  registryId: number | null
}

export const findPull = (db: Db, harborId: number, teamId: number): Promise<Pull | undefined> =>
  db
    .selectFrom('harbor_pull')
    .leftJoin('registry', (join) =>
      join
        .onRef('registry.harbor_id', '=', 'harbor_pull.harbor_id')
        .onRef('registry.team_id', '=', 'harbor_pull.team_id'),
    )
    .select([
      'harbor_pull.wanted',
      'harbor_pull.robot_id as robotId',
      'harbor_pull.url',
      'registry.id as registryId',
      sql<string[]>`array(select name from harbor_namespace given where given.harbor_id = harbor_pull.harbor_id
        and given.team_id = harbor_pull.team_id order by ${byName('name')})`.as('projects'),
    ])
    .where('harbor_pull.harbor_id', '=', harborId)
    .where('harbor_pull.team_id', '=', teamId)
    .executeTakeFirst()

const row = (db: Db, harborId: number, teamId: number) =>
  db.updateTable('harbor_pull').where('harbor_id', '=', harborId).where('team_id', '=', teamId)

export const noteRobot = (db: Db, harborId: number, teamId: number, robotId: number | null, url: string) =>
  row(db, harborId, teamId).set({ robot_id: robotId, url }).execute()

export const noteSettled = (db: Db, harborId: number, teamId: number, wanted: number) =>
  row(db, harborId, teamId).set({ settled: wanted, problem: null }).execute()

export const noteProblem = (db: Db, harborId: number, teamId: number, problem: Reason) =>
  row(db, harborId, teamId)
    .set({ problem: jsonb(problem) })
    .execute()

export async function deletePull(db: Db, harborId: number, teamId: number): Promise<void> {
  await dropRegistry(db, harborId, teamId)
  await db.deleteFrom('harbor_pull').where('harbor_id', '=', harborId).where('team_id', '=', teamId).execute()
}

interface HarborRegistry {
  harborId: number
  teamId: number
  name: string
  url: string
  username: string
  /** Encrypted. */
  password: string
}

/** Reads the Harbor's present CA in the statement itself, because it may change during a round. */
const authorityNow = (harborId: number) => sql<string>`(select ca from harbor where id = ${harborId})`

/** Stores the Harbor as a registry of the team. If the team has a registry of that name, this one gets a suffix. */
export async function putRegistry(db: Db, registry: HarborRegistry): Promise<void> {
  const { harborId, teamId, name, url, username, password } = registry
  const taken = await db
    .selectFrom('registry')
    .select('name')
    .where('team_id', '=', teamId)
    .where(sql<boolean>`harbor_id is distinct from ${harborId}::int`)
    .execute()
  const names = new Set(taken.map((one) => one.name))
  const free = [name, `${name} (Harbor)`, `${name} (Harbor ${harborId})`].find((one) => !names.has(one))
  const values = { name: free ?? `Harbor ${harborId}`, url, username, password, ca: authorityNow(harborId) }
  await db
    .insertInto('registry')
    .values({ ...values, team_id: teamId, harbor_id: harborId })
    .onConflict((c) => c.columns(['harbor_id', 'team_id']).where('harbor_id', 'is not', null).doUpdateSet(values))
    .execute()
}

/** Passes a new CA of the Harbor on to its registries of all teams. */
export const trustIn = (db: Db, harborId: number, ca: string) =>
  db.updateTable('registry').set({ ca }).where('harbor_id', '=', harborId).where('ca', '<>', ca).execute()

export const dropRegistry = (db: Db, harborId: number, teamId: number) =>
  db.deleteFrom('registry').where('harbor_id', '=', harborId).where('team_id', '=', teamId).execute()

/** Services of a team in which any container runs an image of a project, or could roll back to one: `stack/service`. */
export const servicesUsing = async (
  db: Db,
  { harborId, teamId, name }: { harborId: number; teamId: number; name: string },
): Promise<string[]> => {
  const lies = (spec: string) =>
    sql`exists (select from unnest(image_paths(${sql.ref(spec)})) as path where starts_with(path, ${`${name}/`}))
      and jsonb_path_exists(${sql.ref(spec)}, '$.**.registryId ? (@ == $id)', jsonb_build_object('id', registry.id))`
  const found = await db
    .selectFrom(serviceRows.as('service'))
    .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
    .innerJoin('registry', 'registry.team_id', 'stack.team_id')
    .select(sql<string>`stack.name || '/' || service.name`.as('service'))
    .where('registry.harbor_id', '=', harborId)
    .where('stack.team_id', '=', teamId)
    .where(
      sql<boolean>`(${lies('service.spec')} or ${lies('service.previous_spec')} or exists (
        select from ${serviceRevisionRows} r where r.service_id = service.id and ${lies('r.spec')}))`,
    )
    .orderBy(byName('stack.name'))
    .orderBy(byName('service.name'))
    .limit(10)
    .execute()
  return found.map(({ service }) => service)
}
