import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { environments } from '@gantry/contract/clusters/environments'
import { openstack } from '@gantry/contract/openstack/openstack'
import { type NestedZone, type NormalZone, zones } from '@gantry/contract/openstack/zones'
import { mask } from '@gantry/contract/validators'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { fakeAccount, fakeIds, fakeOpenStack } from '../../../test/fake-openstack.ts'
import { reply } from '../../../test/kube-api.ts'
import { startSandbox } from '../../../test/sandbox.ts'
import { testApp, type TestCaller } from '../../../test/test-app.ts'
import { parseKubeconfig } from '../../adapters/kube/kubeconfig.ts'
import { openKube } from '../../adapters/kube/pool.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { createOpenStack } from '../../adapters/openstack/openstack.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { seal } from '../../kernel/secrets.ts'
import { jobs } from './settle.jobs.ts'

const sandbox = await startSandbox()
const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const app = await testApp({ ports: { kube, outbound, openstack: createOpenStack(outbound) } })
const fake = await fakeOpenStack()
afterEach(fake.honest)
afterAll(async () => {
  await fake[Symbol.asyncDispose]()
  await outbound.close()
  await kube.close()
  await sandbox.stop()
})

let env = ''
let team: Awaited<ReturnType<typeof app.team>>
const direct = () => kube.cluster('direct', parseKubeconfig(kubeconfig)).kube
const newEnvironment = (name: string, teamIds = [team.id]) =>
  app.admin.call(environments.create, { body: { name, kubeconfig, teamIds } })

beforeAll(async () => {
  team = await app.team()
  env = (await newEnvironment('cluster')).uuid
})

const refused = (key: string, status = 400) => expect.objectContaining({ key, status })

let made = 0
const connect = (more: object = {}, by: TestCaller = team.leader, at = env) =>
  by.call(openstack.create, {
    params: { env: at },
    body: { name: `cloud-${++made}`, keystone: { ...fake.account, ...more } },
  })

const neutronDefaults: z.input<typeof NormalZone>['neutronDefaults'] = {
  project: fakeIds.project,
  podSecurityGroups: [fakeIds.open],
  podSubnet: fakeIds.pods,
  serviceSubnet: fakeIds.services,
}
const normal = (openStackUuid: string, name = `zone-${++made}`): z.input<typeof NormalZone> => ({
  type: 'normal',
  name,
  openStackUuid,
  neutronDefaults,
})
const nested = (openStackUuid: string, name?: string): z.input<typeof NestedZone> => ({
  ...normal(openStackUuid, name),
  type: 'nested',
  podVifNested: { workerNodesSubnet: fakeIds.hosts },
})
const add = (body: z.input<typeof zones.create.body>, by: TestCaller = team.leader) =>
  by.call(zones.create, { params: { env }, body })

/** What the cluster has of a zone: the texts of both. */
async function inCluster(name: string) {
  const ref = { namespace: 'kuryr-system', name: `kuryr-zone-${name}` }
  const [map, secret] = [await direct().find(kinds.configMaps, ref), await direct().find(kinds.secrets, ref)]
  return {
    conf: map?.data?.['kuryr.conf'],
    labels: map?.metadata?.labels,
    account: secret?.data?.['kuryr.conf'] && Buffer.from(secret.data['kuryr.conf'], 'base64').toString(),
  }
}
const nothing = { conf: undefined, labels: undefined, account: undefined }

/** Makes what waits look as old as the job wants it, and runs the job. */
async function settle() {
  const changed_at = new Date(Date.now() - 120_000).toISOString()
  await app.db.updateTable('zone').set({ changed_at }).execute()
  await app.db.updateTable('openstack').set({ changed_at }).execute()
  for (const job of jobs) await job.run(app.ctx(), {})
}

/** The cluster cannot be reached until it is mended. */
async function breakCluster(): Promise<() => Promise<unknown>> {
  const address = parseKubeconfig(kubeconfig)
  const put = (server: string) =>
    app.db
      .updateTable('environment')
      .set({ address: seal(app.ctx(), JSON.stringify({ ...address, server })) })
      .where('uuid', '=', env)
      .execute()
  await put('https://127.0.0.1:1')
  return () => put(address.server)
}

describe('connections', () => {
  test('inputs are trimmed, blank domains are Default, the password is masked and sealed', async () => {
    const body = {
      name: ' cloud.one ',
      keystone: {
        authUrl: ` ${fake.authUrl} `,
        username: ` ${fakeAccount.username} `,
        password: ` ${fakeAccount.password} `,
        projectName: ' demo ',
        projectDomainName: '  ',
      },
    }
    const created = await team.leader.call(openstack.create, { params: { env }, body })
    expect(created).toMatchObject({
      name: 'cloud.one',
      envUuid: env,
      zoneNum: 0,
      state: 'ready',
      keystone: {
        authUrl: fake.authUrl,
        username: 'kuryr',
        password: mask,
        projectName: 'demo',
        projectDomainName: 'Default',
        userDomainName: 'Default',
      },
    })
    const params = { env, uuid: created.uuid }
    expect(await team.leader.call(openstack.get, { params })).toEqual(created)
    const row = await app.db
      .selectFrom('openstack')
      .selectAll()
      .where('uuid', '=', created.uuid)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(fakeAccount.password)
  })

  test.for(['-a', 'a-', 'a..b', 'A', 'a_b', 'а', '', 'x'.repeat(31)])(
    'row 64: the name %j is refused',
    async (name) => {
      const answer = await team.leader.request(openstack.create, {
        params: { env },
        body: { name, keystone: fake.account },
      })
      expect(answer.statusCode).toBe(400)
      expect(answer.body).not.toContain(fakeAccount.password)
    },
  )

  test('row 64: what Keystone refuses is told at its field, and nothing is kept', async () => {
    const asked = async (more: object) =>
      team.leader.request(openstack.create, {
        params: { env },
        body: { name: 'never', keystone: { ...fake.account, ...more } },
      })
    for (const [more, path, key] of [
      [{ password: 'wrong-canary-2' }, 'keystone.password', 'openstack-password-refused'],
      [{ projectName: 'none' }, 'keystone.projectName', 'openstack-project-refused'],
      [{ projectDomainName: 'none' }, 'keystone.projectDomainName', 'openstack-domain-refused'],
      [{ authUrl: 'http://127.0.0.1:1' }, 'keystone.authUrl', 'outbound-unreachable'],
      [{ authUrl: 'http://169.254.169.254/v3' }, 'keystone.authUrl', 'outbound-refused'],
    ] as const) {
      const answer = await asked(more)
      expect(answer.json()).toMatchObject({ message: key, data: [{ path, key }] })
      expect(answer.statusCode).not.toBe(401)
      expect(answer.body).not.toMatch(/canary/)
    }
    fake.answer(({ body }, response) => reply(response, { error: { message: body } }, 401))
    expect((await asked({})).body).not.toContain(fakeAccount.password)
    const { items } = await team.leader.call(openstack.list, { params: { env } })
    expect(items.map(({ name }) => name)).not.toContain('never')
    const trail = await app.db.selectFrom('audit_log').selectAll().where('action', '=', 'openstack.create').execute()
    expect(trail.length).toBeGreaterThan(5)
    expect(JSON.stringify(trail)).not.toMatch(/canary/)
  })

  test('a name is given once in a cluster, by twenty at once', async () => {
    const body = { name: 'once', keystone: fake.account }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => team.leader.request(openstack.create, { params: { env }, body })),
    )
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    const other = await newEnvironment('other')
    await team.leader.call(openstack.create, { params: { env: other.uuid }, body })
  })

  test('what to choose from is asked of OpenStack now', async () => {
    const { uuid } = await connect()
    const params = { env, uuid }
    const choices = await team.leader.call(openstack.choices, { params })
    expect(choices).toMatchObject({ project: fakeIds.project, projects: [{ name: 'demo' }] })
    expect(choices.subnets.map(({ name }) => name)).toContain('pods-subnet')
    const other = await team.leader.call(openstack.choices, { params, query: { project: 'b'.repeat(32) } })
    expect(other.subnets).toEqual([])
    fake.answer((_, response) => reply(response, {}, 503))
    await expect(team.leader.call(openstack.choices, { params })).rejects.toEqual(refused('openstack-trouble', 502))
  })

  test('a limit that is not a number is 50', async () => {
    const { uuid: at } = await newEnvironment('many')
    await app.db
      .insertInto('openstack')
      .values(
        Array.from({ length: 60 }, (_, n) => ({
          environment: at,
          name: `c${String(n).padStart(2, '0')}`,
          auth_url: 'http://x',
          username: 'x',
          password: '',
          project_name: 'x',
          project_domain_name: 'x',
          user_domain_name: 'x',
        })),
      )
      .execute()
    const list = (limit?: string) => team.leader.call(openstack.list, { params: { env: at }, query: { limit } })
    for (const given of [undefined, 'abc', 'NaN', 'ten'])
      expect(await list(given)).toMatchObject({ pageSize: 50, totalSize: 60, items: { length: 50 } })
    expect((await list('1000')).items).toHaveLength(60)
    expect((await list('3')).items.map(({ name }) => name)).toEqual(['c00', 'c01', 'c02'])
    for (const bad of ['0', '-1', '1001', '2.5', 'Infinity'])
      await expect(list(bad)).rejects.toMatchObject({ status: 400 })
  })
})

describe('zones', () => {
  let cloud = ''
  beforeAll(async () => {
    cloud = (await connect()).uuid
  })

  test('a normal zone is written to the cluster, and taken out of it', async () => {
    const zone = await add(normal(cloud, 'blue.sky'))
    expect(zone).toMatchObject({
      name: 'blue.sky',
      type: 'normal',
      state: 'ready',
      openStackUuid: cloud,
      k8s: { name: 'cluster', podVifDriver: '' },
      neutronDefaults: { ...neutronDefaults, reservedIp: [] },
      names: { [fakeIds.pods]: 'pods-subnet (10.20.0.0/16)', [fakeIds.project]: 'demo', [fakeIds.open]: 'pods-open' },
      written: { namespace: 'kuryr-system', configMap: 'kuryr-zone-blue.sky', secret: 'kuryr-zone-blue.sky' },
    })
    const written = await inCluster('blue.sky')
    expect(written.labels).toMatchObject({ 'gantry.dev/zone': zone.uuid, 'app.kubernetes.io/managed-by': 'gantry' })
    expect(written.conf).toContain(`pod_subnet = ${fakeIds.pods}`)
    expect(written.conf).not.toContain(fakeAccount.password)
    expect(written.account).toContain(`password = ${fakeAccount.password}`)

    const params = { env, uuid: zone.uuid }
    expect(await team.leader.call(zones.get, { params })).toEqual(zone)
    await team.leader.call(zones.remove, { params })
    expect(await inCluster('blue.sky')).toEqual(nothing)
    await expect(team.leader.call(zones.get, { params })).rejects.toEqual(refused('resource-missing', 404))
    expect(await direct().find(kinds.namespaces, { name: 'kuryr-system' })).toBeDefined()
  })

  test('a nested zone takes the specification’s defaults', async () => {
    const { name, ...zone } = await add(nested(cloud))
    expect(zone).toMatchObject({
      type: 'nested',
      k8s: { podVifDriver: 'nested_vlan' },
      binding: { driver: 'kuryr.lib.binding.drivers.vlan', linkIface: 'eth0' },
      podVifNested: { workerNodesSubnet: fakeIds.hosts },
    })
    expect((await inCluster(name)).conf).toContain('[pod_vif_nested]')
  })

  test('row 65: of twenty at once with one name one is made, and the others are told that it is taken', async () => {
    const body = normal(cloud, 'contested')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => team.leader.request(zones.create, { params: { env }, body })),
    )
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    for (const answer of answers.filter(({ statusCode }) => statusCode === 409))
      expect(answer.json()).toMatchObject({ message: 'valid-zone-name-repeat' })
    expect(await team.leader.call(zones.check, { params: { env }, query: { name: 'contested' } })).toEqual({
      free: false,
    })
    expect(await team.leader.call(zones.check, { params: { env }, query: { name: 'free' } })).toEqual({ free: true })
  })

  test.for(['a..b', 'a-', '-a', 'x'.repeat(31), 'zоne', 'A', 'a_b', 'a.-b', ''])(
    'row 65: the name %j is refused',
    async (name) => {
      await expect(add(normal(cloud, name))).rejects.toMatchObject({ status: 400 })
    },
  )

  test('what the project does not have is refused at its field, and its name is free again', async () => {
    const unknown = randomUUID()
    const body = nested(cloud, 'unfit')
    const wrong: [fields: typeof neutronDefaults, path: string, key: string][] = [
      [{ ...body.neutronDefaults, podSubnet: unknown }, 'neutronDefaults.podSubnet', 'zones-subnet-unknown'],
      [{ ...body.neutronDefaults, serviceSubnet: unknown }, 'neutronDefaults.serviceSubnet', 'zones-subnet-unknown'],
      [
        { ...body.neutronDefaults, podSecurityGroups: [fakeIds.open, unknown] },
        'neutronDefaults.podSecurityGroups',
        'zones-security-group-unknown',
      ],
      [{ ...body.neutronDefaults, project: 'b'.repeat(32) }, 'neutronDefaults.project', 'zones-project-unknown'],
      [
        { ...body.neutronDefaults, reservedIp: [{ start: '10.20.255.250', end: '10.21.0.5' }] },
        'neutronDefaults.reservedIp.0.start',
        'zones-reserved-outside',
      ],
    ]
    for (const [fields, path, key] of wrong)
      await expect(add({ ...body, neutronDefaults: fields })).rejects.toMatchObject({
        key: 'zones-check-failed',
        problems: expect.arrayContaining([expect.objectContaining({ path, key })]),
      })
    await expect(add({ ...body, podVifNested: { workerNodesSubnet: unknown } })).rejects.toMatchObject({
      problems: [{ path: 'podVifNested.workerNodesSubnet', key: 'zones-subnet-unknown' }],
    })
    expect(await inCluster('unfit')).toEqual(nothing)
    await add(body)
  })

  test('a range begins before it ends, and reserves addresses of the pods’ subnet', async () => {
    const reserving = (...reservedIp: { start: string; end: string }[]) => {
      const body = normal(cloud)
      return add({ ...body, neutronDefaults: { ...body.neutronDefaults, reservedIp } })
    }
    for (const [start, end] of [
      ['10.20.0.9', '10.20.0.8'],
      ['10.20.0.10', '10.20.0.9'],
      ['10.20.0.5', '10.20.0.5'],
      ['10.20.0.256', '10.20.1.1'],
    ] as const)
      await expect(reserving({ start, end })).rejects.toMatchObject({ status: 400 })
    const { name } = await reserving({ start: '10.20.0.10', end: '10.20.0.20' })
    expect((await inCluster(name)).conf).toContain('reserved_ip = 10.20.0.10-10.20.0.20')
  })

  test('what is not a zone’s in the cluster stays as it is', async () => {
    const ref = { namespace: 'kuryr-system', name: 'kuryr-zone-foreign' }
    await direct().create(kinds.configMaps, { metadata: ref, data: { mine: 'x' } })
    await expect(add(normal(cloud, 'foreign'))).rejects.toEqual(refused('zones-in-cluster', 409))
    expect(await direct().get(kinds.configMaps, ref)).toMatchObject({ data: { mine: 'x' } })
    await direct().remove(kinds.configMaps, ref)
    const zone = await add(normal(cloud, 'foreign'))
    // somebody took it over: it is theirs now
    await direct().merge(kinds.configMaps, ref, { metadata: { labels: { 'gantry.dev/zone': null } } })
    await team.leader.call(zones.remove, { params: { env, uuid: zone.uuid } })
    expect(await direct().find(kinds.configMaps, ref)).toBeDefined()
    expect((await inCluster('foreign')).account).toBeUndefined()
    await direct().remove(kinds.configMaps, ref)
  })

  test('a zone of another cluster’s OpenStack is none', async () => {
    const other = await newEnvironment('elsewhere')
    await expect(team.leader.call(zones.create, { params: { env: other.uuid }, body: normal(cloud) })).rejects.toEqual(
      refused('resource-missing'),
    )
  })

  test('where OpenStack does not answer, nothing is made', async () => {
    fake.answer((_, response) => reply(response, {}, 503))
    await expect(add(normal(cloud, 'unasked'))).rejects.toEqual(refused('openstack-trouble', 502))
    fake.honest()
    await add(normal(cloud, 'unasked'))
  })
})

describe('deleting a connection', () => {
  test('says how many zones go, and takes them out of the cluster with it', async () => {
    const { uuid } = await connect()
    const params = { env, uuid }
    const two = [await add(normal(uuid)), await add(nested(uuid))]
    expect(await team.leader.call(openstack.check, { params })).toEqual({ zoneNum: 2 })
    await team.leader.call(openstack.remove, { params })
    for (const { name } of two) expect(await inCluster(name)).toEqual(nothing)
    const left = (await team.leader.call(zones.list, { params: { env }, query: { limit: '1000' } })).items
    expect(left.map(({ openStackUuid }) => openStackUuid)).not.toContain(uuid)
    await expect(team.leader.call(openstack.check, { params })).rejects.toEqual(refused('resource-missing', 404))
  })

  test('a cluster that fails in between leaves a story that is told again, by hand or by the job', async () => {
    for (const again of ['by hand', 'by the job'] as const) {
      const { uuid } = await connect()
      const params = { env, uuid }
      const { name } = await add(normal(uuid))
      const mend = await breakCluster()
      await expect(team.leader.call(openstack.remove, { params })).rejects.toMatchObject({ status: 503 })
      expect(await team.leader.call(openstack.get, { params })).toMatchObject({ state: 'removing', zoneNum: 1 })
      await expect(add(normal(uuid))).rejects.toEqual(refused('openstack-removing', 409))
      await mend()
      if (again === 'by hand') await team.leader.call(openstack.remove, { params })
      else await settle()
      expect(await inCluster(name)).toEqual(nothing)
      await expect(team.leader.call(openstack.get, { params })).rejects.toMatchObject({ status: 404 })
    }
  })
})

describe('a zone that is half done', () => {
  let cloud = ''
  beforeAll(async () => {
    cloud = (await connect()).uuid
  })

  test('is none where the cluster did not answer: its name is free again', async () => {
    const mend = await breakCluster()
    await expect(add(normal(cloud, 'unwritten'))).rejects.toMatchObject({ status: 503 })
    expect(await team.leader.call(zones.check, { params: { env }, query: { name: 'unwritten' } })).toEqual({
      free: true,
    })
    await mend()
    await add(normal(cloud, 'unwritten'))
  })

  test('by a server that died is taken out by the job, which leaves a row of its own', async () => {
    const zone = await add(normal(cloud, 'cut-off'))
    await app.db.updateTable('zone').set({ state: 'writing' }).where('uuid', '=', zone.uuid).execute()
    expect(await team.leader.call(zones.get, { params: { env, uuid: zone.uuid } })).toMatchObject({ state: 'writing' })
    await settle()
    expect(await inCluster('cut-off')).toEqual(nothing)
    const rows = await app.db
      .selectFrom('audit_log')
      .select(['action', 'actor_kind'])
      .where('object', '=', 'cut-off')
      .execute()
    expect(rows).toContainEqual({ action: 'zone.delete', actor_kind: 'system' })
  })

  test('and deleted meanwhile leaves nothing, and says so', async () => {
    const { uuid } = await connect()
    let deleted = false
    fake.answer((seen, response) => {
      // by now the name is reserved: the connection goes while OpenStack is asked
      if (!deleted && seen.path === '/v2.0/networks') {
        deleted = true
        void team.leader
          .call(openstack.remove, { params: { env, uuid } })
          .then(() => fake.answerHonestly(seen, response))
        return
      }
      fake.answerHonestly(seen, response)
    })
    await expect(add(normal(uuid, 'too-late'))).rejects.toEqual(refused('zones-gone', 409))
    expect(await inCluster('too-late')).toEqual(nothing)
    expect(await team.leader.call(zones.check, { params: { env }, query: { name: 'too-late' } })).toEqual({
      free: true,
    })
  })
})

describe('who may', () => {
  test('permissions open each call; who is in no team of the cluster gets 404', async () => {
    const { uuid } = await connect()
    const zone = await add(normal(uuid))
    const [none, viewer] = [await team.member(), await team.member(['resource_openstack_view'])]
    const stranger = (await app.team()).leader
    const params = { env, uuid }
    for (const call of [openstack.get, openstack.check, openstack.choices] as const) {
      await expect(none.call(call, { params })).rejects.toMatchObject({ status: 403 })
      await expect(stranger.call(call, { params })).rejects.toMatchObject({ status: 404 })
      await viewer.call(call, { params })
    }
    // zone details need no permission beside the cluster
    await none.call(zones.get, { params: { env, uuid: zone.uuid } })
    await expect(stranger.call(zones.get, { params: { env, uuid: zone.uuid } })).rejects.toMatchObject({ status: 404 })
    for (const by of [none, viewer]) {
      await expect(connect({}, by)).rejects.toMatchObject({ status: 403 })
      await expect(add(normal(uuid), by)).rejects.toMatchObject({ status: 403 })
      await expect(by.call(openstack.remove, { params })).rejects.toMatchObject({ status: 403 })
      await expect(by.call(zones.remove, { params: { env, uuid: zone.uuid } })).rejects.toMatchObject({ status: 403 })
    }
    await add(normal(uuid), await team.member(['resource_zone_create']))
    await connect({}, await team.member(['resource_openstack_create']))
  })

  test('a cluster of several teams is changed by administrators alone, and read by all', async () => {
    const second = await app.team()
    const shared = (await newEnvironment('shared', [team.id, second.id])).uuid
    await expect(connect({}, team.leader, shared)).rejects.toEqual(refused('clusters-shared', 403))
    const { uuid } = await connect({}, app.admin, shared)
    expect(await second.leader.call(openstack.get, { params: { env: shared, uuid } })).toMatchObject({ uuid })
    await expect(second.leader.call(openstack.remove, { params: { env: shared, uuid } })).rejects.toEqual(
      refused('clusters-shared', 403),
    )
    await app.admin.call(openstack.remove, { params: { env: shared, uuid } })
  })

  test('row 45: no read answers the password, in any spelling', async () => {
    const { uuid } = await connect()
    const zone = await add(normal(uuid))
    for (const caller of [team.leader, app.admin]) {
      const answers = [
        await caller.request(openstack.list, { params: { env } }),
        await caller.request(openstack.get, { params: { env, uuid } }),
        await caller.request(openstack.choices, { params: { env, uuid } }),
        await caller.request(zones.list, { params: { env } }),
        await caller.request(zones.get, { params: { env, uuid: zone.uuid } }),
      ]
      for (const { statusCode, body } of answers) {
        expect(statusCode).toBe(200)
        expect(body).not.toContain(fakeAccount.password)
        expect(body).not.toContain(Buffer.from(fakeAccount.password).toString('base64').slice(0, 16))
      }
    }
  })
})
