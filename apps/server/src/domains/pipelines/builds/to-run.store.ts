import type { Step } from '@gantry/contract/pipelines/definition'
import { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/tables.gen.ts'
import type { Actor } from '../../../kernel/context.ts'
import { activeStatuses } from '../../../identity/sessions.ts'
import { isWithheld } from '../jobs/conditions.ts'
import { MergeRequest } from './merge-request.store.ts'
import { planOf } from '../jobs/plan.ts'
import { actsFor, actsForName } from './builds.store.ts'

const Parameters = z.record(z.string(), z.string())

/**
 * What a build takes from its revision of the pipeline's document. Secrets and the repository are the pipeline's
 * present ones.
 */
const Built = z.object(
  PipelineDocument.omit({ appId: true, projectName: true, repository: true, variables: true }).shape,
)

/**
 * Builds, each with the pipeline's document at the time it was triggered. Without a known revision, only the row's
 * stages.
 */
const built = (db: Db) =>
  db
    .selectFrom('build')
    .leftJoin('pipeline_revision', (join) =>
      join
        .onRef('pipeline_revision.pipeline_id', '=', 'build.pipeline_id')
        .onRef('pipeline_revision.revision', '=', 'build.revision'),
    )
    .select(
      sql`coalesce(pipeline_revision.document, jsonb_build_object('definition', build.definition))`.as('document'),
    )

/** What an agent needs to run a build, as of the time it was triggered. */
export async function buildToRun(db: Db, id: number) {
  const { document, parameters, ...row } = await built(db)
    .select([
      'build.parameters',
      'build.secret_parameters as secretParameters',
      'build.branch',
      'build.tag',
      'build.commit',
      'build.cause',
      'build.image',
    ])
    .select(['build.changed_paths as changedPaths', 'build.timeout_seconds as timeoutSeconds'])
    .select('build.merge_request as mergeRequest')
    .where('build.id', '=', id)
    .executeTakeFirstOrThrow()
  const mergeRequest = MergeRequest.nullable().parse(row.mergeRequest)
  const fork = mergeRequest?.fork === true
  return {
    ...row,
    /** The name of a fork's branch decides nothing: see `Facts`. */
    branch: fork ? '' : row.branch,
    document: Built.parse(document),
    parameters: Parameters.parse(parameters),
    mergeRequest,
    fork,
  }
}

/** A step of a build as defined when the build was triggered; undefined if a fork's build leaves it out. */
export async function stepOfBuild(db: Db, buildId: number, index: number): Promise<Step | undefined> {
  const row = await built(db)
    .select('build.merge_request as mergeRequest')
    .where('build.id', '=', buildId)
    .executeTakeFirst()
  const step = row && planOf(Built.parse(row.document).definition).flatMap(({ steps }) => steps)[index]?.step
  const fork = MergeRequest.nullish().parse(row?.mergeRequest)?.fork === true
  return step && !isWithheld(step.type, fork) ? step : undefined
}

/** The images that the build has pushed so far, in the order of their steps. */
export const imagesOfBuild = (db: Db, buildId: number) =>
  db
    .selectFrom('build_image')
    .innerJoin('build_step', (join) =>
      join.onRef('build_step.build_id', '=', 'build_image.build_id').onRef('build_step.index', '=', 'build_image.step'),
    )
    .select(['build_step.name as step', 'image', 'tag', 'digest', 'registry_id as registryId'])
    .where('build_image.build_id', '=', buildId)
    .orderBy('build_image.step')
    .execute()

/** The user a build acts for, with their present account; null if deleted or disabled. */
export async function triggererOf(db: Db, buildId: number): Promise<{ name: string; actor: Actor | null }> {
  const row = await db
    .selectFrom('build')
    .leftJoin('account', (join) => join.on('account.id', '=', actsFor).on('account.status', 'in', activeStatuses))
    .select(['cause', 'retried_by', actsForName.as('name'), 'build.team_id as teamId', 'account.id', 'account.admin'])
    .select(['token_alias as alias', 'token_permissions as permissions'])
    .where('build.id', '=', buildId)
    .executeTakeFirstOrThrow()
  const { id, name, teamId, alias, permissions } = row
  // the product itself triggers its sample build
  const isSample = row.cause === 'sample' && row.retried_by === null
  if (id === null) return { name, actor: isSample ? { kind: 'system', id: 0, name, admin: false } : null }
  if (alias === null) return { name, actor: { kind: 'user', id, name, admin: row.admin === true } }
  const limit = { kind: 'token', teamId, alias, permissions: new Set(permissions) } as const
  return { name, actor: { kind: 'user', id, name, admin: false, limit } }
}
