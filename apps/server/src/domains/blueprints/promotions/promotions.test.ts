import { readFileSync } from 'node:fs'
import { promotions } from '@gantry/contract/blueprints/promotions'
import { releases } from '@gantry/contract/blueprints/releases'
import { clusters } from '@gantry/contract/clusters/clusters'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as kinds from '../../../adapters/kube/resources.ts'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { startSandbox } from '../../../../test/sandbox.ts'
import { testApp } from '../../../../test/test-app.ts'

const sandboxes = await Promise.all([startSandbox(), startSandbox()])
const configs = sandboxes.map((one) => readFileSync(one.kubeconfig, 'utf8'))
const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
const app = await testApp({ ports: { kube } })
afterAll(async () => {
  await kube.close()
  for (const one of sandboxes) await one.stop()
})
const production = () => kube.cluster('second', parseKubeconfig(configs[1] ?? '')).kube

let dev = ''
let prod = ''
let team: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
  const join = async (name: string, kubeconfig = '') =>
    (await app.admin.call(clusters.create, { body: { name, kubeconfig, teamIds: [team.id] } })).uuid
  dev = await join('dev', configs[0])
  prod = await join('prod', configs[1])
})

let made = 0
const password = 'tidal-cobalt-41'
const small = { cpu: '0.1', memory: '32Mi' }
const api = {
  image: 'registry.example.test/api:1',
  resources: small,
  environment: [
    { name: 'URL', value: 'http://dev.example.test' },
    { name: 'PASSWORD', value: password, secret: true },
  ],
}

/** Allows for several rollouts one after the other, while other tests run rollouts too. */
const until = <T>(read: () => Promise<T>, is: (value: T) => boolean) =>
  eventually(
    async () => {
      await app.reconcile()
      return read()
    },
    is,
    { ms: 30_000 },
  )
const list = async (envId: string, uuid: string) =>
  (await team.leader.call(services.list, { params: { teamId: team.id, envId, uuid }, query: { pageSize: -1 } })).items
const settled = (envId: string, uuid: string, state = 'stable') =>
  until(
    () => list(envId, uuid),
    (all) => all.every((one) => one.state === state || one.state === 'stable'),
  )

/** A settled stack of two services on the first cluster. */
async function source() {
  const stack = await team.leader.call(stacks.create, {
    params: { teamId: team.id },
    body: { name: `shop-${++made}`, envId: dev },
  })
  const params = { teamId: team.id, stackId: stack.uuid }
  await team.leader.call(services.create, { params: { ...params, serviceName: 'api' }, body: api })
  const web = { image: 'registry.example.test/web:1', resources: small, ports: [{ port: 80 }] }
  await team.leader.call(services.create, { params: { ...params, serviceName: 'web' }, body: web })
  await settled(dev, stack.uuid)
  return stack
}
const of = (stackName: string, body: object = {}) => ({
  params: { teamId: team.id, envId: dev, stackName },
  body: { envId: prod, stackName, ...body },
})
const specOf = async (envId: string, uuid: string, name: string) => {
  const id = (await list(envId, uuid)).find((one) => one.name === name)?.id ?? 0
  return team.leader.call(services.get, { params: { teamId: team.id, envId, id } })
}
const decided = (stackName: string) => ({ params: { teamId: team.id, envId: prod, stackName } })

/** A stack and its confirmed promotion. */
async function promoted() {
  const from = await source()
  const to = await team.leader.call(promotions.promote, of(from.name))
  await settled(prod, to.uuid)
  await team.leader.call(releases.confirm, decided(to.name))
  return { from, to }
}

describe.concurrent('a promotion', () => {
  test('lists what may differ, creates the stack with the same digests and secrets, and is one release', async () => {
    const from = await source()
    const { exists, settings } = await team.leader.call(promotions.settings, {
      params: { teamId: team.id, envId: dev, stackName: from.name },
      query: { targetEnv: prod, targetName: from.name },
    })
    expect(exists).toBe(false)
    expect(settings.map(({ service, key }) => `${service} ${key}`)).toEqual([
      'api replicas',
      'api environment.URL',
      'api environment.PASSWORD',
      'web replicas',
    ])
    expect(JSON.stringify(settings)).not.toContain(password)
    const wanted = of(from.name, { values: [{ service: 'api', key: 'environment.URL', value: 'http://prod.test' }] })
    const plan = await team.leader.call(promotions.check, wanted)
    expect(plan).toMatchObject({ blueprint: null, refusals: [], changed: [], share: { before: { cpu: 0 } } })
    expect(plan.made.map(({ name }) => name)).toEqual(['api', 'web'])
    expect(plan.share.after.cpu).toBeCloseTo(0.4)
    const to = await team.leader.call(promotions.promote, wanted)
    expect(to).toMatchObject({ name: from.name, envId: prod, inRelease: true, serviceNum: 2 })
    await settled(prod, to.uuid)
    const [there, here] = [await specOf(prod, to.uuid, 'api'), await specOf(dev, from.uuid, 'api')]
    expect(there.digest).toBe(here.digest)
    expect(there.digest).toMatch(/^sha256:/)
    expect(there.spec.environment[0]).toMatchObject({ value: 'http://prod.test' })
    const { items } = await production().list(kinds.secrets, { namespace: to.namespace })
    expect(JSON.stringify(items)).toContain(Buffer.from(password).toString('base64'))
    expect(await team.leader.call(releases.confirm, decided(to.name))).toMatchObject({
      action: 'promote',
      state: 'confirmed',
      version: `${from.name} (dev)`,
    })
  })

  test('repeated, changes only what differs and keeps the target’s own settings', async () => {
    const { from, to } = await promoted()
    await expect(team.leader.call(promotions.promote, of(from.name))).rejects.toMatchObject({
      status: 409,
      key: 'promotions-nothing-changes',
    })
    const params = { teamId: team.id, stackId: to.uuid, serviceName: 'api' }
    const own = {
      ...api,
      environment: [{ name: 'URL', value: 'http://prod.test' }, api.environment[1] ?? { name: '' }],
    }
    await team.leader.call(services.update, { params, body: own })
    await settled(prod, to.uuid, 'upgraded')
    const id = (await list(prod, to.uuid)).find(({ name }) => name === 'api')?.id ?? 0
    await team.leader.call(services.confirm, { params: { teamId: team.id, envId: prod, id } })
    const next = { ...api, image: 'registry.example.test/api:2' }
    const before = await specOf(dev, from.uuid, 'api')
    await team.leader.call(services.edit, { params: { teamId: team.id, envId: dev, id: before.id }, body: next })
    await settled(dev, from.uuid)
    const plan = await team.leader.call(promotions.check, of(from.name))
    expect(plan).toMatchObject({ made: [], same: ['web'], restarted: ['api'], refusals: [] })
    expect(plan.changed[0]?.fields.map(({ field }) => field)).toEqual(['image', 'digest'])
    await team.leader.call(promotions.promote, of(from.name))
    await settled(prod, to.uuid, 'upgraded')
    const { spec } = await specOf(prod, to.uuid, 'api')
    expect(spec).toMatchObject({ image: next.image, environment: [{ value: 'http://prod.test' }, {}] })
    await team.leader.call(releases.rollBack, decided(to.name))
    await settled(prod, to.uuid)
    expect((await specOf(prod, to.uuid, 'api')).spec.image).toBe(api.image)
  })

  test('that created its stack deletes it when it is rolled back', async () => {
    const from = await source()
    const to = await team.leader.call(promotions.promote, of(from.name, { stackName: `fresh-${made}` }))
    await settled(prod, to.uuid)
    expect(await team.leader.call(releases.rollBack, decided(to.name))).toMatchObject({ state: 'returned' })
    await until(
      () => team.leader.call(stacks.list, { params: { teamId: team.id, envId: prod }, query: { pageSize: -1 } }),
      ({ items }) => items.every(({ name }) => name !== to.name),
    )
  })

  test('is refused with unknown or invalid settings, beyond the quota, onto itself, and for another team’s stack', async () => {
    const from = await source()
    const promote = (body: object) => team.leader.call(promotions.promote, of(from.name, body))
    await expect(promote({ envId: dev })).rejects.toMatchObject({ status: 400, key: 'promotions-itself' })
    const values = (key: string, value: string) => ({ values: [{ service: 'api', key, value }] })
    await expect(promote(values('image', 'x'))).rejects.toMatchObject({ key: 'promotions-setting-unknown' })
    await expect(promote(values('replicas', 'many'))).rejects.toMatchObject({ key: 'promotions-value-wrong' })
    const quota = { cpu: 0.3, memory: 1 }
    expect((await team.leader.call(promotions.check, of(from.name, { quota }))).refusals[0]).toContain('0.3')
    await expect(promote({ quota })).rejects.toMatchObject({ status: 409, key: 'stacks-share-exceeded-cpu' })
    const list = await team.leader.call(stacks.list, {
      params: { teamId: team.id, envId: prod },
      query: { pageSize: -1 },
    })
    expect(list.items.map(({ name }) => name)).not.toContain(from.name)
    const others = await app.team()
    const stolen = { ...of(from.name), params: { teamId: others.id, envId: dev, stackName: from.name } }
    await expect(others.leader.call(promotions.promote, stolen)).rejects.toMatchObject({ status: 404 })
  })

  test('does not show a secret of the target as a plain variable of the source', async () => {
    const { from, to } = await promoted()
    const { id } = await specOf(dev, from.uuid, 'api')
    const plain = [{ name: 'PASSWORD', value: 'shown' }]
    const params = { teamId: team.id, envId: dev, id }
    await team.leader.call(services.edit, { params, body: { ...api, environment: plain } })
    await settled(dev, from.uuid)
    await team.leader.call(promotions.promote, of(from.name))
    const { spec } = await specOf(prod, to.uuid, 'api')
    expect(spec.environment).toEqual([{ name: 'PASSWORD', value: 'shown', secret: false }])
  })
})
