import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { clusters } from '@gantry/contract/clusters/clusters'
import { registries } from '@gantry/contract/images/registries'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { tests } from '@gantry/contract/pipelines/findings/tests'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { type ServiceSummary, services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import type { z } from 'zod'
import { mask } from '@gantry/contract/validators'
import { en } from '@gantry/phrases/en.gen'
import { fill } from '@gantry/phrases/fill'
import { zh } from '@gantry/phrases/zh.gen'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { labCluster, labService, removeImages } from '../apps/server/test/lab.ts'
import { pushNodeImage } from './base-image.ts'
import { logOf, outcome, patient, runBuild } from './builds.ts'
import type { Caller } from './caller.ts'
import { copyOfThisRepository, giteaRepository, type GiteaRepository } from './gitea-repository.ts'
import { newUser, startProduct, type Product } from './product.ts'

const cluster = labCluster()
const gitea = labService('gitea')
const registry = labService('registry')

const access = {
  url: registry?.['REGISTRY_URL'] ?? '',
  username: registry?.['REGISTRY_USER'] ?? '',
  password: registry?.['REGISTRY_PASSWORD'] ?? '',
}
const run = randomBytes(3).toString('hex')
const port = 8080

/** One request on a connection of its own, so that each request is balanced anew. */
const ask = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent: false, timeout: 5000 }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve(`${response.statusCode} ${text.trim()}`))
      response.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('no answer within 5 s')))
    request.on('error', reject)
  })

/** Sends a request every 20 ms, regardless of earlier outcomes, until it is stopped. */
function askOnAndOn(url: string) {
  const answers = new Map<string, number>()
  const underway = new Set<Promise<void>>()
  const timer = setInterval(() => {
    const one = ask(url)
      .catch((error: unknown) => String(error))
      .then((answer) => {
        answers.set(answer, (answers.get(answer) ?? 0) + 1)
        underway.delete(one)
      })
    underway.add(one)
  }, 20)
  return {
    seen: () => [...answers.keys()],
    stop: async (): Promise<Record<string, number>> => {
      clearInterval(timer)
      await Promise.all(underway)
      return Object.fromEntries(answers)
    },
  }
}

describe.skipIf(!cluster || !gitea || !registry)('from a commit to a service on a real cluster (needs the lab)', () => {
  let product: Product
  let leader: Caller
  let repository: GiteaRepository
  let teamId: number
  let pipelineId: number
  let appId: number
  let envId: string
  let registryId: number
  let stack: { uuid: string; name: string; namespace: string }
  let serviceUrl: string
  let first: { digest: string; answer: string }

  const kubectl = (...args: string[]): string =>
    execFileSync(join(cluster?.bin ?? '', 'kubectl'), ['--kubeconfig', cluster?.kubeconfig ?? '', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()

  const podNames = () => kubectl('-n', stack.namespace, 'get', 'pods', '--output=name').split('\n')

  const setVersion = (version: string): string => {
    writeFileSync(join(repository.folder, 'examples/hello/version.mjs'), `export const version = '${version}'\n`)
    return repository.push(`Release ${version}`)
  }

  const service = async (): Promise<z.output<typeof ServiceSummary>> => {
    const { items } = await leader.call(services.list, { params: { teamId, envId, uuid: stack.uuid } })
    const [only] = items
    if (!only) throw new Error('the stack has no service')
    return only
  }

  const settledAs = async (wanted: string) => {
    const isSettled = ({ state, live, ready, replicas }: z.output<typeof ServiceSummary>) =>
      state === 'failed' || (state === wanted && live.state === 'live' && ready === replicas)
    const now = await eventually(service, isSettled, patient)
    if (now.state !== wanted) throw new Error(`the service failed: ${now.message}`)
    return now
  }

  beforeAll(async () => {
    ;[product, repository] = await Promise.all([
      startProduct({ GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8', GANTRY_SANDBOX: 'off' }),
      giteaRepository(gitea ?? {}, `chain-${run}`),
      pushNodeImage(access, 'base/node'),
    ])
    copyOfThisRepository(repository.folder)
    const { admin } = product
    teamId = (await admin.call(teams.create, { body: { name: `chain-${run}` } })).id
    leader = await newUser(product, `lead-${run}`, { teamId, roleId: 'leader' })
  })

  afterAll(async () => {
    // remains of a failed test
    if (stack) kubectl('delete', 'namespace', stack.namespace, '--ignore-not-found', '--wait=false')
    if (cluster) removeImages(cluster.kubeconfig, `chain-${run}/hello`)
    await repository?.remove()
    await product?.stop()
  })

  test('the cluster is added by its kubeconfig, the registry with its password', async () => {
    const joined = await product.admin.call(clusters.create, {
      body: { name: 'lab', kubeconfig: readFileSync(cluster?.kubeconfig ?? '', 'utf8'), teamIds: [teamId] },
    })
    expect(joined).toMatchObject({ health: 'healthy', version: expect.stringMatching(/^v1\.3\d/), nodeNum: 1 })
    envId = joined.uuid
    const made = await leader.call(registries.create, { params: { teamId }, body: { name: 'lab', ...access } })
    expect(made).toMatchObject({ password: mask })
    registryId = made.id
  })

  test('a commit is tested, built as an image, and runs as two instances that answer', async () => {
    setVersion('1.0.0')
    appId = (await leader.call(groups.create, { params: { teamId }, body: { name: 'shop' } })).id
    stack = await leader.call(stacks.create, {
      params: { teamId },
      body: { name: 'shop', envId, quota: { cpu: 2, memory: 1 } },
    })
    const { url, username, password } = repository
    const pipeline = await leader.call(definitions.create, {
      body: {
        appId,
        projectName: 'hello',
        repository: { url, branch: 'main', username, password },
        definition: {
          stages: [
            {
              name: 'build',
              steps: [
                { type: 'checkout', name: 'sources' },
                {
                  type: 'script',
                  name: 'tests',
                  run: 'cd examples/hello\nnode --test --test-reporter=junit --test-reporter-destination=report.xml',
                },
                { type: 'report', name: 'report', files: 'examples/hello/report.xml', always: true },
                {
                  type: 'image',
                  name: 'image',
                  registryId,
                  repository: `chain-${run}/hello`,
                  tag: '${commit}',
                  base: 'base/node:1',
                  copy: [{ from: 'examples/hello/*.mjs', to: '/app/' }],
                  workingDirectory: '/app',
                  entrypoint: ['node', 'server.mjs'],
                  ports: [port],
                },
              ],
            },
            {
              name: 'ship',
              steps: [
                {
                  type: 'deploy',
                  name: 'deploy',
                  stackUuid: stack.uuid,
                  service: 'hello',
                  confirm: false,
                  create: {
                    replicas: 2,
                    ports: [{ port }],
                    readiness: { type: 'http', port, path: '/healthz' },
                    resources: { memory: '128Mi', cpu: '0.5' },
                  },
                },
              ],
            },
          ],
        },
      },
    })
    pipelineId = pipeline.id

    const build = await runBuild(leader, pipelineId)
    expect(outcome(build)).toMatchObject({ state: 'success' })
    expect(build.commitMessage).toBe('Release 1.0.0')
    expect(build.tests).toEqual({ total: 5, failed: 0, skipped: 0 })
    const cases = await leader.call(tests.list, { params: { id: pipelineId, number: build.number } })
    expect(cases.items.map((one) => one.name)).toContain('the service answers over HTTP')
    expect(build.images).toMatchObject([{ tag: build.commit, digest: expect.stringMatching(/^sha256:/) }])

    const running = await settledAs('stable')
    expect(running).toMatchObject({ replicas: 2, ready: 2, digest: build.images[0]?.digest })
    const address = kubectl('-n', stack.namespace, 'get', 'service', 'hello', '--output=jsonpath={.spec.clusterIP}')
    serviceUrl = `http://${address}:${port}/`
    // kube-proxy updates the ready pods once a second and refuses connections until then. The first answer must come
    // from the service.
    const answer = await eventually(() => ask(serviceUrl), undefined, patient)
    expect(answer).toBe('200 Hello from 1.0.0')
    first = { digest: running.digest, answer }
  })

  test('no log and no answer contains the repository’s password', async () => {
    const build = await leader.call(builds.get, { params: { id: pipelineId, number: 1 } })
    const logs = await Promise.all(['sources', 'tests'].map((step) => logOf(leader, pipelineId, build, step)))
    const setting = await leader.call(pipelines.setting, { params: { appId, pipelineId } })
    expect(JSON.stringify([logs, setting, build])).not.toContain(repository.password)
  })

  test('a second commit is built and deployed by an upgrade without a failed request', async () => {
    setVersion('2.0.0')
    const requests = askOnAndOn(serviceUrl)
    const build = await runBuild(leader, pipelineId)
    expect(outcome(build)).toMatchObject({ state: 'success' })
    const upgraded = await settledAs('upgraded')
    expect(upgraded).toMatchObject({ ready: 2, digest: build.images[0]?.digest })
    expect(upgraded.digest).not.toBe(first.digest)
    await eventually(requests.seen, (answers) => answers.includes('200 Hello from 2.0.0'), patient)
    // until no pod of the first revision is left
    await eventually(podNames, (names) => names.length === 2, patient)
    expect(Object.keys(await requests.stop()).sort()).toEqual(['200 Hello from 1.0.0', '200 Hello from 2.0.0'])
  })

  test('a rollback restores the first answer and the first digest, without a failed request', async () => {
    const { id } = await service()
    const requests = askOnAndOn(serviceUrl)
    await leader.call(services.rollBack, { params: { teamId, envId, id } })
    const back = await settledAs('stable')
    expect(back.digest).toBe(first.digest)
    await eventually(podNames, (names) => names.length === 2, patient)
    expect(await ask(serviceUrl)).toBe(first.answer)
    expect(Object.keys(await requests.stop()).sort()).toEqual(['200 Hello from 1.0.0', '200 Hello from 2.0.0'])
    const images = kubectl(
      '-n',
      stack.namespace,
      'get',
      'pods',
      '--output=jsonpath={.items[*].spec.containers[*].image}',
    )
    for (const image of images.split(' ')) expect(image).toContain(first.digest)
  })

  test.each<[string, boolean, 'stacks-image-missing' | 'stacks-image-refused']>([
    ['is not in the registry', true, 'stacks-image-missing'],
    ['the registry gives to nobody without a password', false, 'stacks-image-refused'],
  ])('reports an image that %s in the service, in both languages', async (_, withPassword, key) => {
    const image = `${new URL(access.url).host}/chain-${run}/none:1`
    const resources = { cpu: '0.1', memory: '64Mi' }
    const { id } = await leader.call(services.create, {
      params: { teamId, stackId: stack.uuid, serviceName: withPassword ? 'missing' : 'refused' },
      body: { image, registryId: withPassword ? registryId : null, resources },
    })
    const params = { teamId, envId, id }
    const failing = await eventually(
      () => leader.call(services.get, { params }),
      ({ message }) => message !== '',
      patient,
    )
    const chinese = await leader.call(services.get, { params }, 'zh')
    expect(failing.message).toContain(fill(en[key], { image, reason: '' }))
    expect(chinese.message).toContain(fill(zh[key], { image, reason: '' }))
    await leader.call(services.remove, {
      params: { teamId, envId, idAndType: `${id}_business` },
      query: { confirm: withPassword ? 'missing' : 'refused' },
    })
  })

  test('a deleted stack leaves nothing in the cluster', async () => {
    await leader.call(stacks.remove, { params: { teamId, envId, stackId: stack.uuid }, query: { confirm: stack.name } })
    await eventually(
      () => leader.call(stacks.list, { params: { teamId, envId } }),
      ({ items }) => items.length === 0,
      patient,
    )
    expect(kubectl('get', 'namespaces', '--output=name')).not.toContain(stack.namespace)
  })
})
