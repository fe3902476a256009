import { readFileSync } from 'node:fs'
import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { releases } from '@gantry/contract/blueprints/releases'
import { decisions } from '@gantry/contract/decisions/decisions'
import { clusters } from '@gantry/contract/clusters/clusters'
import { products } from '@gantry/contract/products/products'
import { notifications } from '@gantry/contract/notifications/notifications'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as kinds from '../../../adapters/kube/resources.ts'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { startSandbox } from '../../../../test/sandbox.ts'
import { testApp } from '../../../../test/test-app.ts'

const sandbox = await startSandbox()
const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
const app = await testApp({ ports: { kube } })
afterAll(async () => {
  await kube.close()
  await sandbox.stop()
})
const direct = () => kube.cluster('direct', parseKubeconfig(kubeconfig)).kube

let envId = ''
let team: Awaited<ReturnType<typeof app.team>>
let applicationId = 0
beforeAll(async () => {
  team = await app.team()
  const body = { name: 'sandbox', kubeconfig, teamIds: [team.id] }
  envId = (await app.admin.call(clusters.create, { body })).uuid
  applicationId = (await team.leader.call(products.create, { params: { team: team.id }, body: { name: 'shop' } })).id
})

/** A shop of three services that start in this order: db, api, web. */
const shop = ({ tag = '1', more = '', web = true } = {}) => `tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    COUNT: { type: integer, default: 1 }
    PASSWORD: { type: secret }
  node_templates:
${
  web
    ? `    web:
      type: gantry.nodes.Service
      properties:
        image: registry.example.test/web:${tag}
        replicas: { get_input: COUNT }
        resources: { cpu: '0.1', memory: 32Mi }
      requirements:
        - dependency: api
`
    : ''
}    api:
      type: gantry.nodes.Service
      properties:
        image: registry.example.test/api:${tag}
        resources: { cpu: '0.1', memory: 32Mi }
        environment:
          - { name: PASSWORD, value: { get_input: PASSWORD }, secret: true }
      requirements:
        - dependency: db
    db:
      type: gantry.nodes.Service
      properties:
        image: registry.example.test/db:1
        resources: { cpu: '0.1', memory: 32Mi }
${more}`
const extra = (image: string) => `    cache:
      type: gantry.nodes.Service
      properties:
        image: ${image}
        resources: { cpu: '0.1', memory: 32Mi }
`

let made = 0
const blueprint = (template: string) =>
  team.leader.call(blueprints.create, {
    params: { teamId: team.id },
    body: { applicationId, version: `1.${++made}`, template },
  })
const inputs = { PASSWORD: 'tidal-cobalt-41' }
const deployment = async (template = shop(), more: object = {}) => ({
  params: { teamId: team.id },
  body: { blueprintId: (await blueprint(template)).uuid, envId, stackName: `stack-${++made}`, inputs, ...more },
})
const named = (stackName: string) => ({ params: { teamId: team.id, envId, stackName } })

const servicesIn = async (uuid: string) =>
  (await team.leader.call(services.list, { params: { teamId: team.id, envId, uuid }, query: { pageSize: -1 } })).items
const statesIn = async (uuid: string) =>
  Object.fromEntries((await servicesIn(uuid)).map(({ name, state }) => [name, state]))

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
const settled = (uuid: string, states: Record<string, string>) =>
  until(
    () => statesIn(uuid),
    (now) => JSON.stringify(now) === JSON.stringify(states),
  )
const stable = { api: 'stable', db: 'stable', web: 'stable' }

async function deployed(template = shop(), more: object = {}) {
  const stack = await team.leader.call(releases.deploy, await deployment(template, more))
  await settled(stack.uuid, stable)
  return stack
}
const specs = async (uuid: string) =>
  Promise.all(
    (await servicesIn(uuid)).map(async ({ id, name }) => {
      const { spec } = await team.leader.call(services.get, { params: { teamId: team.id, envId, id } })
      return [name, spec] as const
    }),
  )

describe.concurrent('a deployment', () => {
  test('previews what it makes, in which order and with what resources, and then makes exactly that', async () => {
    const wanted = await deployment()
    const plan = await team.leader.call(releases.deployCheck, wanted)
    expect(plan).toMatchObject({ refusals: [], changed: [], removed: [], share: { before: { cpu: 0 } } })
    expect(plan.made.map(({ name, turn, requires }) => [name, turn, requires])).toEqual([
      ['web', 3, ['api']],
      ['api', 2, ['db']],
      ['db', 1, []],
    ])
    expect(plan.share.after.cpu).toBeCloseTo(0.6)
    const list = await team.leader.call(stacks.list, { params: { teamId: team.id, envId } })
    expect(list.items.map(({ name }) => name)).not.toContain(wanted.body.stackName)
    const stack = await team.leader.call(releases.deploy, wanted)
    expect(stack).toMatchObject({ name: wanted.body.stackName, productId: applicationId, serviceNum: 3 })
    expect(stack.used.cpu).toBeCloseTo(plan.share.after.cpu)
    await settled(stack.uuid, stable)
  })

  test('notifies its user once, when the last service runs', async () => {
    const texts = async () => (await team.leader.call(notifications.list)).items.map(({ text }) => text)
    const { name } = await deployed()
    expect((await texts()).filter((text) => text.includes(` ${name} `))).toEqual([
      `3 services in ${name} run as you asked`,
    ])
  })

  test('starts services in the order of their requirements, and says which one each waits for', async () => {
    const stack = await team.leader.call(releases.deploy, await deployment())
    const seen: string[] = []
    await until(
      async () => {
        const now = await servicesIn(stack.uuid)
        for (const { name, message } of now) if (message.includes('Waits')) seen.push(`${name}: ${message}`)
        for (const { name, state } of now) if (state === 'stable' && !seen.includes(name)) seen.push(name)
        return now
      },
      (now) => now.every(({ state }) => state === 'stable'),
    )
    expect(seen.filter((one) => !one.includes(':'))).toEqual(['db', 'api', 'web'])
    expect(seen).toContain('web: Waits until the services that it requires are ready: api')
    expect(seen.indexOf('db')).toBeLessThan(seen.indexOf('web'))
  })

  test('continues after a failure: waiting services name the failed one, and start once it is fixed', async () => {
    const broken = shop().replace('registry.example.test/db:1', `${sandbox.registry}/db:missing`)
    const stack = await team.leader.call(releases.deploy, await deployment(broken))
    await until(
      async () => (await servicesIn(stack.uuid)).find(({ name }) => name === 'api')?.message ?? '',
      (message) => message.includes('failed: db'),
    )
    expect(await statesIn(stack.uuid)).toEqual({ api: 'deploying', db: 'failed', web: 'deploying' })
    const body = { image: 'registry.example.test/db:1', resources: { cpu: '0.1', memory: '32Mi' } }
    await team.leader.call(services.update, {
      params: { teamId: team.id, stackId: stack.uuid, serviceName: 'db' },
      body,
    })
    await settled(stack.uuid, stable)
  })

  test('uses its inputs, and refuses missing, mistyped and unknown ones', async () => {
    const wanted = await deployment()
    const call = (given: Record<string, string | number>) =>
      team.leader.call(releases.deploy, { ...wanted, body: { ...wanted.body, inputs: given } })
    await expect(call({})).rejects.toMatchObject({ status: 400, key: 'blueprints-input-missing' })
    await expect(call({ ...inputs, COUNT: 'two' })).rejects.toMatchObject({ status: 400, key: 'blueprints-input-type' })
    await expect(call({ ...inputs, SIZE: 1 })).rejects.toMatchObject({ status: 400, key: 'blueprints-input-unknown' })
    const stack = await call({ ...inputs, COUNT: 2 })
    const [, , web] = await settled(stack.uuid, stable).then(() => servicesIn(stack.uuid))
    expect(web?.replicas).toBe(2)
    // a secret reaches the pods, but no answer shows it
    const stored = JSON.stringify([await specs(stack.uuid), await team.leader.call(releases.latest, named(stack.name))])
    expect(stored).not.toContain(inputs.PASSWORD)
  })

  test('creates nothing if the quota is too small or the name is taken', async () => {
    const stack = await deployed()
    const again = await deployment()
    await expect(
      team.leader.call(releases.deploy, { ...again, body: { ...again.body, stackName: stack.name } }),
    ).rejects.toMatchObject({ status: 409, key: 'stacks-name-taken' })
    const small = await deployment(shop(), { quota: { cpu: 0.3, memory: 1 } })
    const plan = await team.leader.call(releases.deployCheck, small)
    expect(plan.refusals[0]).toContain('0.3')
    await expect(team.leader.call(releases.deploy, small)).rejects.toMatchObject({
      status: 409,
      key: 'stacks-share-exceeded-cpu',
    })
    const list = await team.leader.call(stacks.list, { params: { teamId: team.id, envId }, query: { pageSize: -1 } })
    expect(list.items.map(({ name }) => name)).not.toContain(small.body.stackName)
  })

  test('with Istio is refused on a cluster without Istio', async () => {
    const wanted = await deployment()
    await expect(team.leader.call(releases.deploy, { ...wanted, query: { istio: 'true' } })).rejects.toMatchObject({
      status: 409,
      key: 'blueprints-no-istio',
    })
  })
})

describe.concurrent('a release', () => {
  const upgrade = async (stackName: string, template: string, more: object = {}) => ({
    ...named(stackName),
    body: { blueprintId: (await blueprint(template)).id, ...more },
  })

  test('previews what it creates, changes field by field, removes and restarts', async () => {
    const stack = await deployed()
    const next = shop({ tag: '2', web: false, more: extra('registry.example.test/cache:1') })
    const plan = await team.leader.call(releases.check, await upgrade(stack.name, next))
    expect(plan).toMatchObject({ refusals: [], removed: ['web'], same: ['db'], restarted: ['api'] })
    expect(plan.made.map(({ name }) => name)).toEqual(['cache'])
    expect(plan.changed).toMatchObject([
      {
        name: 'api',
        fields: [{ field: 'image', before: 'registry.example.test/api:1', after: 'registry.example.test/api:2' }],
      },
    ])
    expect(await statesIn(stack.uuid)).toEqual(stable)
    expect(await team.leader.call(releases.latest, named(stack.name))).toMatchObject({
      action: 'deploy',
      state: 'confirmed',
    })
  })

  test('is confirmed as one, and only then deletes what it removes', async () => {
    const stack = await deployed()
    const next = shop({ tag: '2', web: false, more: extra('registry.example.test/cache:1') })
    const wanted = await upgrade(stack.name, next)
    const release = await team.leader.call(releases.upgrade, wanted)
    expect(release).toMatchObject({ state: 'open', ready: false, made: ['cache'], changed: ['api'], removed: ['web'] })
    await expect(team.leader.call(releases.confirm, named(stack.name))).rejects.toMatchObject({
      status: 409,
      key: 'blueprints-release-not-ready',
    })
    const waits = async () =>
      (await team.leader.call(decisions.list)).items.filter(({ text }) => text.includes(stack.name))
    await settled(stack.uuid, { api: 'upgraded', cache: 'stable', db: 'stable', web: 'stable' })
    // the release waits, not its services
    expect(await waits()).toMatchObject([{ kind: 'release', stackName: stack.name, by: team.leader.name }])
    await expect(team.leader.call(releases.cancel, named(stack.name))).rejects.toMatchObject({
      status: 409,
      key: 'blueprints-release-ready',
    })
    await expect(team.leader.call(releases.upgrade, wanted)).rejects.toMatchObject({
      status: 409,
      key: 'blueprints-release-open',
    })
    expect(await team.leader.call(releases.confirm, named(stack.name))).toMatchObject({ state: 'confirmed' })
    expect(await waits()).toEqual([])
    await settled(stack.uuid, { api: 'stable', cache: 'stable', db: 'stable' })
    const { blueprintId } = await team.leader.call(stacks.get, {
      params: { teamId: team.id, envId, stackId: stack.id },
    })
    expect(blueprintId).toBe(wanted.body.blueprintId)
  })

  test('that changes no service any more leaves the pages that are open when it is confirmed', async () => {
    const stack = await deployed()
    await team.leader.call(
      releases.upgrade,
      await upgrade(stack.name, shop({ more: extra('registry.example.test/cache:1') })),
    )
    await settled(stack.uuid, { api: 'stable', cache: 'stable', db: 'stable', web: 'stable' })
    const published = () => app.db.selectFrom('outbox').select('seq').where('topic', '=', `stacks/${team.id}`).execute()
    const before = await published()
    await team.leader.call(releases.confirm, named(stack.name))
    // at least: the stack's services may have become stable only now
    expect((await published()).length).toBeGreaterThan(before.length)
  })

  test('is rolled back as one, to exactly what ran before', async () => {
    const stack = await deployed()
    const before = await specs(stack.uuid)
    const next = shop({ tag: '2', more: extra('registry.example.test/cache:1') })
    await team.leader.call(
      releases.upgrade,
      await upgrade(stack.name, next, { inputs: { PASSWORD: 'other-cobalt-42', COUNT: 2 } }),
    )
    await settled(stack.uuid, { api: 'upgraded', cache: 'stable', db: 'stable', web: 'upgraded' })
    expect(await team.leader.call(releases.rollBack, named(stack.name))).toMatchObject({ state: 'returned' })
    await settled(stack.uuid, stable)
    expect(await specs(stack.uuid)).toEqual(before)
    const { blueprintId } = await team.leader.call(stacks.get, {
      params: { teamId: team.id, envId, stackId: stack.id },
    })
    expect(blueprintId).toBe(stack.blueprintId)
    const secret = await direct()
      .get(kinds.secrets, { name: 'api.env', namespace: stack.namespace })
      .catch(() => undefined)
    if (secret) expect(JSON.stringify(secret)).not.toContain(Buffer.from('other-cobalt-42').toString('base64'))
  })

  test('that fails half-way names the failed service, and is cancelled as one', async () => {
    const stack = await deployed()
    const before = await specs(stack.uuid)
    const next = shop({ tag: '2' }).replace('registry.example.test/api:2', `${sandbox.registry}/api:missing`)
    await team.leader.call(releases.upgrade, await upgrade(stack.name, next))
    await settled(stack.uuid, { api: 'failed', db: 'stable', web: 'upgrading' })
    const { services: parts } = await team.leader
      .call(releases.latest, named(stack.name))
      .then((one) => one ?? { services: [] })
    expect(parts.find(({ name }) => name === 'api')?.message).toContain('api:missing')
    expect(await team.leader.call(releases.cancel, named(stack.name))).toMatchObject({ state: 'returned' })
    await settled(stack.uuid, stable)
    expect(await specs(stack.uuid)).toEqual(before)
  })

  test('keeps secrets that are not given, and its services cannot be decided one by one', async () => {
    const stack = await deployed()
    await team.leader.call(releases.upgrade, await upgrade(stack.name, shop({ tag: '2' })))
    await settled(stack.uuid, { api: 'upgraded', db: 'stable', web: 'upgraded' })
    const [api] = await servicesIn(stack.uuid)
    const one = { params: { teamId: team.id, envId, id: api?.id ?? 0 } }
    for (const action of [services.confirm, services.rollBack] as const)
      await expect(team.leader.call(action, one)).rejects.toMatchObject({ status: 409, key: 'stacks-in-release' })
    const { blueprintId } = (await team.leader.call(releases.latest, named(stack.name))) ?? {}
    const removed = { params: { teamId: team.id, id: blueprintId ?? 0 } }
    await expect(team.leader.call(blueprints.remove, removed)).rejects.toMatchObject({ key: 'blueprints-in-release' })
    await team.leader.call(releases.confirm, named(stack.name))
    await settled(stack.uuid, stable)
    const plan = await team.leader.call(releases.check, await upgrade(stack.name, shop({ tag: '2' }), { inputs }))
    // the password is the one given at the deployment
    expect(plan).toMatchObject({ changed: [], same: ['web', 'api', 'db'] })
    expect(plan.refusals).toHaveLength(1)
  })

  test('is decided once, however many decide concurrently', async () => {
    const stack = await deployed()
    await team.leader.call(releases.upgrade, await upgrade(stack.name, shop({ tag: '2' })))
    await settled(stack.uuid, { api: 'upgraded', db: 'stable', web: 'upgraded' })
    const decisions = [releases.confirm, releases.rollBack, releases.confirm, releases.rollBack, releases.cancel]
    const outcomes = await Promise.allSettled(
      decisions.map((decision) => team.leader.call(decision, named(stack.name))),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await settled(stack.uuid, stable)
  })
})

describe.concurrent('saving a stack', () => {
  test('makes a blueprint with the same services', async () => {
    const stack = await deployed()
    const params = { teamId: team.id, envId, uuid: stack.uuid }
    const saved = await team.leader.call(blueprints.saveStack, { params, body: { version: `saved-${++made}` } })
    expect(saved).toMatchObject({ applicationId, serviceNum: 3 })
    expect(saved.template).not.toContain(inputs.PASSWORD)
    const plan = await team.leader.call(releases.check, { ...named(stack.name), body: { blueprintId: saved.uuid } })
    expect(plan).toMatchObject({ made: [], changed: [], removed: [] })
    expect(plan.same).toHaveLength(3)
    const pinned = await team.leader.call(blueprints.saveStack, {
      params,
      body: { version: `saved-${++made}`, digests: true },
    })
    expect(pinned.template).toMatch(/registry\.example\.test\/api@sha256:[0-9a-f]{64}/)
  })
})

describe.concurrent('a service of a stack', () => {
  test('deployed from an outdated blueprint can be changed once that is translated', async () => {
    const stack = await deployed()
    const { blueprintId } = await team.leader.call(stacks.get, {
      params: { teamId: team.id, envId, stackId: stack.id },
    })
    const { uuid } = await team.leader.call(blueprints.get, { params: { teamId: team.id, id: blueprintId ?? 0 } })
    // as after an update of the platform
    await app.db.updateTable('blueprint').set({ tosca_version: 'gantry_0_9_0' }).where('uuid', '=', uuid).execute()
    const body = { image: 'registry.example.test/db:2', resources: { cpu: '0.1', memory: '32Mi' } }
    const params = { teamId: team.id, stackId: stack.uuid }
    const calls = [
      () => team.leader.call(services.update, { params: { ...params, serviceName: 'db' }, body }),
      () => team.leader.call(services.create, { params: { ...params, serviceName: 'more' }, body }),
    ]
    for (const change of calls)
      await expect(change()).rejects.toMatchObject({ status: 400, key: 'tips-tosaca-version' })
    await team.leader.call(blueprints.translate, { query: { uuid }, body: { version: 'gantry_1_0_0' } })
    for (const change of calls) await change()
    await settled(stack.uuid, { api: 'stable', db: 'upgraded', more: 'stable', web: 'stable' })
  })
})
