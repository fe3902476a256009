import { randomUUID } from 'node:crypto'
import { openstack } from '@gantry/contract/openstack/openstack'
import { zones } from '@gantry/contract/openstack/zones'
import { describe, expect, test } from 'vitest'
import { fakeAccount, fakeIds } from '../../../test/fake-openstack.ts'
import { reply } from '../../../test/kube-api.ts'
import { neutronDefaults, nothing, openstackApp } from '../../../test/openstack-app.ts'
import * as kinds from '../../adapters/kube/resources.ts'

const { app, direct, fake, team, env, newEnvironment, connect, normal, nested, add, inCluster, settle, breakCluster } =
  await openstackApp()
const { uuid: cloud } = await connect()
const refused = (key: string, status = 400) => expect.objectContaining({ key, status })

describe('zones', () => {
  test('a normal zone is written to the cluster, and removed from it', async () => {
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
    expect(await team.leader.call(zones.remove, { params })).toEqual({ gone: true })
    expect(await inCluster('blue.sky')).toEqual(nothing)
    await expect(team.leader.call(zones.get, { params })).rejects.toEqual(refused('resource-missing', 404))
    expect(await direct.find(kinds.namespaces, { name: 'kuryr-system' })).toBeDefined()
  })

  test('a nested zone gets the specification’s defaults', async () => {
    const { name, ...zone } = await add(nested(cloud))
    expect(zone).toMatchObject({
      type: 'nested',
      k8s: { podVifDriver: 'nested_vlan' },
      binding: { driver: 'kuryr.lib.binding.drivers.vlan', linkIface: 'eth0' },
      podVifNested: { workerNodesSubnet: fakeIds.hosts },
    })
    expect((await inCluster(name)).conf).toContain('[pod_vif_nested]')
  })

  test('of twenty concurrent zones with one name one is created, and the others are refused as taken', async () => {
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
    'the name %j is refused',
    async (name) => {
      await expect(add(normal(cloud, name))).rejects.toMatchObject({ status: 400 })
    },
  )

  test('an object that the project does not have is refused at its field, and the name is free again', async () => {
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

  test('an object beyond the readable choices is found by its id', async () => {
    const filler = (kind: string) => ({
      [kind]: Array.from({ length: 500 }, () => ({ id: randomUUID(), network_id: 'x', cidr: '10.0.0.0/24' })),
      [`${kind}_links`]: [{ rel: 'next', href: 'http://127.0.0.1:1/' }],
    })
    fake.answer((seen, response) => {
      const [, kind] = /^\/v2\.0\/(.+)$/.exec(seen.path) ?? []
      if (kind === undefined || seen.query.has('id')) return fake.answerHonestly(seen, response)
      return reply(response, filler(kind.replace('-', '_')))
    })
    const body = nested(cloud, 'beyond')
    const { subnets, truncated } = await team.leader.call(openstack.choices, { params: { env, uuid: cloud } })
    expect([subnets.some(({ id }) => id === fakeIds.pods), truncated]).toEqual([false, true])
    expect((await add(body)).names).toMatchObject({
      [fakeIds.pods]: 'pods-subnet (10.20.0.0/16)',
      [fakeIds.open]: 'pods-open',
    })
  })

  test('a range must start before its end, and reserved addresses must be in the pods’ subnet', async () => {
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

  test('objects in the cluster that belong to no zone are left alone', async () => {
    const ref = { namespace: 'kuryr-system', name: 'kuryr-zone-foreign' }
    await direct.create(kinds.configMaps, { metadata: ref, data: { mine: 'x' } })
    await expect(add(normal(cloud, 'foreign'))).rejects.toEqual(refused('zones-in-cluster', 409))
    expect(await direct.get(kinds.configMaps, ref)).toMatchObject({ data: { mine: 'x' } })
    await direct.remove(kinds.configMaps, ref)
    const zone = await add(normal(cloud, 'foreign'))
    // somebody has taken it over, so it is theirs now
    await direct.merge(kinds.configMaps, ref, { metadata: { labels: { 'gantry.dev/zone': null } } })
    await team.leader.call(zones.remove, { params: { env, uuid: zone.uuid } })
    expect(await direct.find(kinds.configMaps, ref)).toBeDefined()
    expect((await inCluster('foreign')).account).toBeUndefined()
    await direct.remove(kinds.configMaps, ref)
  })

  test('the connection of another cluster is refused', async () => {
    const other = await newEnvironment('elsewhere', team)
    await expect(team.leader.call(zones.create, { params: { env: other.uuid }, body: normal(cloud) })).rejects.toEqual(
      refused('resource-missing'),
    )
  })

  test('nothing is created if OpenStack does not answer', async () => {
    fake.answer((_, response) => reply(response, {}, 503))
    await expect(add(normal(cloud, 'unasked'))).rejects.toEqual(refused('openstack-trouble', 502))
    fake.honest()
    await add(normal(cloud, 'unasked'))
  })
})

describe('an unfinished zone', () => {
  test('is discarded if the cluster did not answer, and its name is free again', async () => {
    const mend = await breakCluster()
    await expect(add(normal(cloud, 'unwritten'))).rejects.toMatchObject({ status: 503 })
    expect(await team.leader.call(zones.check, { params: { env }, query: { name: 'unwritten' } })).toEqual({
      free: true,
    })
    await mend()
    await add(normal(cloud, 'unwritten'))
  })

  test('of a dead server is removed by the job, which leaves an audit row of its own', async () => {
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

  test('that was deleted meanwhile leaves nothing, and the creating call fails', async () => {
    const { uuid } = await connect()
    let deleted = false
    fake.answer((seen, response) => {
      // the name is reserved by now; the connection is deleted during the call to OpenStack
      if (!deleted && seen.path === '/v2.0/subnets') {
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
