import type { Dockerfile, DockerfileInput, DockerfileRow } from '@gantry/contract/dockerfiles/dockerfiles'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import { anyContains, byName, countMatches, rowCount } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import { toList, type Page } from '../../kernel/paging.ts'
import { pipelineRows } from '../pipelines/public.read.ts'

const rows = (db: Db) =>
  db
    .selectFrom('dockerfile')
    .select([
      'id',
      'team_id as teamId',
      'name',
      'description',
      'revision',
      'updated_at as updatedAt',
      'updated_by as updatedBy',
    ])
    .select((q) =>
      q
        .selectFrom('pipeline_dockerfile')
        .whereRef('dockerfile_id', '=', 'dockerfile.id')
        .$call(rowCount)
        .as('pipelineNum'),
    )

export async function listDockerfiles(db: Db, teamId: number, keyword: string, at: Page): Promise<List<DockerfileRow>> {
  const of = rows(db)
    .where('team_id', '=', teamId)
    .$if(keyword !== '', (q) => q.where(anyContains(['name', 'description'], keyword)))
  const items = await of.orderBy(byName('name')).limit(at.limit).offset(at.offset).execute()
  return toList(items, await countMatches(db, of.clearSelect()), at)
}

/** With `lock` the row stays locked until the transaction ends. */
export const findDockerfile = (
  db: Db,
  teamId: number,
  id: number,
  { lock = false } = {},
): Promise<Dockerfile | undefined> =>
  rows(db)
    .select('content')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .$if(lock, (q) => q.forUpdate('dockerfile'))
    .executeTakeFirst()

interface Written extends DockerfileInput {
  by: string
}

/** Returns the new Dockerfile's id; undefined if the team already has that name. */
export const insertDockerfile = async (
  db: Db,
  teamId: number,
  { name, description, content, by }: Written,
): Promise<number | undefined> =>
  (
    await db
      .insertInto('dockerfile')
      .values({ team_id: teamId, name, description, content, updated_by: by })
      .onConflict((c) => c.constraint('dockerfile_name').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const updateDockerfile = (db: Db, id: number, { name, description, content, by }: Written) =>
  db
    .updateTable('dockerfile')
    .set({ name, description, content, updated_by: by, updated_at: sql`now()`, revision: sql`revision + 1` })
    .where('id', '=', id)
    .execute()

export const deleteDockerfile = (db: Db, id: number) => db.deleteFrom('dockerfile').where('id', '=', id).execute()

/** At most `most` names of pipelines that use it. */
export const pipelinesBy = async (db: Db, id: number, most: number): Promise<string[]> =>
  (
    await db
      .selectFrom('pipeline_dockerfile')
      .innerJoin(pipelineRows.as('pipeline'), 'pipeline.id', 'pipeline_dockerfile.pipeline_id')
      .select('pipeline.name')
      .where('dockerfile_id', '=', id)
      .orderBy(byName('pipeline.name'))
      .limit(most)
      .execute()
  ).map(({ name }) => name)

/** The team's names that start with this one. */
export const namesLike = async (db: Db, teamId: number, name: string): Promise<string[]> =>
  (
    await db
      .selectFrom('dockerfile')
      .select('name')
      .where('team_id', '=', teamId)
      .where(sql<boolean>`starts_with(name, ${name})`)
      .execute()
  ).map((row) => row.name)

/** Those of the given Dockerfiles that belong to the team, with their content. */
export const dockerfilesOf = (
  db: Db,
  teamId: number,
  ids: number[],
): Promise<{ id: number; name: string; content: string }[]> =>
  db
    .selectFrom('dockerfile')
    .select(['id', 'name', 'content'])
    .where('team_id', '=', teamId)
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .execute()

/** Replaces the list of Dockerfiles that a pipeline uses. */
export async function linkDockerfiles(db: Db, pipelineId: number, ids: number[]): Promise<void> {
  await db
    .deleteFrom('pipeline_dockerfile')
    .where('pipeline_id', '=', pipelineId)
    .where(sql<boolean>`dockerfile_id <> all(${ids}::int[])`)
    .execute()
  if (ids.length === 0) return
  await db
    .insertInto('pipeline_dockerfile')
    .values(ids.map((id) => ({ pipeline_id: pipelineId, dockerfile_id: id })))
    .onConflict((c) => c.columns(['pipeline_id', 'dockerfile_id']).doNothing())
    .execute()
}
