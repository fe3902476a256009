import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { reviews } from '@gantry/contract/pipelines/reviews'
import { type ForgeEventKind, triggers, type TriggerRule } from '@gantry/contract/pipelines/triggers'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { testAgent, testPipeline } from '../../../../test/build-agent.ts'
import {
  commit,
  gitea,
  giteaPush,
  gitHub,
  gitHubPushed,
  gitLab,
  gitLabPush,
  mergeRequest,
  pullRequest,
  type Push,
  type Report,
} from '../../../../test/forge-reports.ts'
import { statementsOf } from '../../../../test/statements.ts'
import { refusalOf, testApp, type TestApp, type TestCaller } from '../../../../test/test-app.ts'

const app = await testApp()
const beside = await testApp({ beside: app })
let team: Awaited<ReturnType<typeof app.team>>

beforeAll(async () => {
  team = await app.team()
})

type Rule = Partial<z.input<typeof TriggerRule>> & { events?: ForgeEventKind[]; forks?: boolean } & Partial<
    Record<'branches' | 'tags' | 'paths', string[]>
  >

async function withWebhook(rule: Rule = {}, by = team.leader) {
  const pipeline = await testPipeline(app, team)
  const { id, secret } = await by.call(triggers.create, {
    params: { id: pipeline.id },
    body: { rule: { kind: 'webhook', events: ['push', 'tag', 'mergeRequest'], ...rule } as TriggerRule },
  })
  return { pipeline, id, secret }
}

const receive = async (uuid: string, { headers, payload }: Report, at: TestApp = app) => {
  const answer = await at.anonymous.raw({ method: 'POST', url: `/api/v2/pipelines/${uuid}/trigger`, headers, payload })
  const { data, message } = answer.json<{ data: { outcome: string; number: number | null }; message: string }>()
  return { status: answer.statusCode, key: message, body: answer.body, ...data }
}

const read = (id: number, number: number | null) =>
  team.leader.call(builds.get, { params: { id, number: number ?? 0 } })
const buildsOf = async (id: number) => (await team.leader.call(builds.list, { params: { id } })).totalSize
const logOf = async (id: number, triggerId: number) =>
  (await team.leader.call(triggers.events, { params: { id, triggerId } })).items

describe('a webhook', () => {
  test.each<[string, (secret: string) => Report]>([
    ['Gitea', (secret) => giteaPush(secret)],
    ['GitHub', (secret) => gitHubPushed(secret)],
    ['GitHub, as a form', (secret) => gitHubPushed(secret, {}, { form: true })],
    ['GitLab, by its token', (secret) => gitLab(secret, 'Push Hook', gitLabPush())],
    ['GitLab, signed', (secret) => gitLab(secret, 'Push Hook', gitLabPush(), { signed: true })],
  ])('of %s starts a build of what was pushed, for the user who saved the trigger', async (_, report) => {
    const { pipeline, secret } = await withWebhook()
    const { status, outcome, number } = await receive(pipeline.uuid, report(secret))
    expect([status, outcome, number]).toEqual([200, 'started', 1])
    expect(await read(pipeline.id, number)).toMatchObject({
      cause: 'webhook',
      userCause: team.leader.name,
      branch: 'main',
      tag: '',
      commit,
    })
  })

  test.each<[string, (secret: string) => Report, object]>([
    ['a tag of Gitea', (secret) => giteaPush(secret, { ref: 'refs/tags/v1.2' }), { tag: 'v1.2', branch: '' }],
    ['a tag of GitHub', (secret) => gitHubPushed(secret, { ref: 'refs/tags/v1.2' }), { tag: 'v1.2', branch: '' }],
    [
      'a tag of GitLab',
      (secret) => gitLab(secret, 'Tag Push Hook', gitLabPush({ ref: 'refs/tags/v1.2' })),
      { tag: 'v1.2', branch: '' },
    ],
    [
      'a pull request of Gitea',
      (secret) => gitea(secret, 'pull_request', pullRequest()),
      { branch: 'feature/greeting' },
    ],
    [
      'new commits of a pull request of Gitea',
      (secret) => gitea(secret, 'pull_request_sync', pullRequest('synchronized')),
      { branch: 'feature/greeting' },
    ],
    [
      'a pull request of GitHub',
      (secret) => gitHub(secret, 'pull_request', pullRequest('synchronize')),
      { branch: 'feature/greeting' },
    ],
    [
      'a merge request of GitLab',
      (secret) => gitLab(secret, 'Merge Request Hook', mergeRequest('update', { oldrev: '0f1e' })),
      { branch: 'feature/greeting' },
    ],
  ])('%s starts a build of it', async (_, report, expected) => {
    const { pipeline, secret } = await withWebhook()
    const { number } = await receive(pipeline.uuid, report(secret))
    expect(await read(pipeline.id, number)).toMatchObject({ commit, ...expected })
  })

  test.each<[string, Rule, (secret: string) => Report]>([
    ['a deleted branch', {}, (s) => gitea(s, 'push', { ref: 'refs/heads/main', after: '0'.repeat(40) })],
    ['another kind of event', { events: ['tag'] }, giteaPush],
    ['another branch', { branches: ['release/*'] }, giteaPush],
    ['a branch below a slash', { branches: ['*'] }, (s) => giteaPush(s, { ref: 'refs/heads/feature/x' })],
    ['another tag', { tags: ['v*'] }, (s) => giteaPush(s, { ref: 'refs/tags/nightly' })],
    ['other files', { paths: ['shop/**'] }, giteaPush],
    ['a fork', {}, (s) => gitea(s, 'pull_request', pullRequest('opened', { fork: true }))],
    ['a closed pull request', {}, (s) => gitHub(s, 'pull_request', pullRequest('closed'))],
    ['a comment', {}, (s) => gitHub(s, 'issue_comment', { action: 'created' })],
    ['a retitled merge request', {}, (s) => gitLab(s, 'Merge Request Hook', mergeRequest('update'))],
    ['GitHub’s ping', {}, (s) => gitHub(s, 'ping', { zen: 'Keep it logically awesome.' })],
  ])('%s is skipped, and the log says why', async (_, rule, report) => {
    const { pipeline, id, secret } = await withWebhook(rule)
    expect(await receive(pipeline.uuid, report(secret))).toMatchObject({
      status: 200,
      outcome: 'skipped',
      number: null,
    })
    const [event] = await logOf(pipeline.id, id)
    expect(event).toMatchObject({ outcome: 'skipped', message: expect.stringMatching(/\w/) as string })
    expect(await buildsOf(pipeline.id)).toBe(0)
  })

  test('passes the number and branches of a merge request to steps, and nothing to builds of pushes', async () => {
    const { pipeline, secret } = await withWebhook()
    const agent = await testAgent(app, { labels: [pipeline.projectName] })
    const requests = [
      gitea(secret, 'pull_request', pullRequest()),
      gitHub(secret, 'pull_request', pullRequest()),
      gitLab(secret, 'Merge Request Hook', mergeRequest()),
      giteaPush(secret),
    ]
    for (const [at, report] of requests.entries()) {
      await receive(pipeline.uuid, report)
      const [work] = (await agent.claim(1)).work
      const given = Object.fromEntries((work?.environment ?? []).map(({ name, value }) => [name, value]))
      const [number, source, target] = at === 3 ? ['', '', ''] : ['12', 'feature/greeting', 'main']
      expect(given).toMatchObject({
        GANTRY_MERGE_REQUEST: number,
        GANTRY_MERGE_REQUEST_SOURCE: source,
        GANTRY_MERGE_REQUEST_TARGET: target,
      })
      await agent.events({ jobId: work?.jobId ?? 0, attempt: 1 }, 1, [{ type: 'end', state: 'success', logs: [] }])
    }
  })

  test.each<[string[], string[], boolean]>([
    [['./src/**'], ['src/a/b.ts'], true],
    [['/src/**'], ['src/a/b.ts'], true],
    [['src'], ['src/a/b.ts'], true],
    [['src/'], ['src/a.ts'], true],
    [['**/docs'], ['shop/docs/a.md'], true],
    [['src'], ['srcs/a.ts', 'lib/src'], false],
    [['src/*'], ['src/a/b.ts'], false],
    [['!docs'], ['docs/a.md'], false],
    [['!docs'], ['docs/a.md', 'src/a.ts'], true],
    [['src', '!src/**/*.md'], ['src/a/README.md'], false],
    [['src', '!src/**/*.md'], ['src/a/README.md', 'src/a.ts'], true],
    [['!./docs/', 'docs/api'], ['docs/api/a.md'], false],
  ])('with the paths %j matches %j: %j', async (paths, modified, isTaken) => {
    const { pipeline, secret } = await withWebhook({ paths })
    const { outcome } = await receive(pipeline.uuid, giteaPush(secret, { changes: [{ modified }] }))
    expect(outcome).toBe(isTaken ? 'started' : 'skipped')
  })

  test.each(['/', './', '!', '../src/**', 'src/../lib', 'a//b', 'src\\web', '.'])(
    'is refused at its field with a path that no file can have: %s',
    async (path) => {
      const refused = await refusalOf(withWebhook({ paths: ['src', path] }))
      expect(refused).toMatchObject({ status: 400, problems: [{ path: 'rule.paths.1', key: 'glob-path-never' }] })
    },
  )

  test.each<[Rule, Push]>([
    [{ branches: ['release/**', 'main'] }, {}],
    [{ branches: ['feature/**'] }, { ref: 'refs/heads/feature/a/b' }],
    [{ tags: ['v?.*'] }, { ref: 'refs/tags/v1.2' }],
    [{ paths: ['**/*.md'] }, {}],
    [{ paths: ['shop/**'] }, { changes: [{ modified: ['a'] }, { removed: ['shop/web/main.ts'] }] }],
    // files that are not listed may be anything
    [{ paths: ['shop/**'] }, { total: 6 }],
  ])('matches %j for %j', async (rule, push) => {
    const { pipeline, secret } = await withWebhook(rule)
    expect(await receive(pipeline.uuid, giteaPush(secret, push))).toMatchObject({ outcome: 'started' })
  })

  test('a tag and a branch with the same name are distinguished in the build, its steps and retries', async () => {
    const { pipeline, secret } = await withWebhook()
    const agent = await testAgent(app, { labels: [pipeline.projectName] })
    const when = { branches: ['both'] }
    await team.leader.call(definitions.set, {
      params: { appId: pipeline.appId, pipelineId: pipeline.id },
      body: {
        stages: [
          {
            name: 'only',
            steps: [
              { type: 'script', name: 'a', run: 'true' },
              { type: 'script', name: 'b', run: 'true', when },
            ],
          },
        ],
      },
    })
    const seen = async (number: number | null) => {
      const { work } = await agent.claim()
      const one = work.find((some) => some.number === number)
      const of = (name: string) => one?.environment.find((variable) => variable.name === name)?.value
      return [of('GANTRY_BRANCH'), of('GANTRY_TAG'), one?.conditions.map((left) => left !== null)]
    }
    const branch = await receive(pipeline.uuid, giteaPush(secret, { ref: 'refs/heads/both' }))
    expect(await seen(branch.number)).toEqual(['both', '', [true, true]])
    const tag = await receive(pipeline.uuid, giteaPush(secret, { ref: 'refs/tags/both' }))
    expect(await seen(tag.number)).toEqual(['', 'both', [true, false]])
    const params = { id: pipeline.id }
    const again = await team.leader.call(builds.trigger, { params, body: { branch: '', tag: 'both', commit } })
    expect(await seen(again.number)).toEqual(['', 'both', [true, false]])
  })

  test('a fork’s merge request is built if the trigger is for forks', async () => {
    const { pipeline, secret } = await withWebhook({ forks: true })
    const report = gitLab(secret, 'Merge Request Hook', mergeRequest('open', { fork: true }))
    expect(await receive(pipeline.uuid, report)).toMatchObject({ outcome: 'started' })
  })

  test('a glob on which a backtracking engine would hang is matched at once', async () => {
    const { pipeline, secret } = await withWebhook({ branches: [`${'a*'.repeat(99)}b`] })
    const ref = `refs/heads/${'a'.repeat(200)}`
    expect(await receive(pipeline.uuid, giteaPush(secret, { ref }))).toMatchObject({ outcome: 'skipped' })
  })

  test('a wrong signature is refused exactly like a missing pipeline', async () => {
    const { pipeline, secret } = await withWebhook()
    const other = await withWebhook()
    const good = giteaPush(secret)
    const unknown = await receive('3f2504e0-4f89-41d3-9a0c-0305e82c3301', good)
    expect(unknown).toMatchObject({ status: 404, key: 'resource-missing' })
    const wrong: Report[] = [
      giteaPush(other.secret),
      { ...good, payload: good.payload.replace('main', 'evil') },
      { ...good, headers: { 'content-type': 'application/json' } },
      gitLab('', 'Push Hook', gitLabPush()),
      gitLab(other.secret, 'Push Hook', gitLabPush(), { signed: true }),
      { headers: good.headers, payload: 'not json' },
    ]
    for (const report of wrong) expect((await receive(pipeline.uuid, report)).body).toBe(unknown.body)
    expect(await buildsOf(pipeline.id)).toBe(0)
  })

  test('a delivery that arrives twice, on two replicas at once, starts one build and gets 200 twice', async () => {
    const { pipeline, secret } = await withWebhook()
    const report = giteaPush(secret, { delivery: 'the same' })
    const answers = await Promise.all(
      [app, beside, app, beside].map((replica) => receive(pipeline.uuid, report, replica)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['duplicate', 'duplicate', 'duplicate', 'started'])
    expect(new Set(answers.map(({ number }) => number))).toEqual(new Set([1]))
    expect(await buildsOf(pipeline.id)).toBe(1)
  })

  test('only those of a monorepo’s twenty pipelines start whose files a push changed', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => withWebhook({ paths: [`services/s${at}/**`] })))
    const changes = [{ added: ['services/s3/a.ts'] }, { modified: ['services/s17/deep/b.ts', 'README.md'] }]
    const answers = await Promise.all(
      all.map(({ pipeline, secret }) => receive(pipeline.uuid, giteaPush(secret, { changes }))),
    )
    const started = answers.flatMap(({ outcome }, at) => (outcome === 'started' ? [at] : []))
    expect(started).toEqual([3, 17])
  })

  test('a body that is too large or not JSON is refused, and nothing starts', async () => {
    const { pipeline, secret } = await withWebhook()
    const huge = giteaPush(secret, { changes: [{ added: ['x'.repeat(5 * 1024 * 1024)] }] })
    expect((await receive(pipeline.uuid, huge)).status).toBe(413)
    const broken = { ...gitHub(secret, 'push', {}), payload: '' }
    expect((await receive(pipeline.uuid, broken)).status).toBe(404)
    for (const push of [{ ref: 'refs/heads/--upload-pack=x' }, { ref: 'refs/tags/a..b' }])
      expect((await receive(pipeline.uuid, giteaPush(secret, push))).status).toBe(400)
    const wrong = gitHub(secret, 'push', { ref: 7 })
    expect((await receive(pipeline.uuid, wrong)).status).toBe(400)
    expect(await buildsOf(pipeline.id)).toBe(0)
  })

  test('the secret is shown once and sealed in the database, and a new one replaces it', async () => {
    const { pipeline, id, secret } = await withWebhook()
    expect(secret).toMatch(/^whsec_/)
    const listed = await team.leader.call(triggers.list, { params: { id: pipeline.id } })
    const stored = await app.db.selectFrom('pipeline_trigger').selectAll().where('id', '=', id).execute()
    for (const text of [JSON.stringify(listed), JSON.stringify(stored)]) expect(text).not.toContain(secret)
    const renewed = await team.leader.call(triggers.renewSecret, { params: { id: pipeline.id, triggerId: id } })
    expect(await receive(pipeline.uuid, giteaPush(secret))).toMatchObject({ status: 404 })
    expect(await receive(pipeline.uuid, giteaPush(renewed.secret))).toMatchObject({ outcome: 'started' })
  })
})

describe('the permissions of a trigger', () => {
  const rights = ['pipeline_pipeline_view', 'pipeline_pipeline_edit', 'pipeline_build_execute']

  test('are the present ones of the user who saved it, and the log says what is missing', async () => {
    const member = await team.member(rights)
    const { pipeline, id, secret } = await withWebhook({}, member)
    expect(await receive(pipeline.uuid, giteaPush(secret))).toMatchObject({ outcome: 'started' })
    await app.db.updateTable('team_member').set({ role_id: null }).where('account_id', '=', member.id).execute()
    expect(await receive(pipeline.uuid, giteaPush(secret))).toMatchObject({
      status: 403,
      key: 'pipelines-trigger-saver-may-not',
    })
    const [refused] = await logOf(pipeline.id, id)
    expect(refused).toMatchObject({ outcome: 'refused', message: expect.stringContaining(member.name) as string })
    const [trigger] = await team.leader.call(triggers.list, { params: { id: pipeline.id } })
    expect(trigger?.problem).toContain(member.name)
    await app.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', member.id).execute()
    expect(await receive(pipeline.uuid, giteaPush(secret))).toMatchObject({ key: 'pipelines-trigger-saver-gone' })
    expect(await buildsOf(pipeline.id)).toBe(1)
  })

  test('are read for all triggers of a pipeline at once', async () => {
    const member = await team.member(rights)
    const { pipeline } = await withWebhook({}, member)
    const queriesOfList = async () => {
      const { result, statements } = await statementsOf(app, () =>
        team.leader.call(triggers.list, { params: { id: pipeline.id } }),
      )
      // other work of the server meanwhile reads no memberships
      return {
        items: result.length,
        queries: statements.filter(({ text }) => text.includes('"team_member"')).length,
      }
    }
    const one = await queriesOfList()
    for (const by of [member, team.leader, member])
      await by.call(triggers.create, {
        params: { id: pipeline.id },
        body: { rule: { kind: 'webhook', events: ['push'] } as TriggerRule },
      })
    const four = await queriesOfList()
    expect([one.items, four.items]).toEqual([1, 4])
    expect(four.queries).toBe(one.queries)
    expect(one.queries).toBeGreaterThan(0)
  })

  test('a refused delivery may be sent again once another user has saved the trigger', async () => {
    const member = await team.member(rights)
    const { pipeline, id, secret } = await withWebhook({}, member)
    await app.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', member.id).execute()
    const report = giteaPush(secret, { delivery: 'again' })
    expect(await receive(pipeline.uuid, report)).toMatchObject({ status: 403 })
    const [trigger] = await team.leader.call(triggers.list, { params: { id: pipeline.id } })
    if (!trigger) throw new Error('no trigger')
    const { rule, revision } = trigger
    await team.leader.call(triggers.update, { params: { id: pipeline.id, triggerId: id }, body: { rule, revision } })
    expect(await receive(pipeline.uuid, report)).toMatchObject({ outcome: 'started', number: 1 })
  })

  test('a build of an administrator’s webhook is trusted less than one that an administrator starts', async () => {
    const { pipeline, secret } = await withWebhook({}, app.admin)
    await receive(pipeline.uuid, giteaPush(secret))
    const row = await app.db.selectFrom('build').select('by_admin').where('pipeline_id', '=', pipeline.id).execute()
    expect(row).toEqual([{ by_admin: false }])
  })
})

describe('a call by a user or an API token', () => {
  const call = (caller: typeof team.leader, uuid: string, body: object = {}) =>
    caller.raw({
      method: 'POST',
      url: `/api/v2/pipelines/${uuid}/trigger`,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })

  test('starts a build with the given branch and parameters, once for each key', async () => {
    const pipeline = await testPipeline(app, team)
    const body = { branch: 'next', commit, idempotencyKey: 'k' }
    const numbers = []
    for (let at = 0; at < 3; at++)
      numbers.push((await call(team.leader, pipeline.uuid, body)).json<{ data: { number: number } }>().data.number)
    expect(numbers).toEqual([1, 1, 1])
    expect(await read(pipeline.id, 1)).toMatchObject({ cause: 'api', branch: 'next', commit })
    expect((await call(team.leader, pipeline.uuid, { nonsense: 1 })).statusCode).toBe(400)
  })

  test('needs the permission to start builds, and is the same 404 to a stranger as a missing pipeline', async () => {
    const pipeline = await testPipeline(app, team)
    const viewer = await team.member(['pipeline_pipeline_view'])
    const stranger = (await app.team()).leader
    expect((await call(viewer, pipeline.uuid)).statusCode).toBe(403)
    expect((await call(stranger, pipeline.uuid)).statusCode).toBe(404)
    expect((await call(app.anonymous, pipeline.uuid)).statusCode).toBe(404)
    expect(await buildsOf(pipeline.id)).toBe(0)
  })
})

describe('the user who pushed', () => {
  const reviewing = ['pipeline_pipeline_view', 'pipeline_build_view', 'pipeline_review_operate']
  const mail = 'Ada.Pusher@Example.org'
  const push = giteaPush('').payload
  const asPushed = (secret: string, by: object) => gitea(secret, 'push', { ...JSON.parse(push), ...by })

  test.for<[string, (secret: string, name: string) => Report]>([
    ['Gitea, by user name', (secret, name) => asPushed(secret, { pusher: { login: name }, sender: { login: name } })],
    ['Gitea, by mail', (secret) => asPushed(secret, { pusher: { login: 'x', email: mail.toLowerCase() } })],
    ['GitHub', (secret, name) => gitHub(secret, 'push', { ...JSON.parse(push), pusher: { name }, sender: null })],
    [
      'GitHub, by a pull request',
      (secret, login) => gitHub(secret, 'pull_request', { ...pullRequest(), sender: { login } }),
    ],
    ['GitLab', (secret, name) => gitLab(secret, 'Push Hook', { ...gitLabPush(), user_username: name })],
    [
      'GitLab, by a merge request',
      (secret, username) => gitLab(secret, 'Merge Request Hook', { ...mergeRequest(), user: { username } }),
    ],
  ])('to %s may not review the build, nor may the user who saved the trigger', async ([how, report]) => {
    const { pipeline, secret } = await withWebhook()
    const params = { appId: pipeline.appId, pipelineId: pipeline.id }
    const setting = await team.leader.call(pipelines.setting, { params })
    const review = { count: 1, users: [], roles: [] }
    await team.leader.call(pipelines.setSetting, { params, body: { ...setting, review } })
    const [pusher, other] = [await team.member(reviewing), await team.member(reviewing)]
    if (how.endsWith('mail'))
      await app.db.updateTable('account').set({ email: mail }).where('id', '=', pusher.id).execute()
    const { number } = await receive(pipeline.uuid, report(secret, pusher.name))
    expect(await read(pipeline.id, number)).toMatchObject({ state: 'waiting' })
    const decide = (by: TestCaller) => by.call(reviews.decide, { params: { id: pipeline.id }, body: { pass: true } })
    for (const by of [pusher, team.leader])
      await expect(decide(by)).rejects.toMatchObject({ status: 403, key: 'pipelines-review-own' })
    await decide(other)
    await app.db.updateTable('account').set({ email: '' }).where('id', '=', pusher.id).execute()
  })
})
