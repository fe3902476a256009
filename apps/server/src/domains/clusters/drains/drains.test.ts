import { hosts } from '@gantry/contract/clusters/hosts'
import { hostsTopic } from '@gantry/contract/clusters/topics'
import { notifications } from '@gantry/contract/notifications/notifications'
import { eventually } from '@gantry/waiting/eventually'
import { expect, test } from 'vitest'
import * as kinds from '../../../adapters/kube/resources.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { drainReconciler } from './drains.service.ts'

const { app, direct, address, newEnvironment } = await sandboxApp()
const [worker, other] = ['sandbox-2', 'sandbox-3'] as const
const namespace = 'drained'
await direct.apply(kinds.namespaces, { metadata: { name: namespace } })
const team = await app.team()
const { uuid: alone } = await newEnvironment('alone', team)

const one = () => ({ env: alone, host: worker })
const node = () => direct.get(kinds.nodes, { name: worker })
const state = async () =>
  (await team.leader.call(hosts.list, { query: { envUuid: alone, keyword: worker } })).items[0]?.state

const maintain = (enable: boolean) => team.leader.call(hosts.maintenance, { params: one(), body: { enable } })
const readDrain = async () => (await team.leader.call(hosts.get, { params: one() })).maintenance
const begin = () => drainReconciler.begin(app.ctx())
const rounds = async () => void (await Promise.all((await begin()).map(({ ended }) => ended)))
/** Runs rounds until the assertion holds, ignoring their pauses. */
const until = (so: (maintenance: Awaited<ReturnType<typeof readDrain>>) => void) =>
  eventually(async () => {
    await app.db.updateTable('host_drain').set({ lease_until: '2000-01-01T00:00:00Z' }).execute()
    await rounds()
    so(await readDrain())
  })

const podsOn = async (host: string) =>
  (await direct.list(kinds.pods, { namespace, fields: `spec.nodeName=${host}` })).items.map(
    ({ metadata }) => metadata?.name ?? '',
  )

/** Two pods of a Deployment on the worker, with a budget that allows no eviction. */
async function deploy(): Promise<void> {
  await direct.merge(kinds.nodes, { name: other }, { spec: { unschedulable: true } })
  const app = { app: 'web' }
  await direct.apply(kinds.deployments, {
    metadata: { name: 'web', namespace },
    spec: {
      replicas: 2,
      selector: { matchLabels: app },
      template: { metadata: { labels: app }, spec: { containers: [{ name: 'c', image: 'web:1' }] } },
    },
  })
  await eventually(async () => {
    const { items } = await direct.list(kinds.pods, { namespace, labels: 'app=web' })
    expect(items.filter(({ status }) => status?.phase === 'Running')).toHaveLength(2)
  })
  await direct.merge(kinds.nodes, { name: other }, { spec: { unschedulable: null } })
  await direct.apply(kinds.disruptionBudgets, {
    metadata: { name: 'web', namespace },
    spec: { minAvailable: 2, selector: { matchLabels: app } },
  })
}

test('a drain evicts within budgets, lists the pods that wait with the reason, and can be ended', async () => {
  await deploy()
  await direct.create(kinds.pods, {
    metadata: { name: 'lonely', namespace },
    spec: { nodeName: worker, containers: [{ name: 'c', image: 'web:1' }] },
  })
  expect(await podsOn(worker)).toHaveLength(3)
  const published: unknown[] = []
  const stop = app.server.events.subscribe((event) => {
    if (event.topic === hostsTopic.name({ env: alone })) published.push(event.content)
  })

  await maintain(true)
  await maintain(true)
  await until((maintenance) => {
    expect(maintenance).toMatchObject({ state: 'draining', total: 3, left: 3, message: '', waiting: [] })
  })
  const budget = expect.stringMatching(/disruption budget.*web needs 2 healthy pods and has 2/i)
  expect((await app.admin.call(hosts.get, { params: one() })).maintenance?.waiting).toEqual(
    expect.arrayContaining([
      { namespace, pod: expect.stringMatching(/^web-/), reason: budget },
      { namespace, pod: 'lonely', reason: expect.stringContaining('no controller') },
    ]),
  )
  expect(await state()).toBe('maintenance')
  const uncordon = team.leader.call(hosts.cordon, { params: one(), body: { enable: false } })
  await expect(uncordon).rejects.toMatchObject({ status: 409, key: 'hosts-in-maintenance' })

  await direct.merge(kinds.disruptionBudgets, { name: 'web', namespace }, { spec: { minAvailable: 1 } })
  await until((maintenance) => expect(maintenance).toMatchObject({ state: 'draining', left: 1 }))
  expect(await podsOn(worker)).toEqual(['lonely'])
  expect(await podsOn(other)).toHaveLength(2)
  await direct.remove(kinds.pods, { name: 'lonely', namespace }, { grace: 0 })
  await until((maintenance) => expect(maintenance).toMatchObject({ state: 'done', total: 3, left: 0, waiting: [] }))
  expect((await team.leader.call(notifications.list, {})).items).toMatchObject([
    { kind: 'host', tone: 'ok', teamName: team.name, target: { params: { env_uuid: alone, host_name: worker } } },
  ])
  // an older transaction elsewhere holds events back for a while
  await eventually(() => expect(published.length).toBeGreaterThan(3))
  stop()
  expect(new Set(published.map((content) => JSON.stringify(content)))).toEqual(new Set([`{"host":"${worker}"}`]))

  await maintain(false)
  expect((await node()).spec?.unschedulable).toBeUndefined()
  expect(await state()).toBe('ready')
})

test('a drain that is ended during a round stays ended, and does not name other teams’ pods', async () => {
  await maintain(true)
  await Promise.all([rounds(), maintain(false)])
  await rounds()
  expect(await readDrain()).toMatchObject({ state: 'stopped', waiting: [] })
  expect((await node()).spec?.unschedulable).toBeUndefined()
})

test('a drain ends once somebody else uncordons the host, and reports this', async () => {
  await maintain(true)
  await direct.merge(kinds.nodes, { name: worker }, { spec: { unschedulable: null } })
  await until((maintenance) => {
    expect(maintenance).toMatchObject({
      state: 'stopped',
      message: expect.stringContaining('uncordoned the host'),
    })
  })
})

test('a drain is continued by another replica if one dies', async () => {
  await maintain(true)
  const [first] = await begin()
  expect(await begin()).toEqual([])
  await first?.ended
  await app.db.updateTable('host_drain').set({ state: 'draining', lease_until: '2000-01-01T00:00:00Z' }).execute()
  await until((maintenance) => expect(maintenance?.state).toBe('done'))
  await maintain(false)
})

test('a finished drain ends once pods may start on the host again, so that a later cordon is only a cordon', async () => {
  const cordon = (enable: boolean) => team.leader.call(hosts.cordon, { params: one(), body: { enable } })
  const done = () => until((maintenance) => expect(maintenance?.state).toBe('done'))
  await maintain(true)
  await done()
  await cordon(true)
  expect(await state()).toBe('maintenance')
  await cordon(false)
  await cordon(true)
  expect(await state()).toBe('cordoned')
  await maintain(true)
  await done()
  // uncordoned outside the product
  await direct.merge(kinds.nodes, { name: worker }, { spec: { unschedulable: null } })
  await cordon(true)
  expect(await state()).toBe('cordoned')
  await cordon(false)
})

test('a drain can be ended while its cluster does not answer', async () => {
  await maintain(true)
  const at = await app.db.selectFrom('environment').select('address').executeTakeFirstOrThrow()
  const put = (set: { address: string }) => app.db.updateTable('environment').set(set).execute()
  await put({ address: seal(app.ctx(), JSON.stringify({ ...address, server: 'https://127.0.0.1:1' })) })
  await expect(maintain(false)).rejects.toMatchObject({ status: 503 })
  await put(at)
  await rounds()
  expect(await readDrain()).toMatchObject({ state: 'stopped' })
  await maintain(false)
  expect(await state()).toBe('ready')
})

test('a drain leaves a pod alone that tolerates the cordon and would come back', async () => {
  const labels = { app: 'everywhere' }
  await direct.apply(kinds.deployments, {
    metadata: { name: 'everywhere', namespace },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          nodeSelector: { 'kubernetes.io/hostname': worker },
          tolerations: [{ operator: 'Exists' }],
          containers: [{ name: 'c', image: 'web:1' }],
        },
      },
    },
  })
  const pods = () => podsOn(worker)
  await eventually(async () => expect(await pods()).toHaveLength(1))
  const before = await pods()
  await maintain(true)
  await until((maintenance) => expect(maintenance?.state).toBe('done'))
  const after = await pods()
  expect(after).toHaveLength(1)
  expect(after).not.toEqual(before)
  await maintain(false)
  await direct.remove(kinds.deployments, { name: 'everywhere', namespace })
})
