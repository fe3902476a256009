import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { teamPrefix } from '@gantry/contract/images/registry-token'
import { DeployStep } from '@gantry/contract/pipelines/definition'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { deployments } from '@gantry/contract/stacks/revisions/deployments'
import { services } from '@gantry/contract/stacks/services'
import { notifications } from '@gantry/contract/notifications/notifications'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from '../../../../test/sandbox.ts'
import { testApp } from '../../../../test/test-app.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { insertRegistry } from '../../images/registries.store.ts'
import { teamToken } from '../../images/sandbox.service.ts'
import { deployImage, type Progress } from './deploy.service.ts'

const sandbox = await startSandbox()
const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
const app = await testApp({ ports: { kube } })
afterAll(async () => {
  await kube.close()
  await sandbox.stop()
})

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

let team: Awaited<ReturnType<typeof app.team>>
let stack: { id: number; uuid: string; envId: string }
let registryId: number

beforeAll(async () => {
  team = await app.team()
  const { uuid } = await app.admin.call(clusters.create, {
    body: { name: 'sandbox', kubeconfig: readFileSync(sandbox.kubeconfig, 'utf8'), teamIds: [team.id] },
  })
  stack = await team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name: 'shop', envId: uuid } })
  registryId =
    (await insertRegistry(app.db, {
      teamId: team.id,
      name: 'images',
      url: 'https://registry.example.test',
      username: '',
      password: null,
      sandbox: false,
    })) ?? 0
})

interface Asked {
  key: string
  attempt?: number
  content: string
  image?: string
  service?: string
  confirm?: boolean
}

/** One call, as the agent makes it every second. */
const ask = (
  { key, attempt = 1, content, service = 'web', confirm = true, image }: Asked,
  by = team.leader,
): Promise<Progress> =>
  deployImage(app.ctx(by), {
    teamId: team.id,
    step: DeployStep.parse({ type: 'deploy', name: 'deploy', stackUuid: stack.uuid, service, confirm, create: {} }),
    image: image ?? 'registry.example.test/web:1',
    digest: digestOf(content),
    registryId,
    key,
    attempt,
    by: team.leader.name,
  })

/** Calls until the deployment is over. */
const deployed = (request: Asked): Promise<Progress> =>
  eventually(
    async () => {
      const progress = await ask(request)
      if (progress.state === 'running') await app.reconcile()
      return progress
    },
    ({ state }) => state !== 'running',
  )

async function service(name = 'web') {
  const params = { teamId: team.id, envId: stack.envId, uuid: stack.uuid }
  const { items } = await team.leader.call(services.list, { params, query: { search: name } })
  const [summary] = items
  if (!summary) throw new Error(`no service ${name}`)
  return team.leader.call(services.get, { params: { teamId: team.id, envId: stack.envId, id: summary.id } })
}

test('the first image creates the service, the next one upgrades it, each once for any number of calls', async () => {
  expect(await deployed({ key: 'one', content: 'a' })).toMatchObject({ state: 'success' })
  expect(await ask({ key: 'one', content: 'a' })).toMatchObject({ state: 'success' })
  expect(await service()).toMatchObject({ state: 'stable', digest: digestOf('a'), revision: 1 })

  expect(await deployed({ key: 'two', content: 'b' })).toMatchObject({ state: 'success' })
  expect(await ask({ key: 'two', content: 'b' })).toMatchObject({ state: 'success' })
  expect(await service()).toMatchObject({ state: 'stable', digest: digestOf('b'), revision: 2, previous: null })
})

test('a deployment that was overwritten meanwhile is not reported as done', async () => {
  expect(await deployed({ key: 'first', content: 'a', service: 'twice' })).toMatchObject({ state: 'success' })
  expect(await deployed({ key: 'second', content: 'b', service: 'twice' })).toMatchObject({ state: 'success' })
  expect(await ask({ key: 'first', content: 'a', service: 'twice' })).toMatchObject({
    state: 'failed',
    reason: { key: 'stacks-changed-meanwhile', vars: { service: 'twice' } },
  })
})

describe('a retry', () => {
  const mediaType = 'application/vnd.oci.image.index.v1+json'
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType, manifests: [] })
  const push = (repository: string) => {
    const ctx = app.ctx()
    const url = `http://${sandbox.registry}`
    const sandboxRegistry = { url, key: readFileSync(sandbox.registryKey, 'utf8').trim() }
    const token = teamToken({ ...ctx, config: { ...ctx.config, sandboxRegistry } }, team.id, ['pull', 'push'])
    const headers = { 'content-type': mediaType, authorization: `Bearer ${token}` }
    return fetch(`${url}/v2/${repository}/manifests/1`, { method: 'PUT', headers, body: manifest })
  }
  const revisionsOf = async (name: string) =>
    (await service(name)).revisions.map(({ revision, action }) => `${revision} ${action}`)

  test('deploys again once the cause of a failure is repaired, once for each attempt', async () => {
    const repository = `${teamPrefix(team.id)}late`
    const of = { key: 'retried', content: manifest, service: 'late', image: `${sandbox.registry}/${repository}:1` }
    expect(await deployed(of)).toMatchObject({ state: 'failed', reason: { key: 'stacks-image-missing' } })
    expect(await ask(of)).toMatchObject({ state: 'failed' })
    expect((await push(repository)).status).toBe(201)
    const second = { ...of, attempt: 2 }
    expect((await Promise.all([ask(second), ask(second)])).map(({ state }) => state)).toEqual(['running', 'running'])
    expect(await deployed(second)).toMatchObject({ state: 'success' })
    expect(await ask(second)).toMatchObject({ state: 'success' })
    expect(await revisionsOf('late')).toEqual(['2 upgrade', '1 create'])
  })

  test('continues what an earlier attempt began, and does not repeat what it has done', async () => {
    const of = { key: 'lost', content: 'a', service: 'lost', confirm: false }
    await deployed({ ...of, key: 'before', content: 'b' })
    expect(await ask(of)).toMatchObject({ state: 'running' })
    expect(await deployed({ ...of, attempt: 2 })).toMatchObject({ state: 'success' })
    expect(await ask({ ...of, attempt: 3 })).toMatchObject({ state: 'success' })
    expect(await revisionsOf('lost')).toEqual(['2 upgrade', '1 create'])
  })

  test('continues only with the permission to deploy', async () => {
    const of = { key: 'another’s', content: 'a', service: 'theirs' }
    expect(await ask(of)).toMatchObject({ state: 'running' })
    const builder = await team.member(['pipeline_build_execute'])
    await expect(ask({ ...of, attempt: 2 }, builder)).rejects.toMatchObject({ key: 'permission-missing-nobody' })
  })
})

test('without confirm the upgrade waits for a user, who can roll back', async () => {
  await deployed({ key: 'old', content: 'a', service: 'waits' })
  expect(await deployed({ key: 'new', content: 'b', service: 'waits', confirm: false })).toMatchObject({
    state: 'success',
  })
  const upgraded = await service('waits')
  expect(upgraded).toMatchObject({ state: 'upgraded', digest: digestOf('b') })
  const params = { teamId: team.id, envId: stack.envId, id: upgraded.id }
  await team.leader.call(services.rollBack, { params })
  expect(await ask({ key: 'new', content: 'b', service: 'waits', confirm: false })).toMatchObject({ state: 'failed' })
})

test('the user who requested an upgrade is notified that it waits for a decision, except for a build’s deployment', async () => {
  await deployed({ key: 'before', content: 'a', service: 'told' })
  await deployed({ key: 'by a build', content: 'b', service: 'told', confirm: false })
  const inbox = async () => (await team.leader.call(notifications.list)).items
  expect(await inbox()).toEqual([])
  const { id } = await service('told')
  const of = { params: { teamId: team.id, envId: stack.envId, id } }
  await team.leader.call(services.confirm, of)
  await settled('told', 'stable')
  const body = { image: 'registry.example.test/web:2' }
  await team.leader.call(services.upgrade, { ...of, query: {}, body })
  await settled('told', 'upgraded')
  expect(await inbox()).toMatchObject([
    {
      tone: 'ok',
      text: 'The upgrade of told in shop is ready: confirm it or roll it back',
      target: { route: 'containers', params: { service_id: id, stack_uuid: stack.uuid } },
    },
  ])
})

test('the user who scaled a service is notified once of its end', async () => {
  const { id } = await service('told')
  const of = { params: { teamId: team.id, envId: stack.envId, id } }
  await team.leader.call(services.confirm, of)
  await settled('told', 'stable')
  const before = (await team.leader.call(notifications.list)).totalSize
  await team.leader.call(services.scale, { ...of, query: { replicas: 2 } })
  await settled('told', 'stable')
  const { items, totalSize } = await team.leader.call(notifications.list)
  expect([items[0]?.text, totalSize]).toEqual(['told in shop runs as you asked', before + 1])
})

const settled = (name: string, state: string) =>
  eventually(async () => {
    await app.reconcile()
    expect(await service(name)).toMatchObject({ state })
  })

test('a build shows what its steps deployed, and a pipeline which upgrades are open before it starts', async () => {
  const ofBuild = (buildId: number, by = team.leader) =>
    by.call(deployments.ofBuild, { params: { teamId: team.id, buildId } })
  await deployed({ key: 'build 471 step 2 x', content: 'a', service: 'api' })
  await deployed({ key: 'build 471 step 1 x', content: 'a', service: 'gate' })
  await deployed({ key: 'build 472 step 1 x', content: 'b', service: 'gate', confirm: false })
  await deployed({ key: 'build 4711 step 1 x', content: 'b', service: 'api' })
  const place = { envId: stack.envId, stackId: stack.id, stackUuid: stack.uuid, stackName: 'shop', type: 'business' }
  expect(await ofBuild(471)).toEqual([
    { ...place, id: expect.any(Number), name: 'gate', step: 1, deployed: 1, revision: 2, state: 'upgraded' },
    { ...place, id: expect.any(Number), name: 'api', step: 2, deployed: 1, revision: 2, state: 'stable' },
  ])
  expect(await ofBuild(47)).toEqual([])

  const group = await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'shop' } })
  const step = (service: string) => ({ type: 'deploy' as const, name: service, stackUuid: stack.uuid, service })
  const stages = [
    { name: 'first', steps: [step('api')] },
    { name: 'second', jobs: [{ name: 'roll out', steps: [step('gate')] }] },
  ]
  const { id } = await team.leader.call(definitions.create, {
    body: { projectName: 'roll out', appId: group.id, definition: { stages } },
  })
  const undecided = (pipelineId: number) =>
    team.leader.call(deployments.undecided, { params: { teamId: team.id, pipelineId } })
  expect((await undecided(id)).map(({ name }) => name)).toEqual(['gate'])
  expect(await undecided(id + 1)).toEqual([])
  await team.leader.call(services.confirm, {
    params: { teamId: team.id, envId: stack.envId, id: (await service('gate')).id },
  })
  expect(await undecided(id)).toEqual([])

  const other = await app.team()
  const elsewhere = { params: { teamId: other.id, buildId: 471, pipelineId: id } }
  expect(await other.leader.call(deployments.ofBuild, elsewhere)).toEqual([])
})
