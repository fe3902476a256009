import { type Release, ReleaseState } from '@gantry/contract/helm/releases'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import { anyContains, byName, countMatches, sorting } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { isAttemptAt } from '../../stacks/public.ts'
import type { Reason } from '../../../kernel/phrase.ts'
import { clusterRows } from '../../clusters/public.read.ts'
import { stackRows } from '../../stacks/public.read.ts'

/** As stored: the values are encrypted. */
export interface StoredRelease extends Omit<Release, 'message'> {
  teamId: number
  reason: unknown
  given: string | null
  target: number | null
  elevated: boolean
  generation: number
}

const rows = (db: Db) =>
  db
    .selectFrom('helm_release')
    .innerJoin(stackRows.as('stack'), 'stack.id', 'helm_release.stack_id')
    .innerJoin(clusterRows.as('environment'), 'environment.uuid', 'stack.environment')
    .leftJoin('helm_repository', 'helm_repository.id', 'helm_release.repository_id')

const columns = [
  'helm_release.id',
  'helm_release.name',
  'helm_release.stack_id as stackId',
  'stack.name as stack',
  'stack.namespace',
  'stack.team_id as teamId',
  'stack.environment as cluster',
  'environment.name as clusterName',
  'helm_release.repository_id as repositoryId',
  sql<string>`coalesce(helm_repository.name, '')`.as('repository'),
  'helm_release.chart',
  'helm_release.version',
  'helm_release.state',
  'helm_release.reason',
  'helm_release.given_values as given',
  'helm_release.target',
  'helm_release.elevated',
  'helm_release.generation',
  'helm_release.actor',
  'helm_release.updated_at as updatedAt',
] as const

const stored = <R extends { state: string }>(row: R) => ({ ...row, state: ReleaseState.parse(row.state) })

export async function findRelease(db: Db, id: number): Promise<StoredRelease | undefined> {
  const row = await rows(db).select(columns).where('helm_release.id', '=', id).executeTakeFirst()
  return row && stored(row)
}

export async function findByName(db: Db, stackId: number, name: string): Promise<StoredRelease | undefined> {
  const row = await rows(db)
    .select(columns)
    .where('helm_release.stack_id', '=', stackId)
    .where('helm_release.name', '=', name)
    .executeTakeFirst()
  return row && stored(row)
}

const sorts = ['name', 'updatedAt'] as const

export async function listReleases(
  db: Db,
  filter: { teamId: number; environment: string | undefined; state: ReleaseState | undefined; keyword: string },
  sort: string | undefined,
  at: Page,
): Promise<List<StoredRelease>> {
  const { by, direction } = sorting<(typeof sorts)[number]>(sort, sorts)
  const of = rows(db)
    .where('stack.team_id', '=', filter.teamId)
    .$if(filter.environment !== undefined, (q) => q.where('stack.environment', '=', filter.environment ?? ''))
    .$if(filter.state !== undefined, (q) => q.where('helm_release.state', '=', filter.state ?? 'deployed'))
    .$if(filter.keyword !== '', (q) =>
      q.where(anyContains(['helm_release.name', 'helm_release.chart', 'stack.name'], filter.keyword)),
    )
  const items = await of
    .select(columns)
    .orderBy(by === 'name' ? byName('helm_release.name') : sql`helm_release.updated_at`, direction)
    .orderBy('helm_release.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(items.map(stored), await countMatches(db, of), at)
}

interface Wanted {
  repositoryId: number
  chart: string
  version: string
  given: string | null
  elevated: boolean
  actor: string
}

/**
 * Undefined if helm is working on the release of that name, or if its generation is no longer `seen`, on which the
 * caller decided. 0 means that there was no release.
 */
export async function putDeployment(
  db: Db,
  stackId: number,
  name: string,
  seen: number,
  wanted: Wanted,
): Promise<number | undefined> {
  const row = {
    repository_id: wanted.repositoryId,
    chart: wanted.chart,
    version: wanted.version,
    given_values: wanted.given,
    elevated: wanted.elevated,
    actor: wanted.actor,
    state: 'deploying' as const,
    reason: null,
    target: null,
  }
  const put = await db
    .insertInto('helm_release')
    .values({ ...row, stack_id: stackId, name })
    .onConflict((c) =>
      c
        .constraint('helm_release_name')
        .doUpdateSet({
          ...row,
          generation: sql`helm_release.generation + 1`,
          updated_at: sql`now()`,
          settle_until: null,
        })
        .where('helm_release.state', 'in', ['deployed', 'failed'])
        .where('helm_release.generation', '=', seen),
    )
    .returning('id')
    .executeTakeFirst()
  return put?.id
}

/** Records that a step of a build started this generation. */
export const noteDeploy = (db: Db, deployKey: string, { id, generation }: StoredRelease) =>
  db.insertInto('helm_release_deploy').values({ deploy_key: deployKey, release_id: id, generation }).execute()

/** The last deployment of a release that was started under this key. */
export const lastDeploy = (db: Db, releaseId: number, key: string) =>
  db
    .selectFrom('helm_release_deploy')
    .select(['deploy_key as deployKey', 'generation'])
    .where('release_id', '=', releaseId)
    .where(isAttemptAt(key))
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirst()

/** False if helm is working on it, or if its generation is no longer `seen`. */
export async function startAct(
  db: Db,
  id: number,
  seen: number,
  act: { state: 'rolling-back' | 'uninstalling'; target: number | null; elevated: boolean; actor: string },
): Promise<boolean> {
  const done = await db
    .updateTable('helm_release')
    .set({ ...act, reason: null, generation: sql`generation + 1`, updated_at: sql`now()`, settle_until: null })
    .where('id', '=', id)
    .where('state', 'in', ['deployed', 'failed'])
    .where('generation', '=', seen)
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}

export interface Outcome {
  state: ReleaseState
  reason: Reason | null
  /** Set after a rollback: what is in force now. */
  chart?: string | undefined
  version?: string | undefined
  given?: string | null | undefined
}

export const noteOutcome = (db: Db, id: number, { state, reason, chart, version, given }: Outcome) =>
  db
    .updateTable('helm_release')
    .set({
      state,
      reason: reason && jsonb(reason),
      updated_at: sql`now()`,
      ...(chart === undefined ? {} : { chart }),
      ...(version === undefined ? {} : { version }),
      ...(given === undefined ? {} : { given_values: given }),
    })
    .where('id', '=', id)
    .execute()

/** An image that a revision of a release names. */
export interface ReleaseImage {
  /** 0 for a deployment in progress. */
  revision: number
  runs: boolean
  image: string
  path: string
}

const insertImages = (db: Db, id: number, images: readonly ReleaseImage[]) =>
  db
    .insertInto('helm_release_image')
    .values(images.map((one) => ({ release_id: id, ...one })))
    .onConflict((c) => c.doNothing())
    .execute()

/** Adds the images of a new deployment to those of the existing revisions. */
export async function addImages(db: Db, id: number, images: readonly ReleaseImage[]): Promise<void> {
  if (images.length > 0) await insertImages(db, id, images)
}

export async function putImages(db: Db, id: number, images: readonly ReleaseImage[]): Promise<void> {
  await db.deleteFrom('helm_release_image').where('release_id', '=', id).execute()
  await addImages(db, id, images)
}

export const deleteRelease = (db: Db, id: number) => db.deleteFrom('helm_release').where('id', '=', id).execute()
