import type { Artifact, ArtifactEntry } from '@gantry/contract/pipelines/artifacts'
import type { List } from '@gantry/contract/paging'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../../db/tables.gen.ts'
import { hasStayed, isAside, type JobAttempt } from '../attempts/attempts.read.ts'
import { byName } from '../../../db/list.ts'
import { toList, type Page } from '../../../kernel/paging.ts'

const latestFiles = (db: Db) =>
  db.selectFrom('build_artifact').select(['id', 'build_id', 'step', 'path', 'size', 'sha256', 'blob', 'created_at'])

/** The artifacts of builds: of the latest attempts, or of an attempt that was moved aside. */
const files = (db: Db, of?: JobAttempt) =>
  of && of.kept !== null
    ? db
        .selectFrom('build_attempt_artifact')
        .innerJoin('build_attempt', 'build_attempt.id', 'build_attempt_artifact.attempt_id')
        .select(['build_attempt_artifact.id', 'build_id', 'step', 'path', 'size', 'sha256', 'blob', 'created_at'])
        .where(isAside(of, 'step'))
        .unionAll(latestFiles(db).where(hasStayed(of, { buildId: 'build_id', step: 'step' })))
    : latestFiles(db)

const artifactRows = (db: Db, pipelineId: number, number: number, of?: JobAttempt) =>
  db
    .selectFrom(files(db, of).as('artifact'))
    .innerJoin('build', 'build.id', 'artifact.build_id')
    .innerJoin('build_step', (join) =>
      join.onRef('build_step.build_id', '=', 'artifact.build_id').onRef('build_step.index', '=', 'artifact.step'),
    )
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .$if(of !== undefined, (q) => q.where('build_step.job', '=', of?.job ?? 0))
    .select(['artifact.id', 'artifact.path', 'artifact.size', 'artifact.sha256'])
    .select(['build_step.name as step', 'artifact.created_at as createdAt'])

/** The folder, and the attempt that its files are of. */
export interface ArtifactFolder {
  folder: string
  of: JobAttempt | undefined
}

/** The artifacts below a folder, each with the `rest` of its path. */
const artifactsBelow = (db: Db, pipelineId: number, number: number, { folder, of }: ArtifactFolder) => {
  const begin = folder === '' ? '' : `${folder}/`
  return artifactRows(db, pipelineId, number, of)
    .where(sql<boolean>`starts_with(artifact.path, ${begin})`)
    .select('artifact.blob')
    .select(sql<string>`substr(artifact.path, length(${begin}::text) + 1)`.as('rest'))
}

/** A page of a folder: folders first, each by name; with a keyword, files at any depth. */
export async function listFolder(
  db: Db,
  pipelineId: number,
  number: number,
  { keyword, ...where }: ArtifactFolder & { keyword: string },
  at: Page,
): Promise<List<ArtifactEntry>> {
  const flat = keyword !== ''
  const named = db
    .selectFrom(artifactsBelow(db, pipelineId, number, where).as('file'))
    .selectAll()
    .select(flat ? sql<string>`rest`.as('name') : sql<string>`split_part(rest, '/', 1)`.as('name'))
    .select(sql<boolean>`${flat}::boolean or strpos(rest, '/') = 0`.as('leaf'))
    .$if(flat, (q) => q.where(sql<boolean>`strpos(lower(rest), lower(${keyword})) > 0`))
  const entries = db.selectFrom(named.as('one')).groupBy(['name', 'leaf'])
  const items = await entries
    .select(['name', sql<number | null>`case when leaf then min(id) end`.as('id')])
    // paths are unique in a build, so a leaf is a single file
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
  const begin = where.folder === '' ? '' : `${where.folder}/`
  return toList(
    items.map((row) => ({ ...row, path: begin + row.name })),
    total,
    at,
  )
}

/** The files of a folder, by their path below it. */
export const filesBelow = (db: Db, pipelineId: number, number: number, where: ArtifactFolder) =>
  db
    .selectFrom(artifactsBelow(db, pipelineId, number, where).as('file'))
    .select(['rest', 'size', 'blob', 'createdAt'])
    .orderBy('rest')
    .execute()

export const listArtifacts = (
  db: Db,
  pipelineId: number,
  number: number,
  of?: JobAttempt,
): Promise<z.infer<typeof Artifact>[]> => artifactRows(db, pipelineId, number, of).orderBy('artifact.path').execute()

/** An artifact of any attempt. */
export async function findArtifact(db: Db, pipelineId: number, number: number, id: number) {
  const aside = await db
    .selectFrom('build_attempt_artifact')
    .innerJoin('build_attempt', 'build_attempt.id', 'build_attempt_artifact.attempt_id')
    .select(['build_id as buildId', 'job', 'attempt', 'attempt_id as kept'])
    .where('build_attempt_artifact.id', '=', id)
    .executeTakeFirst()
  return artifactRows(db, pipelineId, number, aside)
    .select('artifact.blob')
    .where('artifact.id', '=', id)
    .executeTakeFirst()
}
