import { builds } from '@gantry/contract/pipelines/builds'
import { triggers } from '@gantry/contract/pipelines/triggers'
import { beforeAll, describe, expect, test } from 'vitest'
import { testPipeline } from '../../../../test/build-agent.ts'
import {
  gitea,
  giteaPush,
  gitHub,
  gitHubPushed,
  gitLab,
  gitLabPush,
  commit,
  mergeRequest,
  pullRequest,
  type Report,
  signed,
} from '../../../../test/forge-reports.ts'
import { testApp } from '../../../../test/test-app.ts'
import type { ForgeAccess, Forges } from '../../../adapters/forges/forges.ts'
import { Fault } from '../../../kernel/fault.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'

let files: () => Promise<string[] | null>
const requests: (ForgeAccess & { number: number })[] = []
const forges: Forges = {
  setHook: async () => '1',
  removeHook: async () => undefined,
  setStatus: async () => undefined,
  changedFiles: async (access, number) => {
    requests.push({ ...access, number })
    return files()
  },
}

const app = await testApp({ ports: { forges } })
let team: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
})

/** A pipeline of a repository, with a webhook for these paths. */
async function withWebhook({ paths = [] as string[], url = 'https://forge.example.test/demo/hello.git' } = {}) {
  const pipeline = await testPipeline(app, team)
  await app.db
    .updateTable('pipeline')
    .set({ repository_url: url, repository_branch: 'main', repository_username: 'robin' })
    .set({ repository_password: seal(app.ctx(), 'open sesame') })
    .where('id', '=', pipeline.id)
    .execute()
  const params = { id: pipeline.id }
  const { id, secret } = await team.leader.call(triggers.create, {
    params,
    body: { rule: { kind: 'webhook', events: ['push', 'tag', 'mergeRequest'], paths } },
  })
  const receive = async ({ headers, payload }: Report) => {
    const url = `/api/v2/pipelines/${pipeline.uuid}/trigger`
    const answer = await app.anonymous.raw({ method: 'POST', url, headers, payload })
    const { data, message } = answer.json<{ data: { outcome: string; number: number | null }; message: string }>()
    return { status: answer.statusCode, message, ...data }
  }
  const log = async () =>
    (await team.leader.call(triggers.events, { params: { ...params, triggerId: id } })).items[0] ?? { message: '' }
  const count = async () => (await team.leader.call(builds.list, { params })).totalSize
  const read = (number: number | null) => team.leader.call(builds.get, { params: { ...params, number: number ?? 0 } })
  return { secret, receive, read, log, count }
}

const hourMs = 3600 * 1000
const ago = (hours: number) => new Date(Date.now() - hours * hourMs)

describe('the time of a signed delivery', () => {
  const month = 30 * 24
  test.each<[string, (secret: string) => Report, string]>([
    ['a push of GitHub of a month ago', (s) => gitHubPushed(s, { at: ago(month) }), 'older than 3 days'],
    ['a push of GitHub of tomorrow', (s) => gitHubPushed(s, { at: ago(-24) }), 'not come yet'],
    [
      'a pull request of GitHub of a month ago',
      (s) => gitHub(s, 'pull_request', pullRequest('opened', { at: ago(month) })),
      'older than 3 days',
    ],
    [
      'a push of GitLab of a month ago',
      (s) => gitLab(s, 'Push Hook', gitLabPush(), { signed: true, skew: -month * 3600 }),
      'older than 3 days',
    ],
    [
      'a merge request of GitLab of tomorrow',
      (s) => gitLab(s, 'Merge Request Hook', mergeRequest(), { signed: true, skew: 24 * 3600 }),
      'not come yet',
    ],
  ])('%s is refused, and the log says why', async (_, report, why) => {
    const { secret, receive, log, count } = await withWebhook()
    expect(await receive(report(secret))).toMatchObject({ status: 400 })
    expect(await log()).toMatchObject({ outcome: 'refused', message: expect.stringContaining(why) as string })
    expect(await count()).toBe(0)
  })

  test.each<[string, (secret: string) => Report]>([
    ['that GitHub sends again after two days', (s) => gitHubPushed(s, { at: ago(48) })],
    ['of a clock that is ten minutes ahead', (s) => gitHubPushed(s, { at: ago(-1 / 6) })],
    [
      'of Gitea, whose times are of the change before',
      (s) => gitea(s, 'pull_request', pullRequest('opened', { at: ago(month) })),
    ],
  ])('a delivery %s starts a build', async (_, report) => {
    files = async () => []
    const { secret, receive } = await withWebhook()
    expect(await receive(report(secret))).toMatchObject({ outcome: 'started' })
  })
})

describe('the repository of a signed delivery', () => {
  test.each<[string, (secret: string) => Report]>([
    ['Gitea', (s) => giteaPush(s, { name: 'demo/other' })],
    ['GitHub', (s) => gitHubPushed(s, { name: 'evil-demo/hello' })],
    ['GitLab', (s) => gitLab(s, 'Push Hook', { ...gitLabPush(), project: { path_with_namespace: 'other/hello' } })],
  ])('of %s that differs from the pipeline’s is refused, and the log says why', async (_, report) => {
    const { secret, receive, log, count } = await withWebhook()
    expect(await receive(report(secret))).toMatchObject({ status: 400 })
    expect(await log()).toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('and the pipeline builds https://forge.example.test/demo/hello.git') as string,
    })
    expect(await count()).toBe(0)
  })

  test.each(['https://inside.example.test/below/Demo/Hello', 'git@forge.example.test:demo/hello.git'])(
    'is found in the address %s',
    async (url) => {
      const { secret, receive } = await withWebhook({ url })
      expect(await receive(giteaPush(secret))).toMatchObject({ outcome: 'started' })
    },
  )
})

describe('the files of a merge request', () => {
  test.each<['gitea' | 'github' | 'gitlab', (secret: string) => Report]>([
    ['gitea', (s) => gitea(s, 'pull_request', pullRequest())],
    ['github', (s) => gitHub(s, 'pull_request', pullRequest())],
    ['gitlab', (s) => gitLab(s, 'Merge Request Hook', mergeRequest())],
  ])('are requested from %s with the repository’s password, and start matching triggers', async (forge, report) => {
    files = async () => ['services/shop/main.ts']
    const shop = await withWebhook({ paths: ['services/shop/**'] })
    const quay = await withWebhook({ paths: ['services/quay/**'] })
    requests.length = 0
    expect(await shop.receive(report(shop.secret))).toMatchObject({ outcome: 'started' })
    expect(await quay.receive(report(quay.secret))).toMatchObject({ outcome: 'skipped' })
    const repository = 'https://forge.example.test/demo/hello.git'
    const access = { forge, repository, username: 'robin', password: 'open sesame', number: 12 }
    expect(requests).toEqual([access, access])
  })

  test.each<[string, () => Promise<string[] | null>, string]>([
    ['refuses', () => Promise.reject(new Fault('invalid', 'forge-denied', { host: 'h' })), 'may read merge requests'],
    ['is away', () => Promise.reject(new Fault('badGateway', 'outbound-unreachable', { host: 'h' })), 'in time'],
    ['names too many', async () => null, 'more files than'],
  ])('count as all if the git host %s, and the log says why', async (_, tells, why) => {
    files = tells
    const { secret, receive, log } = await withWebhook({ paths: ['services/quay/**'] })
    expect(await receive(gitHub(secret, 'pull_request', pullRequest()))).toMatchObject({ outcome: 'started' })
    expect(await log()).toMatchObject({ outcome: 'started', message: expect.stringContaining(why) as string })
  })

  test('count as all if the repository is not reached over HTTPS, and nothing is requested', async () => {
    requests.length = 0
    const { secret, receive, log } = await withWebhook({
      paths: ['quay/**'],
      url: 'git@forge.example.test:demo/hello.git',
    })
    expect(await receive(gitHub(secret, 'pull_request', pullRequest()))).toMatchObject({ outcome: 'started' })
    expect(await log()).toMatchObject({ message: expect.stringContaining('HTTPS') as string })
    expect(requests).toEqual([])
  })

  test('are not requested for a merge request that does not match the trigger', async () => {
    requests.length = 0
    const { secret, receive } = await withWebhook()
    const fork = gitHub(secret, 'pull_request', pullRequest('opened', { fork: true }))
    expect(await receive(fork)).toMatchObject({ outcome: 'skipped' })
    expect(requests).toEqual([])
  })
})

describe('a signed delivery', () => {
  const none = '0'.repeat(40)
  const pushed = { ref: 'refs/heads/main', after: commit, deleted: false }
  const deleted = { ref: 'refs/heads/main', before: commit, after: none, deleted: true, head_commit: null, commits: [] }
  const said = (words: string) => `The author asks for no build: ${words}`

  test.each<[string, (secret: string) => Report, string, string]>([
    [
      'GitHub, in its head commit',
      (s) => gitHubPushed(s, { message: 'docs [skip ci]' }),
      'push main',
      said('[skip ci]'),
    ],
    [
      'GitHub, in a report without repository and people',
      (s) => gitHub(s, 'push', { ...pushed, head_commit: { id: commit, message: 'docs [skip ci]' }, commits: [] }),
      'push main',
      said('[skip ci]'),
    ],
    ['Gitea', (s) => giteaPush(s, { message: 'Release\n\n[CI skip]' }), 'push main', said('[CI skip]')],
    [
      'Gitea, without a head commit',
      (s) =>
        gitea(s, 'push', {
          ...pushed,
          commits: [
            { id: commit, message: '[no ci]' },
            { id: none, message: '' },
          ],
        }),
      'push main',
      said('[no ci]'),
    ],
    ['Gitea, at a tag', (s) => giteaPush(s, { ref: 'refs/tags/v1', message: '[no ci] v1' }), 'tag v1', said('[no ci]')],
    [
      'GitLab',
      (s) => gitLab(s, 'Push Hook', gitLabPush({ message: '[skip ci] docs' })),
      'push main',
      said('[skip ci]'),
    ],
    [
      'GitLab, as an option of the push',
      (s) => gitLab(s, 'Push Hook', { ...gitLabPush(), push_options: { ci: { skip: true } } }),
      'push main',
      said('ci.skip'),
    ],
    [
      'GitLab, in a merge request',
      (s) => gitLab(s, 'Merge Request Hook', mergeRequest('open', { message: '[ci skip]' })),
      'merge request 12',
      said('[ci skip]'),
    ],
  ])('whose author asks for no build starts none: %s', async (_, report, event, message) => {
    const { secret, receive, log, count } = await withWebhook()
    expect(await receive(report(secret))).toMatchObject({ status: 200, outcome: 'skipped' })
    expect(await log()).toMatchObject({ event, outcome: 'skipped', message })
    expect(await count()).toBe(0)
  })

  test.each<[string, (secret: string) => Report]>([
    ['an older commit', (s) => giteaPush(s, { changes: [{ modified: ['[skip ci]'] }, {}], message: 'skip ci' })],
    [
      'another option',
      (s) => gitLab(s, 'Push Hook', { ...gitLabPush(), push_options: { ci: { variable: { A: '1' } } } }),
    ],
    ['no options', (s) => gitLab(s, 'Push Hook', { ...gitLabPush(), push_options: {} })],
  ])('starts a build if %s contains no marker', async (_, report) => {
    const { secret, receive } = await withWebhook()
    expect(await receive(report(secret))).toMatchObject({ outcome: 'started' })
  })

  test.each<[string, (secret: string) => Report, string]>([
    ['GitHub', (s) => gitHub(s, 'push', deleted), 'deletion of main'],
    ['Gitea', (s) => gitea(s, 'push', deleted), 'deletion of main'],
    ['GitLab', (s) => gitLab(s, 'Push Hook', { ...gitLabPush(), after: none, checkout_sha: null }), 'deletion of main'],
    [
      'GitLab, of a tag',
      (s) => gitLab(s, 'Tag Push Hook', { ...gitLabPush({ ref: 'refs/tags/v1' }), after: none, checkout_sha: null }),
      'deletion of tag v1',
    ],
  ])('calls a deletion a deletion: %s', async (_, report, event) => {
    const { secret, receive, log } = await withWebhook()
    expect(await receive(report(secret))).toMatchObject({ status: 200, outcome: 'skipped' })
    const [, name = ''] = /(\S+)$/.exec(event) ?? []
    expect(await log()).toMatchObject({ event, message: `${name} was deleted: there is nothing to build` })
  })

  test.each<[(secret: string) => Report, string]>([
    [(s) => gitHub(s, 'ping', { zen: 'Keep it logically awesome.' }), 'ping'],
    [(s) => gitHub(s, 'issue_comment', { action: 'created' }), 'issue_comment'],
    [(s) => gitea(s, 'pull_request', pullRequest('closed')), 'merge request 12 closed'],
    [(s) => gitLab(s, 'Merge Request Hook', mergeRequest('update')), 'merge request 12 update'],
    [(s) => gitLab(s, 'Note Hook', { object_kind: 'note' }), 'Note Hook'],
  ])('names an event that starts no build: %#', async (report, event) => {
    const { secret, receive, log } = await withWebhook()
    await receive(report(secret))
    expect(await log()).toMatchObject({ event, outcome: 'skipped', message: 'Nothing that starts builds' })
  })

  test('builds a branch of any name that git allows, unchanged', async () => {
    const names = ['nb\u00a0sp', '\u00a0nb\u3000', '功能/登录', 'a\u2028b', 'a{b}']
    for (const name of names) {
      const { secret, receive, read } = await withWebhook()
      const { number } = await receive(gitHubPushed(secret, { ref: `refs/heads/${name}` }))
      expect(await read(number)).toMatchObject({ branch: name })
    }
  })

  test.each<[string, (secret: string) => Report, string]>([
    [
      'a name that git refuses',
      (s) => giteaPush(s, { ref: 'refs/heads/a b' }),
      'The report cannot be used. branch: This is not a valid git branch name',
    ],
    [
      'an option',
      (s) => gitHubPushed(s, { ref: 'refs/tags/--upload-pack=x' }),
      'The report cannot be used. tag: This is not a valid git tag name',
    ],
    ['no commit', (s) => gitLab(s, 'Push Hook', { ...gitLabPush(), checkout_sha: 'main' }), 'commit: '],
    ['no reference', (s) => gitHub(s, 'push', { ref: 7 }), 'ref: '],
    ['no merge request', (s) => gitLab(s, 'Merge Request Hook', {}), 'object_attributes: '],
    [
      'no time',
      (s) =>
        gitHub(s, 'pull_request', {
          ...pullRequest(),
          pull_request: { ...pullRequest().pull_request, updated_at: 'soon' },
        }),
      'at: ',
    ],
    ['no JSON', (s) => signed(s, '{"ref": '), 'JSON'],
    ['a key that reaches a prototype', (s) => signed(s, '{"__proto__": {}}'), '__proto__'],
  ])('with %s is refused, and the log says why', async (_, report, why) => {
    const { secret, receive, log, count } = await withWebhook()
    expect(await receive(report(secret))).toMatchObject({ status: 400 })
    const event = await log()
    expect(event).toMatchObject({
      outcome: 'refused',
      event: expect.stringMatching(/^(push|pull_request|Push Hook|Merge Request Hook)$/) as string,
    })
    expect(event.message).toContain(why)
    expect(await count()).toBe(0)
  })
})
