import { QualityCheck } from '@gantry/contract/code-quality/results'
import { sql } from 'kysely'
import { z } from 'zod'
import { jsonb } from '../../db/json.ts'
import type { Db } from '../../db/tables.gen.ts'
import { buildRows, buildStepRows, pipelineGroupRows, pipelineRows } from '../pipelines/public.read.ts'

const Checks = z.array(QualityCheck)

/** The names that a pipeline's project is made from. */
export const projectOf = (db: Db, pipelineId: number) =>
  db
    .selectFrom(pipelineRows.as('pipeline'))
    .innerJoin(pipelineGroupRows.as('pipeline_group'), 'pipeline_group.id', 'pipeline.group_id')
    .innerJoin('team', 'team.id', 'pipeline.team_id')
    .select(['pipeline.uuid', 'pipeline.name', 'pipeline_group.name as group', 'team.name as team'])
    .where('pipeline.id', '=', pipelineId)
    .executeTakeFirstOrThrow()

interface Begun {
  buildId: number
  step: number
  attempt: number
  server: string
  since: string
}

/** Starts a result; a repeated step starts afresh. */
export const beginResult = (db: Db, { buildId, step, attempt, server, since }: Begun) =>
  db
    .insertInto('code_quality_result')
    .values({ build_id: buildId, step, attempt, server, since })
    .onConflict((c) =>
      c
        .columns(['build_id', 'step'])
        .doUpdateSet({ attempt, server, since, passed: null, checks: jsonb([]), at: null }),
    )
    .execute()

export async function findResult(db: Db, buildId: number, step: number) {
  const row = await db
    .selectFrom('code_quality_result')
    .select(['attempt', 'server', 'since', 'passed', 'checks'])
    .where('build_id', '=', buildId)
    .where('step', '=', step)
    .executeTakeFirst()
  return row && { ...row, checks: Checks.parse(row.checks) }
}

export const endResult = (db: Db, buildId: number, step: number, checks: QualityCheck[]) =>
  db
    .updateTable('code_quality_result')
    .set({ passed: checks.every(({ passed }) => passed), checks: jsonb(checks), at: sql`now()` })
    .where('build_id', '=', buildId)
    .where('step', '=', step)
    .execute()

/** The results of a build's steps, in the order of the build. */
export async function resultsOf(db: Db, pipelineId: number, number: number) {
  const rows = await db
    .selectFrom('code_quality_result')
    .innerJoin(buildRows.as('build'), 'build.id', 'code_quality_result.build_id')
    .innerJoin(buildStepRows.as('build_step'), (join) =>
      join
        .onRef('build_step.build_id', '=', 'code_quality_result.build_id')
        .onRef('build_step.index', '=', 'code_quality_result.step'),
    )
    .select(['code_quality_result.step', 'build_step.name as stepName', 'passed', 'checks', 'server', 'at'])
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .where('at', 'is not', null)
    .orderBy('code_quality_result.step')
    .execute()
  return rows.map(({ checks, ...row }) => ({ ...row, checks: Checks.parse(checks) }))
}
