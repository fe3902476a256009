import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { environments } from '@gantry/contract/clusters/environments'
import { DeployStep } from '@gantry/contract/pipelines/definition'
import { services } from '@gantry/contract/stacks/services'
import { notifications } from '@gantry/contract/notifications/notifications'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandbox } from '../../../../test/sandbox.ts'
import { testApp } from '../../../../test/test-app.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { insertRegistry } from '../../images/registries.store.ts'
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
  const { uuid } = await app.admin.call(environments.create, {
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
  content: string
  service?: string
  confirm?: boolean
}

/** One call, as the agent makes it every second. */
const ask = ({ key, content, service = 'web', confirm = true }: Asked): Promise<Progress> =>
  deployImage(app.ctx(team.leader), {
    teamId: team.id,
    step: DeployStep.parse({ type: 'deploy', name: 'deploy', stackUuid: stack.uuid, service, confirm, create: {} }),
    image: 'registry.example.test/web:1',
    digest: digestOf(content),
    registryId,
    key,
    by: team.leader.name,
  })

/** Asks until it is over. */
const deployed = (asked: Asked): Promise<Progress> =>
  eventually(
    async () => {
      const progress = await ask(asked)
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

test('the first image creates the service, the next one upgrades it, each once however often it is asked for', async () => {
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

test('who asked for an upgrade is told that it waits for a decision; of a build’s deployment the build tells', async () => {
  await deployed({ key: 'before', content: 'a', service: 'told' })
  await deployed({ key: 'by a build', content: 'b', service: 'told', confirm: false })
  const told = async () => (await team.leader.call(notifications.list)).items
  expect(await told()).toEqual([])
  const { id } = await service('told')
  const of = { params: { teamId: team.id, envId: stack.envId, id } }
  await team.leader.call(services.confirm, of)
  await settled('told', 'stable')
  const body = { image: 'registry.example.test/web:2' }
  await team.leader.call(services.upgrade, { ...of, query: {}, body })
  await settled('told', 'upgraded')
  expect(await told()).toMatchObject([
    {
      tone: 'ok',
      text: 'The upgrade of told in shop is ready: confirm it or roll it back',
      target: { route: 'containers', params: { service_id: id, stack_uuid: stack.uuid } },
    },
  ])
})

test('who scales a service is told once that it has ended', async () => {
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
