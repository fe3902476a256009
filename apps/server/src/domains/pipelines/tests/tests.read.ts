import type { List } from '@gantry/contract/paging'
import type { TestCase, TestRun } from '@gantry/contract/pipelines/findings/tests'
import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { hasStayed, isAside, type JobAttempt } from '../attempts/attempts.read.ts'
import { type Run, verdictOf } from './verdicts.ts'

const columns = ['step', 'path', 'position', 'suite', 'name', 'seconds', 'message'] as const

const latestCases = (db: Db) =>
  db
    .selectFrom('build_test_case')
    .select(['build_id', ...columns])
    .select(sql<TestCase['state']>`state`.as('state'))

/** The test cases of builds: of the latest attempts, or of an attempt that was moved aside. */
const cases = (db: Db, of?: JobAttempt) =>
  of && of.kept !== null
    ? db
        .selectFrom('build_attempt_test_case')
        .innerJoin('build_attempt', 'build_attempt.id', 'build_attempt_test_case.attempt_id')
        .select(['build_attempt.build_id', ...columns])
        .select(sql<TestCase['state']>`build_attempt_test_case.state`.as('state'))
        .where(isAside(of, 'step'))
        .unionAll(latestCases(db).where(hasStayed(of, { buildId: 'build_id', step: 'step' })))
    : latestCases(db)

/** Failures first, then in the order of the reports. */
export async function listTests(
  db: Db,
  pipelineId: number,
  number: number,
  filter: { state: string; keyword: string; of: JobAttempt | undefined },
  at: Page,
): Promise<List<TestCase>> {
  const of = db
    .selectFrom(cases(db, filter.of).as('own'))
    .innerJoin('build', 'build.id', 'own.build_id')
    .where('build.pipeline_id', '=', pipelineId)
    .where('build.number', '=', number)
    .$if(filter.state !== '' && filter.state !== 'all', (q) => q.where(sql<boolean>`own.state = ${filter.state}`))
    .$if(filter.of !== undefined, (q) =>
      q.where(sql<boolean>`own.step in (select index from build_step
        where build_step.build_id = build.id and build_step.job = ${filter.of?.job ?? 0})`),
    )
    .$if(filter.keyword !== '', (q) =>
      q.where(sql<boolean>`strpos(lower(suite || ' ' || name), lower(${filter.keyword})) > 0`),
    )
  const items = await of
    .select(['suite', 'name', 'own.state', 'seconds', 'message'])
    .orderBy(sql`own.state in ('failed', 'error') desc`)
    .orderBy('step')
    .orderBy('path')
    .orderBy('position')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  const { total } = await of.select((n) => n.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const names = [...new Set(items.map(({ name }) => name))]
  const runs = Map.groupBy(await latestRuns(db, pipelineId, number, names), keyOf)
  const judged = items.map((item) => ({ ...item, ...verdictOf(runs.get(keyOf(item)) ?? [], number) }))
  return toList(judged, total, at)
}

const keyOf = ({ suite, name }: { suite: string; name: string }): string => JSON.stringify([suite, name])

/** How many builds a verdict looks back. */
const maxBuilds = 50

/** Outcomes of test cases in the latest builds up to one, newest first; of several runs in a build a failure counts. */
async function latestRuns(
  db: Db,
  pipelineId: number,
  number: number,
  names: string[],
): Promise<(Run & { suite: string; name: string })[]> {
  const recent = db
    .selectFrom('build')
    .select(['id', 'number', 'commit'])
    .where('pipeline_id', '=', pipelineId)
    .where('number', '<=', number)
    .orderBy('number', 'desc')
    .limit(maxBuilds)
    .as('recent')
  return db
    .selectFrom('build_test_case')
    .innerJoin(recent, 'recent.id', 'build_test_case.build_id')
    .select(['suite', 'name', 'recent.number', 'recent.commit'])
    .select(sql<boolean>`bool_or(build_test_case.state in ('failed', 'error'))`.as('failed'))
    .where(sql<boolean>`md5(name) in (select md5(n) from unnest(${names}::text[]) n)`)
    .where('build_test_case.state', '<>', 'skipped')
    .groupBy(['suite', 'name', 'recent.number', 'recent.commit'])
    .orderBy('recent.number', 'desc')
    .execute()
}

/** One test case in the builds of a pipeline, newest first. */
export async function listRuns(
  db: Db,
  pipelineId: number,
  { suite, name }: { suite: string; name: string },
  at: Page,
): Promise<List<TestRun>> {
  const of = db
    .selectFrom('build_test_case')
    .innerJoin('build', 'build.id', 'build_test_case.build_id')
    .where('build.pipeline_id', '=', pipelineId)
    .where(sql<boolean>`md5(name) = md5(${name})`)
    .where('name', '=', name)
    .where('suite', '=', suite)
  const items = await of
    .select(['build.number', sql<TestRun['state']>`build_test_case.state`.as('state'), 'seconds', 'commit', 'branch'])
    .select(sql<string>`build.queued_at`.as('at'))
    .orderBy('build.number', 'desc')
    .orderBy('step')
    .orderBy('path')
    .orderBy('position')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  const { total } = await of.select((n) => n.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return toList(items, total, at)
}
