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
  mergeRequest,
  pullRequest,
  type Report,
} from '../../../../test/forge-reports.ts'
import { testApp } from '../../../../test/test-app.ts'
import type { ForgeAccess, Forges } from '../../../adapters/forges/forges.ts'
import { Fault } from '../../../kernel/fault.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'

let told: () => Promise<string[] | null>
const asked: (ForgeAccess & { number: number })[] = []
const forges: Forges = {
  setHook: async () => '1',
  removeHook: async () => undefined,
  setStatus: async () => undefined,
  changedFiles: async (access, number) => {
    asked.push({ ...access, number })
    return told()
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
    const { data, message } = answer.json<{ data: { outcome: string }; message: string }>()
    return { status: answer.statusCode, message, outcome: data?.outcome }
  }
  const log = async () =>
    (await team.leader.call(triggers.events, { params: { ...params, triggerId: id } })).items[0] ?? { message: '' }
  const count = async () => (await team.leader.call(builds.list, { params })).totalSize
  return { secret, receive, log, count }
}

const hourMs = 3600 * 1000
const ago = (hours: number) => new Date(Date.now() - hours * hourMs)

describe('the time of a signed report', () => {
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
  ])('a report %s starts a build', async (_, report) => {
    told = async () => []
    const { secret, receive } = await withWebhook()
    expect(await receive(report(secret))).toMatchObject({ outcome: 'started' })
  })
})

describe('the repository of a signed report', () => {
  test.each<[string, (secret: string) => Report]>([
    ['Gitea', (s) => giteaPush(s, { name: 'demo/other' })],
    ['GitHub', (s) => gitHubPushed(s, { name: 'evil-demo/hello' })],
    ['GitLab', (s) => gitLab(s, 'Push Hook', { ...gitLabPush(), project: { path_with_namespace: 'other/hello' } })],
  ])('of %s that is another than the pipeline’s is refused, and the log says why', async (_, report) => {
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
  ])('are asked of %s with the repository’s password, and start what they touch alone', async (forge, report) => {
    told = async () => ['services/shop/main.ts']
    const shop = await withWebhook({ paths: ['services/shop/**'] })
    const quay = await withWebhook({ paths: ['services/quay/**'] })
    asked.length = 0
    expect(await shop.receive(report(shop.secret))).toMatchObject({ outcome: 'started' })
    expect(await quay.receive(report(quay.secret))).toMatchObject({ outcome: 'skipped' })
    const repository = 'https://forge.example.test/demo/hello.git'
    const access = { forge, repository, username: 'robin', password: 'open sesame', number: 12 }
    expect(asked).toEqual([access, access])
  })

  test.each<[string, () => Promise<string[] | null>, string]>([
    ['refuses', () => Promise.reject(new Fault('invalid', 'forge-denied', { host: 'h' })), 'may read merge requests'],
    ['is away', () => Promise.reject(new Fault('badGateway', 'outbound-unreachable', { host: 'h' })), 'in time'],
    ['names too many', async () => null, 'more files than'],
  ])('count as all where the forge %s, and the log says why', async (_, tells, why) => {
    told = tells
    const { secret, receive, log } = await withWebhook({ paths: ['services/quay/**'] })
    expect(await receive(gitHub(secret, 'pull_request', pullRequest()))).toMatchObject({ outcome: 'started' })
    expect(await log()).toMatchObject({ outcome: 'started', message: expect.stringContaining(why) as string })
  })

  test('count as all where the repository is not reached over HTTPS, and nothing is asked', async () => {
    asked.length = 0
    const { secret, receive, log } = await withWebhook({
      paths: ['quay/**'],
      url: 'git@forge.example.test:demo/hello.git',
    })
    expect(await receive(gitHub(secret, 'pull_request', pullRequest()))).toMatchObject({ outcome: 'started' })
    expect(await log()).toMatchObject({ message: expect.stringContaining('HTTPS') as string })
    expect(asked).toEqual([])
  })

  test('are asked for no merge request that the trigger is not for', async () => {
    asked.length = 0
    const { secret, receive } = await withWebhook()
    const fork = gitHub(secret, 'pull_request', pullRequest('opened', { fork: true }))
    expect(await receive(fork)).toMatchObject({ outcome: 'skipped' })
    expect(asked).toEqual([])
  })
})
