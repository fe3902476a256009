import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { releases } from '@gantry/contract/blueprints/releases'
import { products } from '@gantry/contract/products/products'
import { quotas } from '@gantry/contract/quotas/quotas'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { type ServerProcess, startServer } from '../../../../test/server-process.ts'
import { secretKey } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

// this server answers calls but runs no jobs: the killed processes and their successors do
const { app, direct, gateway, newEnvironment } = await sandboxApp()
const team = await app.team()
const params = { teamId: team.id }
const data = testFolder('killed')
/** Of each stack; the team has as much as its stacks together. */
const quota = { cpu: 2, memory: 1 }
const hard = { cpu: 8, memory: 4 }
let envId = ''
let applicationId = 0
let server: ServerProcess | undefined

async function start(): Promise<void> {
  server = await startServer(app.database.url, {
    GANTRY_DATA: data,
    GANTRY_SECRET_KEY: secretKey,
    GANTRY_SANDBOX: 'off',
    GANTRY_EMBEDDED_AGENT: 'off',
    GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8',
  })
}

beforeAll(async () => {
  envId = (await newEnvironment('sandbox', team)).uuid
  await app.admin.call(quotas.set, { params: { tenant: team.id }, body: { envUuid: envId, hard } })
  const body = { name: 'shop' }
  applicationId = (await team.leader.call(products.create, { params: { team: team.id }, body })).id
})
afterAll(async () => {
  server?.end('SIGKILL')
  await server?.ended
})

/** Twelve services with every kind of object: pods of four kinds, claims, secrets, files, addresses, ways in and out. */
const shop = (host: string) => `tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    PASSWORD: { type: secret }
  node_templates:
    front:
      type: gantry.nodes.Ingress
      properties:
        group: sandbox
        hosts: [{ host: ${host}.example.com, paths: [{ service: web, port: 8080 }] }]
      requirements: [{ dependency: web }]
    mail:
      type: gantry.nodes.External
      properties: { addresses: [192.0.2.10], ports: [{ port: 25 }] }
    web:
      type: gantry.nodes.Service
      properties:
        image: registry.example.test/web:1
        replicas: 2
        resources: { cpu: '0.1', memory: 32Mi }
        ports: [{ port: 8080 }]
        environment: [{ name: PASSWORD, value: { get_input: PASSWORD }, secret: true }]
        files: [{ path: /etc/web.conf, content: colour = blue }]
      requirements: [{ dependency: store }]
    store:
      type: gantry.nodes.Service
      properties:
        workload: statefulset
        image: registry.example.test/store:1
        resources: { cpu: '0.1', memory: 32Mi }
        ports: [{ port: 5432 }]
        volumes: [{ type: claim, name: data, path: /data, size: 1Gi }]
    index:
      type: gantry.nodes.Service
      properties:
        image: registry.example.test/index:1
        resources: { cpu: '0.1', memory: 32Mi }
        volumes: [{ type: claim, name: data, path: /data, size: 1Gi }]
    nightly:
      type: gantry.nodes.Service
      properties:
        workload: cronjob
        schedule: { cron: 0 3 29 2 * }
        image: registry.example.test/nightly:1
        resources: { cpu: '0.1', memory: 32Mi }
${Array.from(
  { length: 6 },
  (_, n) => `    part-${n}:
      type: gantry.nodes.Service
      properties:
        image: registry.example.test/part:1
        resources: { cpu: '0.1', memory: 32Mi }
        ports: [{ port: 8080 }]
`,
).join('')}`

const inputs = { PASSWORD: 'tidal-cobalt-41' }

let made = 0
async function deploy(stackName: string) {
  const body = { applicationId, version: `1.${++made}`, template: shop(stackName) }
  const { uuid: blueprintId } = await team.leader.call(blueprints.create, { params, body })
  return team.leader.call(releases.deploy, { params, body: { blueprintId, envId, stackName, inputs, quota } })
}

const servicesOf = async (uuid: string) =>
  (await team.leader.call(services.list, { params: { ...params, envId, uuid }, query: { pageSize: -1 } })).items

const deployed = (uuid: string) =>
  eventually(
    async () => (await servicesOf(uuid)).map(({ state }) => state),
    (states) => states.length === 12 && states.every((state) => state === 'stable'),
    // as long as so many starts take on a busy machine
    { ms: 1_500_000 },
  )

/** The lease of a dead server runs out, as if time had passed. */
async function leasesRunOut(): Promise<void> {
  const settle_until = sql<string>`now() - interval '1 second'`
  await app.db.updateTable('stack').set({ settle_until }).execute()
  await app.db.updateTable('service').set({ settle_until }).execute()
}

type When = 'before' | 'after'

/**
 * Deploys while the server is killed at each object when it is written for the first time, and then started again:
 * right before the request reaches the cluster, at every second object right after. Returns how many objects there are
 * and how often it was killed.
 */
async function deployKilled(stackName: string) {
  const objects = new Map<string, When | undefined>()
  let kills = 0
  let dead = Promise.withResolvers<void>()
  const kill = () => {
    kills += 1
    server?.end('SIGKILL')
    dead.resolve()
    return false
  }
  const isDying = () => server?.child.killed === true
  gateway.hooks.passes = (method, path, when) => {
    const [object = ''] = path.split('?')
    if (method !== 'PATCH' || !object.includes(`/${stack.namespace}`)) return true
    if (when === 'before' && !objects.has(object) && !isDying()) {
      const due = objects.size % 2 === 0 ? 'before' : 'after'
      objects.set(object, due)
      return due === 'before' ? kill() : true
    }
    if (when === 'after' && objects.get(object) === 'after' && !isDying()) {
      objects.set(object, undefined)
      return kill()
    }
    return true
  }
  const stack = await deploy(stackName)
  await start()
  const all = deployed(stack.uuid).then(() => 'deployed' as const)
  for (;;) {
    if ((await Promise.race([all, dead.promise])) === 'deployed') break
    await server?.ended
    await leasesRunOut()
    dead = Promise.withResolvers()
    await start()
  }
  gateway.hooks.passes = undefined
  return { stack, objects: objects.size, kills }
}

const ownKinds = [
  kinds.services,
  kinds.configMaps,
  kinds.secrets,
  kinds.deployments,
  kinds.statefulSets,
  kinds.cronJobs,
  kinds.jobs,
  kinds.disruptionBudgets,
  kinds.persistentVolumeClaims,
  kinds.networkPolicies,
  kinds.ingresses,
  kinds.roles,
  kinds.roleBindings,
  kinds.resourceQuotas,
]

/** What is in a namespace, and of which service, without the ids that differ between stacks. */
async function contentsOf({ uuid, namespace }: { uuid: string; namespace: string }) {
  const names = new Map((await servicesOf(uuid)).map(({ id, name }) => [String(id), name]))
  const owner = (id?: string) => (id === undefined ? 'the stack' : (names.get(id) ?? `an orphan of ${id}`))
  const listed = await Promise.all(
    ownKinds.map(async (kind) =>
      (await direct.list(kind, { namespace })).items.map(({ metadata }) => {
        const id = metadata?.labels?.[labels.service]
        return `${kind.kind} ${metadata?.name?.replace(`outward-${id}-`, 'outward-')} of ${owner(id)}`
      }),
    ),
  )
  const pods = (await direct.list(kinds.pods, { namespace })).items.map(({ metadata }) => {
    const { [labels.service]: id, [labels.revision]: revision } = metadata?.labels ?? {}
    return `Pod of ${owner(id)}, revision ${revision}`
  })
  return [...listed.flat(), ...pods].sort()
}

/** The sum of what the services of a stack may use. */
async function takenIn(uuid: string) {
  const sum = { cpu: 0, memory: 0 }
  for (const { id } of await servicesOf(uuid)) {
    const { takes } = await team.leader.call(services.get, { params: { ...params, envId, id } })
    sum.cpu += takes.cpu
    sum.memory += takes.memory
  }
  return sum
}

test('a deployment of twelve services whose server is killed at each object is finished by the next servers: every object once, no orphan, exact shares', async () => {
  const { stack, objects, kills } = await deployKilled('killed')
  expect(kills).toBe(objects)
  expect(objects).toBeGreaterThan(30)
  const whole = await deploy('whole')
  await deployed(whole.uuid)
  expect(await contentsOf(stack)).toEqual(await contentsOf(whole))

  const read = await team.leader.call(stacks.get, { params: { ...params, envId, stackId: stack.id } })
  expect(read).toMatchObject({ state: 'running', serviceNum: 12, healthyNum: 12, quota })
  const taken = await takenIn(stack.uuid)
  expect(read.used.cpu).toBeCloseTo(taken.cpu, 3)
  expect(read.used.memory).toBeCloseTo(taken.memory, 3)
  const [share] = await team.leader.call(quotas.ofTeam, { params })
  expect(share).toMatchObject({ hard, allocated: { cpu: made * quota.cpu, memory: made * quota.memory } })
  // as the cluster counts what runs: the ten pods of each stack
  const used = async () => (await team.leader.call(quotas.namespaces, { params })).map((one) => one.used)
  await eventually(async () =>
    expect(await used()).toEqual(Array.from({ length: made }, () => ({ cpu: 1, memory: 0.3125 }))),
  )
  const namespaces = await direct.list(kinds.namespaces, { labels: `${labels.team}=${team.id}` })
  expect(namespaces.items).toHaveLength(made)
}, 1_800_000)
