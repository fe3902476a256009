import type { Artifact, ArtifactEntry } from '@gantry/contract/pipelines/artifacts'
import type { List } from '@gantry/contract/paging'
import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { Tables } from '../../../db/tables.gen.ts'
import { byName } from '../../../db/list.ts'
import { listed, type Page } from '../../../kernel/paging.ts'

type Db = Kysely<Tables>

/** The artifacts below a folder, each with the `rest` of its path. */
const below = (db: Db, pipelineId: number, number: number, folder: string) => {
  const begin = folder === '' ? '' : `${folder}/`
  return db
    .selectFrom('build_artifact')
    .innerJoin('build', 'build.id', 'build_artifact.build_id')
    .innerJoin('build_step', (join) =>
      join
        .onRef('build_step.build_id', '=', 'build_artifact.build_id')
        .onRef('build_step.index', '=', 'build_artifact.step'),
    )
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .where(sql<boolean>`starts_with(build_artifact.path, ${begin})`)
    .select(['build_artifact.id', 'build_artifact.path', 'build_artifact.size', 'build_artifact.sha256'])
    .select(['build_step.name as step', 'build_artifact.created_at as createdAt', 'build_artifact.blob'])
    .select(sql<string>`substr(build_artifact.path, length(${begin}::text) + 1)`.as('rest'))
}

/** A page of a folder: folders first, each by name; with a keyword files at any depth. */
export async function listFolder(
  db: Db,
  pipelineId: number,
  number: number,
  { folder, keyword }: { folder: string; keyword: string },
  at: Page,
): Promise<List<ArtifactEntry>> {
  const flat = keyword !== ''
  const named = db
    .selectFrom(below(db, pipelineId, number, folder).as('file'))
    .selectAll()
    .select(flat ? sql<string>`rest`.as('name') : sql<string>`split_part(rest, '/', 1)`.as('name'))
    .select(sql<boolean>`${flat}::boolean or strpos(rest, '/') = 0`.as('leaf'))
    .$if(flat, (q) => q.where(sql<boolean>`strpos(lower(rest), lower(${keyword})) > 0`))
  const entries = db.selectFrom(named.as('one')).groupBy(['name', 'leaf'])
  const items = await entries
    .select(['name', sql<number | null>`case when leaf then min(id) end`.as('id')])
    // paths are unique in a build, and so a file is alone
    .select([sql<string>`case when leaf then min(sha256) else '' end`.as('sha256')])
    .select([sql<string>`case when leaf then min(step) else '' end`.as('step')])
    .select([sql<number>`sum(size)::bigint`.as('size'), sql<number>`count(*)::int`.as('files')])
    .select((q) => q.fn.max('createdAt').as('createdAt'))
    .orderBy('leaf')
    .orderBy(byName('name'))
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  const { total } = await db
    .selectFrom(entries.select('name').as('entry'))
    .select((q) => q.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const begin = folder === '' ? '' : `${folder}/`
  return listed(
    items.map((row) => ({ ...row, path: begin + row.name })),
    total,
    at,
  )
}

/** The files of a folder, by their path below it. */
export const filesBelow = (db: Db, pipelineId: number, number: number, folder: string) =>
  db
    .selectFrom(below(db, pipelineId, number, folder).as('file'))
    .select(['rest', 'size', 'blob', 'createdAt'])
    .orderBy('rest')
    .execute()

export const listArtifacts = (db: Db, pipelineId: number, number: number): Promise<z.infer<typeof Artifact>[]> =>
  artifactRows(db)
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .orderBy('build_artifact.path')
    .execute()

export const findArtifact = (db: Db, pipelineId: number, number: number, id: number) =>
  artifactRows(db)
    .select('build_artifact.blob')
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .where('build_artifact.id', '=', id)
    .executeTakeFirst()

const artifactRows = (db: Db) =>
  db
    .selectFrom('build_artifact')
    .innerJoin('build', 'build.id', 'build_artifact.build_id')
    .innerJoin('build_step', (join) =>
      join
        .onRef('build_step.build_id', '=', 'build_artifact.build_id')
        .onRef('build_step.index', '=', 'build_artifact.step'),
    )
    .select([
      'build_artifact.id',
      'build_artifact.path',
      'build_artifact.size',
      'build_artifact.sha256',
      'build_step.name as step',
      'build_artifact.created_at as createdAt',
    ])
