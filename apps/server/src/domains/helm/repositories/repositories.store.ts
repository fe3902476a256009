import type { RepositoryKind, UsableRepository } from '@gantry/contract/helm/repositories'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { z } from 'zod'
import { jsonb } from '../../../db/json.ts'
import { anyContains, byName, countMatches, sorting } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import { stackRows } from '../../stacks/public.read.ts'

/** As stored: password and CA are encrypted. */
export interface StoredRepository {
  id: number
  name: string
  url: string
  kind: RepositoryKind
  username: string
  password: string | null
  ca: string | null
  teams: { id: number; name: string }[]
  charts: number
  versions: number
  problem: unknown
  readAt: string | null
  revision: number
}

const Kind = z.enum(['index', 'oci'])

const rows = (db: Db) => db.selectFrom('helm_repository')

const columns = [
  'helm_repository.id',
  'helm_repository.name',
  'helm_repository.url',
  'helm_repository.kind',
  'helm_repository.username',
  'helm_repository.password',
  'helm_repository.ca',
  'helm_repository.problem',
  'helm_repository.read_at as readAt',
  'helm_repository.revision',
  sql<{ id: number; name: string }[]>`coalesce((select jsonb_agg(jsonb_build_object('id', team.id, 'name', team.name)
    order by ${byName('team.name')}) from helm_repository_team given join team on team.id = given.team_id
    where given.repository_id = helm_repository.id), '[]')`.as('teams'),
  sql<number>`(select count(*)::int from helm_chart where repository_id = helm_repository.id)`.as('charts'),
  sql<number>`(select coalesce(sum(versions), 0)::int from helm_chart where repository_id = helm_repository.id)`.as(
    'versions',
  ),
] as const

const stored = <R extends { kind: string }>(row: R) => ({ ...row, kind: Kind.parse(row.kind) })

/** With `lock` the row stays locked until the transaction ends. */
export async function findRepository(db: Db, id: number, { lock = false } = {}): Promise<StoredRepository | undefined> {
  const row = await rows(db)
    .select(columns)
    .where('helm_repository.id', '=', id)
    .$if(lock, (q) => q.forUpdate('helm_repository'))
    .executeTakeFirst()
  return row && stored(row)
}

export async function listRepositories(
  db: Db,
  { keyword, sort }: { keyword: string; sort: string | undefined },
  at: Page,
): Promise<List<StoredRepository>> {
  const { direction } = sorting(sort, ['name'])
  const of = rows(db).$if(keyword !== '', (q) =>
    q.where(anyContains(['helm_repository.name', 'helm_repository.url'], keyword)),
  )
  const items = await of
    .select(columns)
    .orderBy(byName('helm_repository.name'), direction)
    .orderBy('helm_repository.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items.map(stored), await countMatches(db, of), at)
}

export const allRepositories = async (db: Db): Promise<StoredRepository[]> =>
  (await rows(db).select(columns).orderBy(byName('helm_repository.name')).execute()).map(stored)

/** The repository by number or name, if the team may deploy from it. */
export async function findUsable(db: Db, teamId: number, by: number | string): Promise<StoredRepository | undefined> {
  const row = await rows(db)
    .innerJoin('helm_repository_team as given', 'given.repository_id', 'helm_repository.id')
    .select(columns)
    .where('given.team_id', '=', teamId)
    .where(typeof by === 'number' ? 'helm_repository.id' : 'helm_repository.name', '=', by)
    .executeTakeFirst()
  return row && stored(row)
}

export async function usableRepositories(db: Db, teamId: number): Promise<UsableRepository[]> {
  const found = await rows(db)
    .innerJoin('helm_repository_team as given', 'given.repository_id', 'helm_repository.id')
    .select(columns)
    .where('given.team_id', '=', teamId)
    .orderBy(byName('helm_repository.name'))
    .execute()
  return found.map(stored).map(({ id, name, kind, charts, problem, readAt }) => ({
    id,
    name,
    kind,
    charts,
    state: problem === null ? 'ready' : 'failed',
    readAt,
  }))
}

export type RepositoryRow = Pick<StoredRepository, 'name' | 'url' | 'kind' | 'username' | 'password' | 'ca'>

export const insertRepository = async (db: Db, row: RepositoryRow): Promise<number> =>
  (await db.insertInto('helm_repository').values(row).returning('id').executeTakeFirstOrThrow()).id

export const updateRepository = (db: Db, id: number, row: RepositoryRow) =>
  db
    .updateTable('helm_repository')
    .set({ ...row, revision: sql`revision + 1` })
    .where('id', '=', id)
    .execute()

export const noteProblem = (db: Db, id: number, problem: Reason) =>
  db
    .updateTable('helm_repository')
    .set({ problem: jsonb(problem) })
    .where('id', '=', id)
    .execute()

export const deleteRepository = (db: Db, id: number) => db.deleteFrom('helm_repository').where('id', '=', id).execute()

export async function setTeams(db: Db, id: number, teams: readonly number[]): Promise<void> {
  await db.deleteFrom('helm_repository_team').where('repository_id', '=', id).execute()
  if (teams.length === 0) return
  await db
    .insertInto('helm_repository_team')
    .values([...new Set(teams)].map((team_id) => ({ repository_id: id, team_id })))
    .execute()
}

/** Releases deployed from it: `team/stack/release`. */
export const releasesFrom = async (db: Db, id: number): Promise<string[]> =>
  (
    await db
      .selectFrom('helm_release')
      .innerJoin(stackRows.as('stack'), 'stack.id', 'helm_release.stack_id')
      .innerJoin('team', 'team.id', 'stack.team_id')
      .select(sql<string>`team.name || '/' || stack.name || '/' || helm_release.name`.as('name'))
      .where('helm_release.repository_id', '=', id)
      .orderBy(byName('stack.name'))
      .orderBy(byName('helm_release.name'))
      .limit(10)
      .execute()
  ).map(({ name }) => name)
