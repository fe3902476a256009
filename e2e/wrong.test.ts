import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { clusters } from '@gantry/contract/clusters/clusters'
import { registries } from '@gantry/contract/images/registries'
import { builds, type Build } from '@gantry/contract/pipelines/builds'
import type { StepInput } from '@gantry/contract/pipelines/definition'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { quotas } from '@gantry/contract/quotas/quotas'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { en } from '@gantry/phrases/en.gen'
import { fill } from '@gantry/phrases/fill'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { zh } from '@gantry/phrases/zh.gen'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { gitServer, type GitServer } from '../apps/agent/test/git-server.ts'
import { imageRegistry, type TestRegistry } from '../apps/agent/test/image-registry.ts'
import { parseKubeconfig } from '../apps/server/src/adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../apps/server/src/adapters/kube/transport/pool.ts'
import * as kinds from '../apps/server/src/adapters/kube/resources.ts'
import { isFull } from '../apps/server/test/full.ts'
import { admitLocal } from '../apps/server/test/kube-api.ts'
import { startSandbox } from '../apps/server/test/sandbox.ts'
import { ended, patient } from './builds.ts'
import { refusal, type Calls } from './caller.ts'
import { startProduct, type Product } from './product.ts'

/** Every failure is explained in both languages with its cause and a remedy, and leaves nothing half done. */

let product: Product
let admin: Calls
let git: GitServer
let registry: TestRegistry
let registryId: number
let teamId: number
let envId: string
let appId: number
let sandbox: string
/** A minute is the shortest limit of a step, and too long for the gate: it passes in parallel to the other tests. */
let endless: { id: number; number: number } | undefined

beforeAll(async () => {
  ;[product, git, registry] = await Promise.all([
    startProduct({ GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8' }),
    gitServer(),
    imageRegistry(),
  ])
  await git.commit('main', { 'a.txt': 'a\n' }, 'First')
  teamId = product.admin.teams[0]?.id ?? 0
  ;({ admin } = product)
  envId = (await admin.call(clusters.ofTeam, { params: { teamId } }))[0]?.uuid ?? ''
  appId = (await admin.call(groups.create, { params: { teamId }, body: { name: 'wrong' } })).id
  registry.sign = 'basic'
  const body = { name: 'picky', url: registry.url, username: 'robin', password: 'push it' }
  registryId = (await admin.call(registries.create, { params: { teamId }, body })).id
  sandbox = readFileSync(join(product.data, 'sandbox/kubeconfig'), 'utf8')
  if (isFull)
    endless = await begin([{ type: 'script', name: 'waits', run: `echo up; sleep ${mark}`, timeoutMinutes: 1 }])
})
afterAll(async () => {
  await product?.stop()
  await git?.close()
  await registry?.close()
})

/** A phrase as it must be worded, in both languages and with its values. */
const phrase = (key: PhraseKey, vars: Record<string, string | number> = {}) => ({
  en: fill(en[key], vars),
  zh: fill(zh[key], vars),
})

const mark = `86${randomBytes(3).readUIntBE(0, 3)}`
const nobody = 'http://127.0.0.1:1'

let made = 0
async function begin(steps: StepInput[], branch?: string): Promise<{ id: number; number: number }> {
  const { id } = await admin.call(definitions.create, {
    body: {
      appId,
      projectName: `wrong ${++made}`,
      repository: { url: `${git.url}/smart/hello.git`, branch: 'main' },
      definition: {
        stages: [{ name: 'all', steps: [...steps, { type: 'script', name: 'later', run: 'echo never' }] }],
      },
    },
  })
  const { number } = await admin.call(builds.trigger, {
    params: { id },
    body: branch === undefined ? {} : { branch },
  })
  return { id, number }
}
async function end({ id, number }: { id: number; number: number }): Promise<{ build: Build; zh: Build }> {
  const build = await ended(admin, id, number)
  return { build, zh: await admin.call(builds.get, { params: { id, number } }, 'zh') }
}
const run = async (steps: StepInput[], branch?: string) => end(await begin(steps, branch))

/** The build and its step give the same reason; steps after it do not start. */
function expectFailure({ build, zh }: { build: Build; zh: Build }, said: { en: string; zh: string }): void {
  expect([build.message, zh.message]).toEqual([said.en, said.zh])
  const steps = build.stages.flatMap((stage) => stage.steps)
  expect(steps.map(({ state }) => state).slice(-2)).toEqual(['failed', 'not_built'])
  expect(steps.at(-2)?.message).toBe(said.en)
  expect(build).toMatchObject({ state: 'failed', images: [] })
}

describe('invalid input is refused, and nothing is stored', () => {
  /** Everything that one of these requests could have stored. */
  async function kept() {
    const kube = openKube({ admit: admitLocal })
    try {
      const list = { params: { teamId }, query: { pageSize: -1 } }
      const answers = await Promise.all([
        admin.call(pipelines.list, list),
        admin.call(registries.list, { params: { teamId } }),
        admin.call(clusters.list),
        admin.call(stacks.list, { params: { teamId, envId: 'all' } }),
        kube.cluster('direct', parseKubeconfig(sandbox)).kube.list(kinds.namespaces),
      ])
      return answers.map((answer) => ('items' in answer ? answer.items : answer).length)
    } finally {
      await kube.close()
    }
  }

  const pipeline = (repository: { url: string; branch?: string; username?: string; password?: string }) =>
    refusal(admin, definitions.create, {
      body: { appId, projectName: 'wrong', repository: { branch: 'main', ...repository } },
    })
  const newRegistry = (url: string, password = '') =>
    refusal(admin, registries.create, {
      params: { teamId },
      body: { name: 'wrong', url, username: password && 'robin', password },
    })
  const cluster = (kubeconfig: string) =>
    refusal(admin, clusters.create, { body: { name: 'wrong', kubeconfig, teamIds: [teamId] } })
  const host = (url: string) => new URL(url).host

  const cases: [
    string,
    () => Promise<{ key: string; en: string; zh: string }>,
    PhraseKey,
    () => Record<string, string>,
  ][] = [
    [
      'a wrong git URL',
      () => pipeline({ url: `${git.url}/nothing/x.git` }),
      'git-not-found',
      () => ({ url: `${git.url}/nothing/x.git` }),
    ],
    [
      'a git host that is not there',
      () => pipeline({ url: `${nobody}/x.git` }),
      'outbound-unreachable',
      () => ({ host: host(nobody) }),
    ],
    [
      'a wrong git password',
      () => pipeline({ url: `${git.url}/private/hello.git`, username: 'robin', password: 'guess' }),
      'git-wrong-password',
      () => ({ host: host(git.url) }),
    ],
    [
      'an unknown branch',
      () => pipeline({ url: `${git.url}/smart/hello.git`, branch: 'nope' }),
      'pipelines-branch-unknown',
      () => ({ branch: 'nope', branches: 'main' }),
    ],
    [
      'a wrong registry password',
      () => newRegistry(registry.url, 'guess'),
      'registry-wrong-password',
      () => ({ host: registry.host }),
    ],
    ['a registry that is not there', () => newRegistry(nobody), 'outbound-unreachable', () => ({ host: host(nobody) })],
    [
      'a registry that is something else',
      () => newRegistry(git.url),
      'registry-not-one',
      () => ({ host: host(git.url) }),
    ],
    [
      'a cluster that is not there',
      () => cluster(sandbox.replace(/https?:\/\/127.0.0.1:\d+/, 'https://127.0.0.1:1')),
      'kube-refused',
      () => ({ server: '127.0.0.1:1' }),
    ],
    [
      'a cluster that does not take the credentials',
      () => cluster(sandbox.replace(/token: .*/, 'token: guessed')),
      'clusters-credentials-refused',
      () => ({ server: host(parseKubeconfig(sandbox).server) }),
    ],
    [
      'a cluster that is joined already, at another address',
      () => cluster(sandbox.replace('127.0.0.1', 'localhost')),
      'clusters-joined-already',
      () => ({ name: 'sandbox' }),
    ],
    [
      'a kubeconfig that runs a program',
      () => cluster(sandbox.replace(/token: .*/, 'exec: { apiVersion: v1, command: steal }')),
      'kube-config-exec',
      () => ({ command: 'steal' }),
    ],
  ]
  test.each(cases)('%s', async (_, attempt, key, vars) => {
    const before = await kept()
    expect(await attempt()).toMatchObject({ key, ...phrase(key, vars()) })
    expect(await kept()).toEqual(before)
  })

  test('an invalid kubeconfig is refused with the line', async () => {
    const before = await kept()
    const answer = await cluster('apiVersion: v1\nclusters: [\n  - {name: x\n')
    expect(answer.key).toBe('kube-config-yaml-unclosed')
    for (const text of [answer.en, answer.zh]) expect(text).toMatch(/\b[34]\b/)
    expect(answer.zh).toMatch(/\p{Script=Han}/u)
    expect(await kept()).toEqual(before)
  })

  test('a quota that is too small reports how much there is, and how much to free', async () => {
    await admin.call(quotas.set, { params: { tenant: teamId }, body: { envUuid: envId, hard: { cpu: 1, memory: 1 } } })
    const before = await kept()
    const stack = await refusal(admin, stacks.create, {
      params: { teamId },
      body: { name: 'large', envId, quota: { cpu: 3, memory: 1 } },
    })
    const vars = { hard: 1, taken: 0, wanted: 3, free: 2 }
    expect(stack).toMatchObject({ status: 409, key: 'quotas-exceeded-cpu', ...phrase('quotas-exceeded-cpu', vars) })
    expect(await kept()).toEqual(before)

    const small = await admin.call(stacks.create, {
      params: { teamId },
      body: { name: 'small', envId, quota: { cpu: 1, memory: 0.25 } },
    })
    const service = await refusal(admin, services.create, {
      params: { teamId, stackId: small.id, serviceName: 'web' },
      body: { image: 'web:1', resources: { cpu: '0.1', memory: '256Mi' } },
    })
    const more = { stack: 'small', hard: 0.25, taken: 0, wanted: 0.5, free: 0.25 }
    const key = 'stacks-share-exceeded-memory'
    expect(service).toMatchObject({ status: 409, key, ...phrase(key, more) })
    const { totalSize } = await admin.call(services.list, { params: { teamId, envId, uuid: small.uuid } })
    expect(totalSize).toBe(0)
    await admin.call(stacks.remove, { params: { teamId, envId, stackId: small.id }, query: { confirm: 'small' } })
    await eventually(kept, (now) => now.join() === before.join(), patient)
    await admin.call(quotas.set, {
      params: { tenant: teamId },
      body: { envUuid: envId, hard: { cpu: null, memory: null } },
    })
  })
})

describe('a build that cannot continue', () => {
  const image = (more: object): StepInput => ({ type: 'image', name: 'image', registryId, repository: 'a/b', ...more })

  test('an unknown branch', async () => {
    const failed = await run([{ type: 'checkout', name: 'sources' }], 'nope')
    expectFailure(failed, phrase('git-branch-unknown', { branch: 'nope' }))
  })

  test('a failing step', async () => {
    const failed = await run([{ type: 'script', name: 'tests', run: 'echo broken; exit 3' }])
    expectFailure(failed, phrase('agents-script-failed', { code: 3 }))
    expect(failed.build.stages[0]?.steps[0]).toMatchObject({ exitCode: 3, logLines: 1 })
  })

  test('a registry that refuses the image', async () => {
    registry.answer = (request, response) => {
      if (request.method !== 'POST') return false
      request.resume()
      response.writeHead(403).end('{"errors":[{"code":"DENIED"}]}')
      return true
    }
    const failed = await run([image({ copy: [] })]).finally(() => (registry.answer = () => false))
    const vars = { host: registry.host, action: 'push', repository: 'a/b' }
    expectFailure(failed, phrase('agents-registry-denied', vars))
  })

  test('a base image that does not exist', async () => {
    const failed = await run([image({ base: 'no/such:1' })])
    expectFailure(failed, phrase('agents-base-missing', { base: 'no/such:1', host: registry.host }))
  })

  test('a deployment to a stack with too small a share creates no service', async () => {
    const stack = await admin.call(stacks.create, {
      params: { teamId },
      body: { name: 'tight', envId, quota: { cpu: 1, memory: 0.25 } },
    })
    const create = { replicas: 2, resources: { cpu: '0.1', memory: '128Mi' } }
    const failed = await run([
      image({ copy: [] }),
      { type: 'deploy', name: 'deploy', stackUuid: stack.uuid, service: 'web', create },
    ])
    const vars = { stack: 'tight', hard: 0.25, taken: 0, wanted: 0.375, free: 0.125 }
    expect(failed.build).toMatchObject({ state: 'failed', message: phrase('stacks-share-exceeded-memory', vars).en })
    expect(failed.zh.message).toBe(phrase('stacks-share-exceeded-memory', vars).zh)
    const { totalSize } = await admin.call(services.list, { params: { teamId, envId, uuid: stack.uuid } })
    expect(totalSize).toBe(0)
  })
})

describe('failures in a cluster', () => {
  test('a missing image: the service reports it, and can be deleted', async () => {
    const [own] = (await admin.call(registries.list, { params: { teamId } })).filter((one) => one.sandbox)
    const stack = await admin.call(stacks.create, { params: { teamId }, body: { name: 'pulls', envId } })
    const wanted = `${new URL(own?.url ?? '').host}/no/such:1`
    const { id } = await admin.call(services.create, {
      params: { teamId, stackId: stack.id, serviceName: 'web' },
      body: { image: wanted },
    })
    const params = { teamId, envId, id }
    const failed = await eventually(
      () => admin.call(services.get, { params }),
      ({ state }) => state === 'failed',
      patient,
    )
    const inChinese = await admin.call(services.get, { params }, 'zh')
    for (const [language, { message }] of [
      ['en', failed],
      ['zh', inChinese],
    ] as const)
      expect(message).toContain(phrase('stacks-image-missing', { image: wanted, reason: '' })[language].trim())
    await admin.call(services.remove, {
      params: { teamId, envId, idAndType: `${id}_business` },
      query: { confirm: 'web' },
    })
    await eventually(
      () => admin.call(services.list, { params: { teamId, envId, uuid: stack.uuid } }),
      ({ totalSize }) => totalSize === 0,
      patient,
    )
  })

  test('an unreachable cluster: its changes wait and say why, and it can be deleted', async () => {
    const another = await startSandbox()
    onTestFinished(another.stop)
    const kubeconfig = readFileSync(another.kubeconfig, 'utf8')
    const { port } = new URL(parseKubeconfig(kubeconfig).server)
    const open = new Set<Socket>()
    const way = createServer((socket) => {
      const onward = connect(Number(port), '127.0.0.1')
      for (const end of [socket, onward]) {
        open.add(end)
        end.on('error', () => end.destroy())
      }
      socket.pipe(onward).pipe(socket)
    })
    await new Promise<void>((done) => way.listen(0, '127.0.0.1', done))
    const server = `127.0.0.1:${(way.address() as AddressInfo).port}`
    const { uuid } = await admin.call(clusters.create, {
      body: { name: 'leaving', kubeconfig: kubeconfig.replace(/127.0.0.1:\d+/, server), teamIds: [teamId] },
    })
    await new Promise<void>((done) => {
      way.close(() => done())
      for (const socket of open) socket.destroy()
    })

    const stack = await admin.call(stacks.create, { params: { teamId }, body: { name: 'lost', envId: uuid } })
    const params = { teamId, envId: uuid, stackId: stack.id }
    const waiting = await eventually(
      () => admin.call(stacks.get, { params }),
      ({ message }) => message !== '',
      patient,
    )
    const said = phrase('kube-refused', { server })
    expect(waiting).toMatchObject({ state: 'creating', message: said.en })
    expect((await admin.call(stacks.get, { params }, 'zh')).message).toBe(said.zh)

    await admin.call(stacks.remove, { params, query: { confirm: 'lost', deleteFore: 'true' } })
    await admin.call(clusters.remove, { params: { uuid }, query: { confirm: 'leaving' } })
    expect((await admin.call(clusters.list)).items.map(({ name }) => name)).not.toContain('leaving')
  })
})

test.runIf(isFull)('a step that never ends', async () => {
  const failed = await end(endless ?? expect.fail('it was not begun'))
  expectFailure(failed, phrase('agents-step-timed-out', { minutes: 1 }))
  expect(execFileSync('ps', ['-e', '-o', 'args'], { encoding: 'utf8' })).not.toContain(mark)
})
