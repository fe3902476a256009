import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { anyContains, byName, countMatches, sorting } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { holdTeam } from '../../teams/public.read.ts'

export interface StoredNamespace {
  id: number
  name: string
  projectId: number
  teamId: number
  harborId: number
  harborName: string
  url: string
  sandbox: boolean
  public: boolean
  repositories: number | null
  readAt: string | null
  settled: boolean | null
  problem: unknown
}

const from = (db: Db) =>
  db
    .selectFrom('harbor_namespace')
    .innerJoin('harbor', 'harbor.id', 'harbor_namespace.harbor_id')
    .leftJoin('harbor_pull', (join) =>
      join
        .onRef('harbor_pull.harbor_id', '=', 'harbor_namespace.harbor_id')
        .onRef('harbor_pull.team_id', '=', 'harbor_namespace.team_id'),
    )

const columns = [
  'harbor_namespace.id',
  'harbor_namespace.name',
  'harbor_namespace.project_id as projectId',
  'harbor_namespace.team_id as teamId',
  'harbor.id as harborId',
  'harbor.name as harborName',
  'harbor.url',
  'harbor.sandbox',
  'harbor_namespace.public',
  'harbor_namespace.repositories',
  'harbor_namespace.read_at as readAt',
  sql<boolean | null>`harbor_pull.settled >= harbor_pull.wanted`.as('settled'),
  'harbor_pull.problem',
] as const

export async function namespacesOf(
  db: Db,
  teamId: number,
  { keyword, sort }: { keyword: string; sort: string | undefined },
  at: Page,
): Promise<List<StoredNamespace>> {
  const { by, direction } = sorting(sort, ['name', 'harbor'])
  const of = from(db)
    .where('harbor_namespace.team_id', '=', teamId)
    .$if(keyword !== '', (q) => q.where(anyContains(['harbor_namespace.name', 'harbor.name'], keyword)))
  const items = await of
    .select(columns)
    .orderBy(byName(by === 'name' ? 'harbor_namespace.name' : 'harbor.name'), direction)
    .orderBy('harbor_namespace.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items, await countMatches(db, of), at)
}

/** All projects of a team, or those in one Harbor. */
export const namespacesIn = (db: Db, teamId: number, harborId?: number): Promise<StoredNamespace[]> =>
  from(db)
    .select(columns)
    .where('harbor_namespace.team_id', '=', teamId)
    .$if(harborId !== undefined, (q) => q.where('harbor_namespace.harbor_id', '=', harborId ?? 0))
    .orderBy(byName('harbor_namespace.name'))
    .orderBy('harbor_namespace.id')
    .limit(1000)
    .execute()

export const findNamespace = (db: Db, teamId: number, id: number): Promise<StoredNamespace | undefined> =>
  from(db)
    .select(columns)
    .where('harbor_namespace.team_id', '=', teamId)
    .where('harbor_namespace.id', '=', id)
    .executeTakeFirst()

export const deleteNamespaces = (db: Db, ids: number[]) =>
  db.deleteFrom('harbor_namespace').where('id', 'in', ids).execute()

export const teamsOfProjects = (
  db: Db,
  harborId: number,
  projectIds: number[],
): Promise<{ projectId: number; id: number; name: string }[]> =>
  projectIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('harbor_namespace')
        .innerJoin('team', 'team.id', 'harbor_namespace.team_id')
        .select(['harbor_namespace.project_id as projectId', 'team.id', 'team.name'])
        .where('harbor_id', '=', harborId)
        .where('project_id', 'in', projectIds)
        .orderBy(byName('team.name'))
        .execute()

/** False if the team does not exist. */
export async function addNamespace(
  db: Db,
  namespace: {
    harborId: number
    projectId: number
    name: string
    teamId: number
    isPublic: boolean
    repositories: number
  },
): Promise<boolean> {
  const { harborId, projectId, name, teamId, isPublic, repositories } = namespace
  if (!(await holdTeam(db, teamId))) return false
  await db
    .insertInto('harbor_namespace')
    .values({
      harbor_id: harborId,
      project_id: projectId,
      name,
      team_id: teamId,
      public: isPublic,
      repositories,
      read_at: sql`now()`,
    })
    .onConflict((c) => c.doNothing())
    .execute()
  return true
}

export const removeTeams = (db: Db, harborId: number, projectId: number, teamIds: number[]) =>
  db
    .deleteFrom('harbor_namespace')
    .where('harbor_id', '=', harborId)
    .where('project_id', '=', projectId)
    .where('team_id', 'in', teamIds)
    .execute()

/** Whether a private project of the simulated Harbor belongs to other teams, but not to this one. */
export async function othersProject(db: Db, teamId: number, name: string): Promise<boolean> {
  const teams = await db
    .selectFrom('harbor_namespace')
    .innerJoin('harbor', 'harbor.id', 'harbor_namespace.harbor_id')
    .select('harbor_namespace.team_id as id')
    .where('harbor.sandbox', '=', true)
    .where('harbor_namespace.name', '=', name)
    .where('harbor_namespace.public', '=', false)
    .execute()
  return teams.length > 0 && !teams.some(({ id }) => id === teamId)
}

/** Stores what a Harbor reported about a project. */
export const noteProject = (db: Db, harborId: number, project: { id: number; public: boolean; repositories: number }) =>
  db
    .updateTable('harbor_namespace')
    .set({ public: project.public, repositories: project.repositories, read_at: sql`now()` })
    .where('harbor_id', '=', harborId)
    .where('project_id', '=', project.id)
    .execute()

/** Teams with a project in a Harbor; undefined if there is no such Harbor. */
export async function teamsOfHarbor(db: Db, harborId: number): Promise<number[] | undefined> {
  const harbor = await db
    .selectFrom('harbor')
    .select(sql<number[]>`array(select distinct team_id from harbor_namespace where harbor_id = harbor.id)`.as('teams'))
    .where('id', '=', harborId)
    .executeTakeFirst()
  return harbor?.teams
}

/** A project by its number or name, with the teams that have it. */
export const assignedProject = async (
  db: Db,
  harborId: number,
  project: { id: number } | { name: string },
): Promise<{ id: number; name: string; teams: number[] } | undefined> => {
  const rows = await db
    .selectFrom('harbor_namespace')
    .select(['project_id as id', 'name', 'team_id'])
    .where('harbor_id', '=', harborId)
    .$if('id' in project, (q) => q.where('project_id', '=', 'id' in project ? project.id : 0))
    .$if('name' in project, (q) => q.where('name', '=', 'name' in project ? project.name : ''))
    .execute()
  const [first] = rows
  return first && { id: first.id, name: first.name, teams: rows.map(({ team_id }) => team_id) }
}
