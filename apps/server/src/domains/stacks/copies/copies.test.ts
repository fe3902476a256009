import { copies } from '@gantry/contract/stacks/copies/copies'
import { decisions } from '@gantry/contract/decisions/decisions'
import { notifications } from '@gantry/contract/notifications/notifications'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { refusalOf } from '../../../../test/test-app.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const { app, direct, newEnvironment } = await sandboxApp()
let team: Awaited<ReturnType<typeof app.team>>
let envId = ''
beforeAll(async () => {
  team = await app.team()
  envId = (await newEnvironment('one', team)).uuid
})

const small = { cpu: '0.1', memory: '32Mi' }
/** Its pods end at once. */
const lifecycle = { beforeStop: { type: 'command' as const, command: ['true'] } }
const body = (tag: number | string, more: Partial<ServiceSpecInput> = {}): ServiceSpecInput => ({
  image: `registry.example.test/web:${tag}`,
  resources: small,
  ports: [{ port: 8080 }],
  lifecycle,
  ...more,
})
const of = (id: number) => ({ params: { teamId: team.id, envId, id } })
const get = (id: number) => team.leader.call(services.get, of(id))
const blueGreen = (id: number, spec: ServiceSpecInput) =>
  team.leader.call(copies.blueGreen, { ...of(id), body: { spec } })
type GrayInput = NonNullable<Parameters<typeof gray>[2]>
const gray = (
  id: number,
  spec: ServiceSpecInput,
  more: {
    steps?: { weight: number; pauseSeconds?: number | null }[]
    rule?: { restarts?: number; unready?: number }
  } = {},
) => team.leader.call(copies.gray, { ...of(id), body: { spec, ...more } })
const goOn = (id: number) => team.leader.call(copies.goOn, of(id))
const confirm = (id: number) => team.leader.call(services.confirm, of(id))

/** Waits long enough for several rollouts in a row, beside those of other tests. */
const until = <T>(look: () => Promise<T>, isThere: (seen: T) => boolean) =>
  eventually(
    async () => {
      await app.reconcile()
      return look()
    },
    isThere,
    { ms: 30_000 },
  )
const settled = (id: number, ...states: string[]) =>
  until(
    () => get(id),
    ({ state }) => states.includes(state),
  )

let made = 0
async function running(more: Partial<ServiceSpecInput> = {}) {
  const stack = await team.leader.call(stacks.create, {
    params: { teamId: team.id },
    body: { name: `stack-${++made}`, envId },
  })
  const { id } = await team.leader.call(services.create, {
    params: { teamId: team.id, stackId: stack.id, serviceName: 'web' },
    body: body(1, more),
  })
  await settled(id, 'stable')
  return { id, stack, namespace: stack.namespace }
}

/** The ready pods behind a Kubernetes service, counted by image tag. */
async function podsBehind(namespace: string, name = 'web') {
  const { spec } = await direct.get(kinds.services, { name, namespace })
  const { items } = await direct.list(kinds.pods, { namespace })
  const wanted = Object.entries(spec?.selector ?? {})
  const tags = items
    .filter(({ metadata, status }) => {
      const isReady = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True')
      const has = wanted.every(([key, value]) => metadata?.labels?.[key] === value)
      return has && isReady && metadata?.deletionTimestamp === undefined
    })
    .map((pod) => pod.spec?.containers[0]?.image?.split(':').at(-1) ?? '')
  return Object.fromEntries(
    Array.from(
      Map.groupBy(tags, (tag) => tag),
      ([tag, all]) => [tag, all.length],
    ),
  )
}

const waits = async (id: number) =>
  (await team.leader.call(decisions.list, { query: { pageSize: -1 } })).items.filter(
    (one) => one.kind === 'upgrade' && one.serviceId === id,
  )

const uidsOf = async (namespace: string) =>
  (await direct.list(kinds.pods, { namespace })).items.map(({ metadata }) => metadata?.uid).sort()

/** The names of a copy's objects; empty once it has been removed. */
async function ofCopy(namespace: string) {
  const all = await Promise.all(
    [kinds.deployments, kinds.services, kinds.secrets, kinds.configMaps].map((kind) =>
      direct.list(kind, { namespace }),
    ),
  )
  return all
    .flatMap(({ items }) => items.map(({ metadata }) => metadata?.name ?? ''))
    .filter((n) => n.includes('-next'))
}

describe.concurrent('blue/green', () => {
  test('creates the claims that only its new specification names, and shares them with the service', async () => {
    const { id, namespace } = await running()
    const volumes = [{ name: 'data', path: '/data', type: 'claim' as const, size: '1Gi', access: 'many' as const }]
    await blueGreen(id, body(2, { volumes }))
    expect((await settled(id, 'upgraded', 'failed')).state).toBe('upgraded')
    expect(await podsBehind(namespace, 'web-next')).toEqual({ 2: 1 })
    const { items } = await direct.list(kinds.persistentVolumeClaims, { namespace })
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(['web.data'])
    await confirm(id)
    expect((await settled(id, 'stable')).copy).toMatchObject({ ended: 'confirmed' })
  })

  test('runs beside the service without its requests, gets all of them once confirmed, and is removed', async () => {
    const secret = (value: string) => ({ environment: [{ name: 'KEY', value, secret: true }] })
    const { id, namespace } = await running({ replicas: 2, ...secret('old') })
    expect(await blueGreen(id, body(2, { replicas: 2, ...secret('new') }))).toMatchObject({ state: 'upgrading' })
    const upgraded = await settled(id, 'upgraded')
    expect(await waits(id)).toMatchObject([{ kind: 'upgrade', step: false, name: 'web' }])
    expect(upgraded).toMatchObject({
      ready: 2,
      replicas: 2,
      previous: { image: 'registry.example.test/web:1' },
      copy: { type: 'bluegreen', ended: null, addresses: [`http://web-next.${namespace}.svc:8080`] },
    })
    expect(await podsBehind(namespace)).toEqual({ 1: 2 })
    expect(await podsBehind(namespace, 'web-next')).toEqual({ 2: 2 })
    const { bgConf } = await team.leader.call(services.get, { ...of(id), query: { type: 'bgConf' } })
    expect(bgConf).toMatchObject({ instances: { old: 2, new: 2 } })
    const containers = await team.leader.call(services.containers, { ...of(id), query: {} })
    expect(containers.items.map(({ name }) => name)).toEqual(['web', 'web', 'web', 'web'])

    expect(await confirm(id)).toMatchObject({ state: 'confirming' })
    expect(await waits(id)).toEqual([])
    const during: object[] = []
    const stable = await until(
      async () => {
        during.push(await podsBehind(namespace))
        return get(id)
      },
      ({ state }) => state === 'stable',
    )
    expect(stable).toMatchObject({ previous: null, ready: 2, copy: { ended: 'confirmed', addresses: [] } })
    // at any time all requests go to pods of one version, and there is always one that answers
    expect(during.every((tags) => Object.keys(tags).length === 1)).toBe(true)
    expect(await podsBehind(namespace)).toEqual({ 2: 2 })
    expect(await ofCopy(namespace)).toEqual([])
    const { spec } = await direct.get(kinds.services, { name: 'web', namespace })
    expect(spec?.selector).toEqual({ [labels.service]: String(id) })
    const { data } = await direct.get(kinds.secrets, { name: 'web-env', namespace })
    expect(Buffer.from(data?.['KEY'] ?? '', 'base64').toString()).toBe('new')
  })

  test('is rolled back, or cancelled if it does not start, without replacing a pod of the service', async () => {
    const { id, namespace } = await running({ replicas: 2 })
    const before = await uidsOf(namespace)
    await blueGreen(id, body(2, { replicas: 2 }))
    await settled(id, 'upgraded')
    await team.leader.call(services.rollBack, of(id))
    expect(await settled(id, 'stable')).toMatchObject({
      previous: null,
      spec: { image: 'registry.example.test/web:1' },
      copy: { ended: 'returned' },
    })
    await until(
      () => uidsOf(namespace),
      (uids) => uids.length === 2,
    )
    expect(await uidsOf(namespace)).toEqual(before)

    await blueGreen(id, { ...body(3), image: 'registry.invalid/web:3' })
    const stuck = await until(
      () => get(id),
      ({ message }) => message !== '',
    )
    expect(stuck).toMatchObject({ state: 'upgrading', message: expect.stringContaining('registry.invalid') })
    expect(await podsBehind(namespace)).toEqual({ 1: 2 })
    const restart = { teamId: team.id, envId, stackName: (await get(id)).stackName }
    expect(await refusalOf(team.leader.call(services.restart, { params: restart, body: ['web'] }))).toMatchObject({
      status: 409,
      key: 'stacks-copy-open',
    })
    await team.leader.call(services.cancel, of(id))
    await settled(id, 'stable')
    expect(await uidsOf(namespace)).toEqual(before)
    expect(await ofCopy(namespace)).toEqual([])
    expect(await podsBehind(namespace)).toEqual({ 1: 2 })
  })

  test('is deleted with the service', async () => {
    const { id, namespace } = await running()
    await blueGreen(id, body(2))
    await settled(id, 'upgraded')
    const params = { teamId: team.id, envId, idAndType: `${id}_business` }
    await team.leader.call(services.remove, { params, query: { confirm: 'web' } })
    const find = () => app.db.selectFrom('service').select('id').where('id', '=', id).executeTakeFirst()
    await until(find, (found) => found === undefined)
    expect(await ofCopy(namespace)).toEqual([])
    await until(
      () => uidsOf(namespace),
      (uids) => uids.length === 0,
    )
  })
})

describe.concurrent('gray', () => {
  test('gets a rising part of the requests, step by step, and all of them once confirmed', async () => {
    const { id, namespace } = await running({ replicas: 4 })
    const steps = [{ weight: 25 }, { weight: 50, pauseSeconds: 1 }, { weight: 75 }, { weight: 100 }]
    await gray(id, body(2, { replicas: 4 }), { steps })
    const stands = (step: number) =>
      until(
        () => get(id),
        ({ copy }) => copy?.step === step && copy.waits,
      )
    expect(await stands(0)).toMatchObject({ state: 'upgrading', copy: { instances: { old: 3, new: 1 }, until: null } })
    await until(
      () => podsBehind(namespace),
      (tags) => tags['1'] === 3,
    )
    expect(await podsBehind(namespace)).toEqual({ 1: 3, 2: 1 })
    expect(await waits(id)).toMatchObject([{ step: true }])
    await goOn(id)
    expect(await waits(id)).toEqual([])
    // the second step ends by itself
    expect(await stands(2)).toMatchObject({ copy: { instances: { old: 1, new: 3 } } })
    await until(
      () => podsBehind(namespace),
      (tags) => tags['1'] === 1,
    )
    expect(await podsBehind(namespace)).toEqual({ 1: 1, 2: 3 })
    await goOn(id)
    const upgraded = await settled(id, 'upgraded')
    expect(upgraded).toMatchObject({ ready: 4, replicas: 4, copy: { step: 3 } })
    await until(
      () => podsBehind(namespace),
      (tags) => tags['1'] === undefined,
    )
    expect(await podsBehind(namespace)).toEqual({ 2: 4 })
    expect(await team.leader.call(copies.grayOf, of(id))).toMatchObject({ type: 'gray', step: 3, ended: null })
    await confirm(id)
    await settled(id, 'stable')
    expect(await podsBehind(namespace)).toEqual({ 2: 4 })
    expect(await ofCopy(namespace)).toEqual([])
    expect(await team.leader.call(copies.grayOf, of(id))).toMatchObject({ ended: 'confirmed' })
  })

  test('is cancelled in the middle, and the service gets all of its instances again', async () => {
    const { id, namespace } = await running({ replicas: 4 })
    await gray(id, body(2, { replicas: 4 }), { steps: [{ weight: 50 }, { weight: 100 }] })
    await until(
      () => get(id),
      ({ copy }) => copy?.waits === true,
    )
    await until(
      () => podsBehind(namespace),
      (tags) => tags['1'] === 2,
    )
    await team.leader.call(services.cancel, of(id))
    expect(await settled(id, 'stable')).toMatchObject({ copy: { ended: 'returned' }, ready: 4, replicas: 4 })
    expect(await podsBehind(namespace)).toEqual({ 1: 4 })
  })

  test.for<[what: string, more: Partial<ServiceSpecInput>, how: GrayInput, key: string]>([
    [
      'are restarted too often',
      { environment: [{ name: 'SANDBOX_CRASH', value: '1', secret: false }] },
      { rule: { restarts: 2 } },
      'restarted',
    ],
    [
      'do not stay ready',
      { environment: [{ name: 'SANDBOX_CRASH', value: '1', secret: false }] },
      { rule: { unready: 1 } },
      'not ready',
    ],
  ])('is rolled back by its rule if the new instances %s', { timeout: 60_000 }, async ([, more, how, words]) => {
    const { id, namespace } = await running({ replicas: 2 })
    const before = await uidsOf(namespace)
    await gray(id, body(2, { replicas: 2, ...more }), { steps: [{ weight: 10 }, { weight: 100 }], ...how })
    const back = await settled(id, 'stable')
    expect(back).toMatchObject({
      spec: { image: 'registry.example.test/web:1' },
      copy: { ended: 'taken-back', why: expect.stringContaining(words) },
      changedBy: team.leader.name,
    })
    expect(back.revisions[0]).toMatchObject({ action: 'cancel' })
    expect(await uidsOf(namespace)).toEqual(expect.arrayContaining(before.slice(0, 1)))
    expect(await ofCopy(namespace)).toEqual([])
    const { items } = await team.leader.call(notifications.list)
    expect(items.map(({ text }) => text)).toContainEqual(expect.stringContaining('taken back by its rule'))
  })

  test('can go to the next step only during a step', async () => {
    const { id } = await running()
    expect(await refusalOf(goOn(id))).toMatchObject({ status: 409, key: 'stacks-gray-none' })
    expect(await team.leader.call(copies.grayOf, of(id))).toBeNull()
    await blueGreen(id, body(2))
    expect(await refusalOf(goOn(id))).toMatchObject({ status: 409, key: 'stacks-gray-none' })
  })
})

describe.concurrent('a copy', () => {
  const claim = { name: 'data', path: '/data', type: 'claim', size: '1Gi' } as const

  test.for<[what: string, more: Partial<ServiceSpecInput>, key: string]>([
    ['a StatefulSet', { workload: 'statefulset' }, 'stacks-copy-workload'],
    ['what has a claim for one host', { volumes: [claim] }, 'stacks-copy-claim'],
  ])('is refused for %s', async ([, more, key]) => {
    const { id } = await running(more)
    expect(await refusalOf(blueGreen(id, body(2, more)))).toMatchObject({ status: 409, key })
    expect(await get(id)).toMatchObject({ state: 'stable', revision: 1 })
  })

  test('reserves its name and blocks all other changes of the service', async () => {
    const { id, stack } = await running()
    const named = team.leader.call(services.create, {
      params: { teamId: team.id, stackId: stack.id, serviceName: 'api-next' },
      body: body(1),
    })
    expect(await refusalOf(named)).toMatchObject({ status: 400, key: 'stacks-name-of-copy' })
    await blueGreen(id, body(2))
    for (const change of [
      () => team.leader.call(services.scale, { ...of(id), query: { replicas: 3 } }),
      () => team.leader.call(services.upgrade, { ...of(id), body: body(3) }),
      () => team.leader.call(services.edit, { ...of(id), body: body(3) }),
      () => blueGreen(id, body(3)),
      () => gray(id, body(3)),
    ])
      expect(await refusalOf(change())).toMatchObject({ status: 409, key: 'stacks-copy-open' })
  })

  test('counts in the share of the stack, and one that does not fit is refused with the amount to free', async () => {
    const { id, stack } = await running({ replicas: 2 })
    const share = (cpu: number) =>
      team.leader.call(stacks.setQuota, {
        params: { teamId: team.id, envId, stackName: stack.name },
        body: { cpu, memory: null },
      })
    await share(0.4)
    expect(await refusalOf(blueGreen(id, body(2, { replicas: 2 })))).toMatchObject({
      status: 409,
      key: 'stacks-share-exceeded-cpu',
    })
    await share(0.5)
    await settled(id, 'stable')
    await blueGreen(id, body(2, { replicas: 2 }))
    expect((await settled(id, 'upgraded')).takes.cpu).toBeCloseTo(0.5)
    await confirm(id)
    expect((await settled(id, 'stable')).takes.cpu).toBeCloseTo(0.3)
  })

  test('is decided once, by any number of concurrent decisions', async () => {
    const { id } = await running()
    await blueGreen(id, body(2))
    await settled(id, 'upgraded')
    const decisions = Array.from({ length: 30 }, (_, n) =>
      team.leader.call(n % 2 === 0 ? services.confirm : services.rollBack, of(id)).then(
        () => 'done',
        () => 'refused',
      ),
    )
    expect((await Promise.all(decisions)).filter((how) => how === 'done')).toHaveLength(1)
    await settled(id, 'stable')
  })
})

test('only the beginning and the end of a wait for a decision are published', async () => {
  team = await app.team()
  envId = (await newEnvironment('two', team)).uuid
  const announced = async () =>
    (await app.db.selectFrom('outbox').select('seq').where('topic', '=', `decisions/${team.id}`).execute()).length
  const says = async (change: () => Promise<unknown>) => {
    const before = await announced()
    await change()
    expect(await announced()).toBeGreaterThan(before)
  }
  const { id } = await running()
  await team.leader.call(services.scale, { ...of(id), query: { replicas: 2 } })
  await settled(id, 'stable')
  expect(await announced()).toBe(0)

  await team.leader.call(services.upgrade, { ...of(id), body: body(2) })
  await says(() => settled(id, 'upgraded'))
  await says(() => confirm(id))
  await settled(id, 'stable')

  await gray(id, body(3, { replicas: 2 }), { steps: [{ weight: 50 }, { weight: 100 }] })
  await says(() =>
    until(
      () => get(id),
      ({ copy }) => copy?.waits === true,
    ),
  )
  await says(() => goOn(id))
  await says(() => settled(id, 'upgraded'))
  await says(() => team.leader.call(services.rollBack, of(id)))
  const ended = await announced()
  await settled(id, 'stable')
  expect(await announced()).toBe(ended)
})
