import { builds } from '@gantry/contract/pipelines/builds'
import { buildIssues } from '@gantry/contract/trackers/issues'
import { type JiraInput, jiraConfigs } from '@gantry/contract/trackers/jira'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { simulatedJira } from '../../../../test/simulated-jira.ts'
import { testApp } from '../../../../test/test-app.ts'
import { createJira } from '../../../adapters/jira/jira.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'
import { jsonb } from '../../../db/json.ts'
import { deliverDue } from './tell.service.ts'

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const jira = await simulatedJira()
afterAll(async () => {
  await outbound.close()
  jira.close()
})
const app = await testApp({ ports: { jira: createJira(outbound) } })

beforeEach(() => {
  jira.instead = undefined
  jira.calls.length = 0
  jira.issues.clear()
})

let made = 0
/** A new team with a connection, and functions to build commits. */
async function tracked(more: Partial<z.input<typeof JiraInput>> = {}) {
  const team = await app.team()
  const { url, email, token } = jira
  const config = await app.admin.call(jiraConfigs.create, {
    body: {
      name: `tracked ${++made}`,
      url,
      email,
      token,
      kind: 'cloud',
      projects: ['SHOP', 'PAY'],
      allTeams: false,
      teams: [team.id],
      ...more,
    },
  })
  jira.calls.length = 0
  const pipeline = await testPipeline(app, team)
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const begin = async () => {
    const { number } = await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
    const [work] = (await agent.claim(1)).work
    if (!work) throw new Error('nothing was claimed')
    return { number, work }
  }
  return {
    team,
    config,
    pipeline,
    /** The facts are those of a checkout. */
    build: async (
      message: string,
      {
        state = 'success',
        branch = 'main',
        fork = false,
      }: { state?: 'success' | 'failed'; branch?: string; fork?: boolean } = {},
    ) => {
      const { number, work } = await begin()
      await app.db
        .updateTable('build')
        .set({
          commit_message: message,
          branch,
          ...(fork && { merge_request: jsonb({ number: 7, source: 'fix', target: 'main', fork }) }),
        })
        .where('id', '=', work.buildId)
        .execute()
      await agent.events(work, 1, [{ type: 'end', state, logs: [] }])
      await deliverDue(app.ctx())
      return { number, buildId: work.buildId }
    },
    issues: (number: number, by = team.leader) => by.call(buildIssues, { params: { id: pipeline.id, number } }),
    due: () =>
      app.db
        .updateTable('build_issue')
        .set({ next_at: sql`now()` })
        .where('jira_id', '=', config.id)
        .execute(),
  }
}

test('issues named by a commit and a branch are shown as they are in Jira', async () => {
  jira.issue('SHOP-1', 'Baskets', 'In Progress')
  jira.issue('PAY-2', 'Cards', 'Done')
  const { build, issues, config } = await tracked()
  const { number } = await build('SHOP-1: a fix, UTF-8 and OPS-4', { branch: 'feature/PAY-2-cards' })
  expect(await issues(number)).toEqual([
    {
      jiraId: config.id,
      jira: config.name,
      key: 'SHOP-1',
      url: `${jira.url}/browse/SHOP-1`,
      state: 'known',
      title: 'Baskets',
      status: 'In Progress',
      category: 'doing',
      problem: '',
      told: null,
    },
    expect.objectContaining({ key: 'PAY-2', title: 'Cards', category: 'done' }),
  ])
})

test('Jira is asked once a minute for each issue, however many users look and whatever it answers', async () => {
  jira.issue('SHOP-1', 'Baskets')
  const { build, issues, config } = await tracked()
  const { number } = await build('SHOP-1 SHOP-404')
  await Promise.all([issues(number), issues(number), issues(number)])
  expect(await issues(number)).toMatchObject([
    { key: 'SHOP-1', state: 'known' },
    { key: 'SHOP-404', state: 'missing' },
  ])
  expect(jira.calls.toSorted()).toEqual(['GET issue/SHOP-1', 'GET issue/SHOP-404'])
  await app.db
    .updateTable('jira_issue')
    .set({ read_at: sql`now() - interval '61 seconds'` })
    .where('jira_id', '=', config.id)
    .execute()
  jira.instead = () => jira.page(503)
  expect(await issues(number)).toMatchObject([
    { state: 'failed', title: 'Baskets', problem: expect.stringContaining('does not answer') },
    { state: 'failed' },
  ])
})

test('a team sees no issue of a connection that is not assigned to it', async () => {
  const [one, other] = [await tracked(), await tracked({ allTeams: false, teams: [] })]
  const { number } = await other.build('SHOP-1')
  expect(await other.issues(number)).toEqual([])
  await expect(one.issues(number, other.team.leader)).rejects.toMatchObject({ status: 404 })
  expect(jira.calls).toEqual([])
})

describe('a successful build', () => {
  const tells = { comment: true, transition: 'finish' }

  test('comments on its issues and moves them, once', async () => {
    const issue = jira.issue('SHOP-1', 'Baskets')
    const { build, issues, pipeline } = await tracked(tells)
    const { number } = await build('SHOP-1')
    expect(issue.comments).toEqual([expect.stringMatching(/ succeeded: .*\/history\/1\/info$/)])
    expect(issue.comments[0]).toContain(pipeline.projectName)
    expect(issue.status).toBe('Done')
    expect(await issues(number)).toMatchObject([{ told: { state: 'done', problem: '' } }])
    await deliverDue(app.ctx())
    expect(issue.comments.length).toBe(1)
  })

  test('comments once if two servers deliver at the same time', async () => {
    const issue = jira.issue('SHOP-1', 'Baskets')
    const { build, due } = await tracked(tells)
    jira.instead = (_, method) => (method === 'POST' ? jira.page(503) : undefined)
    await build('SHOP-1')
    jira.instead = undefined
    await due()
    await Promise.all([deliverDue(app.ctx()), deliverDue(app.ctx()), deliverDue(app.ctx())])
    expect(issue).toMatchObject({ status: 'Done', comments: [expect.any(String)] })
  })

  test.each(['issue/SHOP-1/comment', 'issue/SHOP-1/transitions'])(
    'comments and moves once if the answer to %s was lost',
    async (lost) => {
      const issue = jira.issue('SHOP-1', 'Baskets')
      const { build, due, issues } = await tracked(tells)
      jira.loseAnswerTo = `POST ${lost}`
      const { number } = await build('SHOP-1')
      expect(await issues(number)).toMatchObject([{ told: { state: 'waiting', problem: expect.any(String) } }])
      await due()
      await deliverDue(app.ctx())
      expect(await issues(number)).toMatchObject([{ told: { state: 'done', problem: '' } }])
      expect(issue).toMatchObject({ status: 'Done', comments: [expect.any(String)] })
      expect(jira.calls.filter((call) => call === `POST ${lost}`)).toEqual([`POST ${lost}`])
    },
  )

  test('retries after as long as Jira says', async () => {
    jira.issue('SHOP-1', 'Baskets')
    const { build, config } = await tracked(tells)
    jira.instead = () => ({ status: 429, headers: { 'retry-after': '900' } })
    await build('SHOP-1')
    const row = await app.db
      .selectFrom('build_issue')
      .select(sql<number>`extract(epoch from next_at - now())::int`.as('seconds'))
      .where('jira_id', '=', config.id)
      .executeTakeFirstOrThrow()
    expect(row.seconds).toBeGreaterThan(800)
  })

  test.each([
    ['the issue is not there', 'SHOP-404', {}, 'no issue SHOP-404'],
    ['no transition leads there', 'SHOP-1', { transition: 'Ship it' }, 'no transition “Ship it”'],
  ])('stays successful and shows why its issue was not updated: %s', async (_, key, more, problem) => {
    jira.issue('SHOP-1', 'Baskets')
    const { build, issues, pipeline, team } = await tracked({ ...tells, ...more })
    const { number } = await build(key)
    expect(await issues(number)).toMatchObject([
      { told: { state: 'failed', problem: expect.stringContaining(problem) } },
    ])
    const one = await team.leader.call(builds.get, { params: { id: pipeline.id, number } })
    expect(one.state).toBe('success')
  })

  test.each([
    ['a build that failed', tells, { state: 'failed' as const }],
    ['code of a fork', tells, { fork: true }],
    ['a connection that tells nothing', {}, {}],
  ])('updates no issue: %s', async (_, more, facts) => {
    const issue = jira.issue('SHOP-1', 'Baskets')
    const { build } = await tracked(more)
    await build('SHOP-1', facts)
    expect(issue).toEqual({ summary: 'Baskets', status: 'To Do', comments: [] })
  })

  test('loses its issues when the connection is deleted', async () => {
    jira.issue('SHOP-1', 'Baskets')
    const { build, config, issues } = await tracked(tells)
    const { number } = await build('SHOP-1')
    await issues(number)
    await app.admin.call(jiraConfigs.remove, { params: { id: config.id } })
    for (const table of ['build_issue', 'jira_issue'] as const)
      expect(await app.db.selectFrom(table).select('key').where('jira_id', '=', config.id).execute()).toEqual([])
  })
})
