import type { ScanResult } from '@gantry/contract/pipelines/findings/scans'
import type { Severity } from '@gantry/contract/pipelines/steps/reports'
import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'

export const putScan = (
  db: Db,
  { buildId, step, path }: { buildId: number; step: number; path: string },
  counts: Record<Severity, number>,
) =>
  db
    .insertInto('build_scan')
    .values({ build_id: buildId, step, path, ...counts })
    .onConflict((c) => c.columns(['build_id', 'step', 'path']).doUpdateSet(counts))
    .execute()

/** The results of each scan step that has published a report, in the order of the build. */
export const scansOf = (db: Db, pipelineId: number, number: number): Promise<ScanResult[]> =>
  db
    .selectFrom('build_scan')
    .innerJoin('build', 'build.id', 'build_scan.build_id')
    .innerJoin('build_step', (join) =>
      join.onRef('build_step.build_id', '=', 'build_scan.build_id').onRef('build_step.index', '=', 'build_scan.step'),
    )
    .select(['build_scan.step', 'build_step.name as stepName'])
    .select([
      sql<number>`sum(critical)::int`.as('critical'),
      sql<number>`sum(high)::int`.as('high'),
      sql<number>`sum(medium)::int`.as('medium'),
      sql<number>`sum(low)::int`.as('low'),
    ])
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .groupBy(['build_scan.step', 'build_step.name'])
    .orderBy('build_scan.step')
    .execute()
