import { builds } from '@gantry/contract/pipelines/builds'
import { buildIssues } from '@gantry/contract/trackers/issues'
import { type TapdConfig, tapd as calls } from '@gantry/contract/trackers/tapd'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import { simulatedTapd } from '../../../../test/simulated-tapd.ts'
import { testApp } from '../../../../test/test-app.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'
import { createTapd } from '../../../adapters/tapd/tapd.ts'
import { maxKeys, tapdKeysIn } from './keys.ts'
import { deliverDue } from './tell.service.ts'

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const tapd = await simulatedTapd()
afterAll(async () => {
  await outbound.close()
  tapd.close()
})
const app = await testApp({ ports: { tapd: createTapd(outbound) } })
const { url, user, password, workspace } = tapd

const set = (more: Partial<z.input<typeof TapdConfig>> = {}) =>
  app.admin.call(calls.set, { body: { enabled: true, url, user, password, workspaces: [workspace], ...more } })

beforeEach(async () => {
  tapd.instead = undefined
  for (const items of Object.values(tapd.items)) items.clear()
  await app.db.deleteFrom('jira').execute()
})

/** A build of a new team that ends as given. */
async function built(message: string, state: 'success' | 'failed' = 'success') {
  const team = await app.team()
  const pipeline = await testPipeline(app, team)
  const agent = await testAgent(app, { labels: [pipeline.projectName] })
  const { number } = await team.leader.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
  const [work] = (await agent.claim(1)).work
  if (!work) throw new Error('nothing was claimed')
  await app.db.updateTable('build').set({ commit_message: message }).where('id', '=', work.buildId).execute()
  await agent.events(work, 1, [{ type: 'end', state, logs: [] }])
  await deliverDue(app.ctx())
  return { issues: () => team.leader.call(buildIssues, { params: { id: pipeline.id, number } }), pipeline }
}
const due = () =>
  app.db
    .updateTable('build_issue')
    .set({ next_at: sql`now()` })
    .execute()

test('items named by a commit are shown as they are in TAPD, each with its link', async () => {
  const story = tapd.add('stories', '1001234', 'Baskets', 'developing')
  const bug = tapd.add('bugs', '77', 'Cards', 'closed')
  tapd.add('tasks', '5', 'Labels', 'open')
  await set({ comment: false })
  const { issues } = await built(`--story=1001234 --user=ada a fix --bug=${bug.id} --task=5 --story=404`)
  expect(await issues()).toMatchObject([
    {
      jira: 'TAPD',
      key: 'story-1001234',
      url: `${url}/${workspace}/prong/stories/view/${story.id}`,
      state: 'known',
      title: 'Baskets',
      status: '实现中',
      category: 'doing',
      told: null,
    },
    { key: `bug-${bug.id}`, title: 'Cards', status: '已关闭', category: 'done' },
    { key: 'task-5', title: 'Labels', status: '未开始', category: 'todo' },
    { key: 'story-404', state: 'missing' },
  ])
})

test('a successful build updates its items once, and each kind of item gets the first configured status that it has', async () => {
  const story = tapd.add('stories', '1', 'Baskets', 'developing')
  const task = tapd.add('tasks', '2', 'Labels', 'open')
  await set({ status: '已实现, done' })
  const { issues, pipeline } = await built('--story=1 --task=2')
  expect(story.status).toBe('resolved')
  expect(task.status).toBe('done')
  expect(story.comments).toEqual([expect.stringContaining(pipeline.projectName)])
  expect(await issues()).toMatchObject([{ told: { state: 'done' } }, { told: { state: 'done' } }])
  await due()
  await deliverDue(app.ctx())
  expect(story.comments).toHaveLength(1)
})

test('a comment is not made twice; a failing TAPD is tried again later', async () => {
  const bug = tapd.add('bugs', '3', 'Cards', 'new')
  await set()
  tapd.instead = (_, method) => (method === 'POST' ? { status: 503, body: '' } : undefined)
  const { issues } = await built('--bug=3')
  expect(await issues()).toMatchObject([{ told: { state: 'waiting', problem: expect.any(String) } }])
  tapd.instead = undefined
  await due()
  await deliverDue(app.ctx())
  expect(bug.comments).toHaveLength(1)
  // as if the note of the comment had been lost
  await app.db
    .updateTable('build_issue')
    .set({ state: 'waiting', commented: false, next_at: sql`now()` })
    .execute()
  await deliverDue(app.ctx())
  expect(bug.comments).toHaveLength(1)
  expect(await issues()).toMatchObject([{ told: { state: 'done' } }])
})

test('a status that no item has is reported at the build; a failed build and a disabled connection update nothing', async () => {
  const story = tapd.add('stories', '1', 'Baskets', 'developing')
  await set({ comment: false, status: 'shipped' })
  const { issues } = await built('--story=1')
  expect(await issues()).toMatchObject([{ told: { state: 'failed', problem: expect.stringContaining('shipped') } }])
  await set({ status: 'resolved' })
  await built('--story=1', 'failed')
  await set({ status: 'resolved', enabled: false })
  const off = await built('--story=1')
  expect(await off.issues()).toEqual([])
  expect(story).toMatchObject({ status: 'developing', comments: [] })
})

const workspaces = new Set([workspace])
test.each([
  ['--story=1001234 --user=ada fix', ['story-1001234']],
  ['fix: --bug=12\n\n--task=7 --bug=12', ['bug-12', 'task-7']],
  [`--story=11${workspace}001001234`, [`story-11${workspace}001001234`]],
  ['--story=1112345678001001234', []],
  ['--story=0 --stories=1 ---bug=1 --task=x a--bug=1 --bug=1234567890', []],
])('%j names %j', (text, keys) => expect(tapdKeysIn(text, workspaces)).toEqual(keys))

test('every keyword is found once and in order, whatever is between them', () => {
  const named = fc.tuple(fc.constantFrom('story', 'bug', 'task'), fc.integer({ min: 1, max: 999_999_999 }))
  fc.assert(
    fc.property(fc.array(named, { maxLength: maxKeys }), fc.stringMatching(/^[a-z ,.:]{0,9} $/), (all, between) => {
      const text = all.map(([kind, id]) => `--${kind}=${id}`).join(` ${between}`)
      expect(tapdKeysIn(text, workspaces)).toEqual([...new Set(all.map(([kind, id]) => `${kind}-${id}`))])
    }),
  )
})
