import { pods } from '@gantry/contract/clusters/pods'
import { callOf, type CallInput, type Endpoint } from '@gantry/contract/endpoint'
import type { List } from '@gantry/contract/paging'
import { builds } from '@gantry/contract/pipelines/builds'
import { teamBuilds } from '@gantry/contract/pipelines/builds/team-builds'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { applications } from '@gantry/contract/stacks/applications'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { users } from '@gantry/contract/users/users'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKube } from '../src/adapters/kube/transport/pool.ts'
import { jsonb } from '../src/db/json.ts'
import { admitLocal } from './kube-api.ts'
import { type Statement, statementsOf } from './statements.ts'
import { testApp } from './test-app.ts'
import { podObject, watchedCluster } from './watched-cluster.ts'

/**
 * Measures the large lists without a clock: how many statements a page takes, and how many rows these visit. A list
 * that queries once per row, joins and counts for rows outside its page, or computes the order of names fails here.
 */
const kube = openKube({ admit: admitLocal, timing: { rest: 0.05 } })
const app = await testApp({ ports: { kube } })
const team = await app.team()
const reader = await team.member([
  'pipeline_pipeline_view',
  'pipeline_build_view',
  'stack_stack_view',
  'stack_service_view',
])
const many = 600
const pageSize = 20
const lastPage = many / pageSize

const group = await app.db
  .insertInto('pipeline_group')
  .values({ team_id: team.id, name: 'many' })
  .returning('id')
  .executeTakeFirstOrThrow()
await sql`insert into pipeline (team_id, group_id, name) select ${team.id}, ${group.id}, 'pipeline ' || n
  from generate_series(1, ${many}::int) n`.execute(app.db)
const { id } = await app.db.selectFrom('pipeline').select('id').limit(1).executeTakeFirstOrThrow()
await sql`insert into build (pipeline_id, team_id, number, state, cause, user_cause, by_admin, definition, timeout_seconds)
  select ${id}, ${team.id}, n, 'success', 'manual', 'somebody', false, ${jsonb({ stages: [] })}, 60
  from generate_series(1, ${many}::int) n`.execute(app.db)
const pod = (n: number) => podObject(`pod-${n}`, { namespace: `many-${n}` })
const { api, uuid: env } = await watchedCluster(app, [team], {
  pods: Array.from({ length: many }, (_, n) => pod(n + 1)),
})
await sql`insert into stack (team_id, environment, name, namespace, actor, state)
  select ${team.id}, ${env}, 'stack-' || n, 'many-' || n, 'somebody', 'running'
  from generate_series(1, ${many}::int) n`.execute(app.db)
await sql`insert into service (stack_id, name, state, spec, pod_dedicated, actor)
  select id, 'service-' || name, 'stable', ${jsonb(ServiceSpec.parse({ image: 'example.test/a:1' }))}, true, 'somebody'
  from stack where team_id = ${team.id}`.execute(app.db)
await sql`insert into account (user_name, email, nickname, type, status, subject)
  select 'user-' || n, '', '', 'LDAP', 'normal', n::text from generate_series(1, ${many}::int) n`.execute(app.db)

afterAll(async () => {
  await kube.close()
  await api[Symbol.asyncDispose]()
})

/** The statements of a call; the fewest of several attempts, because the server runs others meanwhile. */
async function fewestOf(call: () => Promise<unknown>): Promise<Statement[]> {
  let fewest: Statement[] | undefined
  for (let n = 0; n < 5; n++) {
    const { statements } = await statementsOf(app, call)
    if (!fewest || statements.length < fewest.length) fewest = statements
  }
  return fewest ?? []
}

interface Plan {
  'Node Type': string
  'Actual Loops': number
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Output?: string[]
  'Sort Key'?: string[]
  Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The nodes of a statement's plan after it was run. */
async function planOf({ text, values }: Statement): Promise<Plan[]> {
  const { rows } = await app.database.pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `explain (analyze, verbose, timing off, format json) ${text}`,
    values,
  )
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => nodesOf(plan)))
}

/** The number of lookups or of visited rows, whichever is higher. */
const visits = (nodes: Plan[]): number =>
  nodes
    .filter((node) => node['Node Type'].includes('Scan'))
    .map((node) => node['Actual Loops'] * Math.max(1, node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)))
    .reduce((sum, one) => sum + one, 0)

async function costOf(call: () => Promise<unknown>) {
  const asked = (await fewestOf(call)).filter(({ text }) => text.startsWith('select'))
  const plans = await Promise.all(asked.map(planOf))
  return {
    statements: asked.length,
    visits: plans.map(visits).reduce((sum, one) => sum + one, 0),
    namesComputed: plans
      .flat()
      .filter((node) => /regexp_replace/.test(JSON.stringify([node.Output, node['Sort Key']])))
      .map((node) => node['Actual Loops'] * node['Actual Rows'])
      .reduce((sum, one) => sum + one, 0),
  }
}

const asked = <E extends Endpoint>(
  e: E,
  by: typeof reader,
  { params, query: filter }: CallInput<E>,
  statements: number,
  rows = many,
) => ({
  name: callOf(e),
  statements,
  rows,
  page: (requestPage: number) =>
    by.call(e, { params, query: { ...(filter as object), pageSize, requestPage } } as CallInput<E>) as Promise<
      List<unknown>
    >,
})

const lists = [
  asked(pods.list, app.admin, { params: { env } }, 4),
  asked(pipelines.list, reader, { params: { teamId: team.id } }, 3),
  asked(builds.list, reader, { params: { id } }, 4),
  asked(teamBuilds.list, reader, { params: { teamId: team.id } }, 3),
  asked(stacks.list, reader, { params: { teamId: team.id, envId: 'all' } }, 4),
  // these are lists of both stacks and services; the first asks for the rights to view each
  asked(applications.list, reader, { params: { teamId: team.id, envId: 'all' } }, 7, 2 * many),
  asked(applications.services, reader, { params: { teamId: team.id, envId: 'all' } }, 4, 2 * many),
  asked(users.list, app.admin, {}, 2),
]

describe.each(['without statistics', 'with statistics'])('%s', (statistics) => {
  beforeAll(async () => {
    if (statistics === 'with statistics') await sql`vacuum analyze`.execute(app.db)
  })

  test.each(lists)('a page of $name', async ({ page, statements, rows }) => {
    await eventually(async () => expect((await page(1)).totalSize).toBeGreaterThanOrEqual(many))
    const [first, last] = [await costOf(() => page(1)), await costOf(() => page(lastPage))]
    expect([first.statements, last.statements]).toEqual([statements, statements])
    // the few objects shown beside a row
    expect(last.namesComputed).toBeLessThanOrEqual(5 * pageSize)
    // the count visits every row once, and without statistics PostgreSQL may do the same for the page and its joins
    expect(first.visits).toBeLessThanOrEqual(4 * rows + 20 * pageSize)
    // joins and counts are computed only for the rows of the page
    expect(last.visits - first.visits).toBeLessThanOrEqual(rows)
  })
})
