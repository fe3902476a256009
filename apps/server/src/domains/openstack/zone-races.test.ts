import { clusters } from '@gantry/contract/clusters/clusters'
import { openstack } from '@gantry/contract/openstack/openstack'
import { zones } from '@gantry/contract/openstack/zones'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { neutronDefaults, nothing, openstackApp } from '../../../test/openstack-app.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { jsonb } from '../../db/json.ts'
import { jobs } from './settle.jobs.ts'

const { app, direct, team, env, newEnvironment, connect, normal, add, inCluster } = await openstackApp()
const { uuid: cloud } = await connect()
const runJobs = async () => {
  for (const job of jobs) await job.run(app.ctx(), {})
}
const longAgo = new Date(Date.now() - 120_000).toISOString()
const findZone = (uuid: string) => app.db.selectFrom('zone').select('state').where('uuid', '=', uuid).executeTakeFirst()

test('a zone that becomes ready while the job checks it is kept', async () => {
  const { uuid, name } = await add(normal(cloud))
  const where = { state: 'writing', changed_at: longAgo } as const
  await app.db.updateTable('zone').set(where).where('uuid', '=', uuid).execute()
  const commit = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const becomes = app.db.transaction().execute(async (tx) => {
    await tx.updateTable('zone').set({ state: 'ready' }).where('uuid', '=', uuid).execute()
    begun.resolve()
    await commit.promise
  })
  await begun.promise
  const job = runJobs()
  await eventually(async () => {
    const { rows } = await sql`select from pg_locks where not granted`.execute(app.db)
    expect(rows).toHaveLength(1)
  })
  commit.resolve()
  await Promise.all([becomes, job])
  expect(await findZone(uuid)).toEqual({ state: 'ready' })
  expect((await inCluster(name)).account).toBeDefined()
})

const fields = {
  neutronDefaults: { ...neutronDefaults, reservedIp: [] },
  k8s: { podVifDriver: '' },
  binding: { driver: '', linkIface: '' },
  podVifNested: { workerNodesSubnet: '' },
}

/** Another replica has reserved the name, and is calling OpenStack. */
const begin = (clusterId: string, openstack: string, name: string) =>
  app.db
    .insertInto('zone')
    .values({ environment: clusterId, openstack, name, type: 'normal', fields: jsonb(fields) })
    .returning('uuid')
    .executeTakeFirstOrThrow()

test('objects written by a server that died after their zone was deleted are removed', async () => {
  const late = await connect()
  const { name } = normal(late.uuid)
  const { uuid } = await begin(env, late.uuid, name)
  expect(await team.leader.call(zones.remove, { params: { env, uuid } })).toEqual({ gone: false })
  const all = { params: { env, uuid: late.uuid } }
  expect(await team.leader.call(openstack.remove, all)).toEqual({ gone: false })
  expect(await findZone(uuid)).toEqual({ state: 'removing' })
  // now that server writes, and dies
  await direct.apply(kinds.namespaces, { metadata: { name: 'kuryr-system' } })
  const ref = { namespace: 'kuryr-system', name: `kuryr-zone-${name}` }
  const data = { 'kuryr.conf': Buffer.from('password = x').toString('base64') }
  await direct.apply(kinds.secrets, { metadata: { ...ref, labels: { 'gantry.dev/zone': uuid } }, data })
  await runJobs()
  expect(await findZone(uuid)).toEqual({ state: 'removing' })
  await app.db.updateTable('zone').set({ created_at: longAgo, changed_at: longAgo }).where('uuid', '=', uuid).execute()
  await app.db.updateTable('openstack').set({ changed_at: longAgo }).where('uuid', '=', late.uuid).execute()
  await runJobs()
  expect(await inCluster(name)).toEqual(nothing)
  expect(await findZone(uuid)).toBeUndefined()
  await expect(team.leader.call(openstack.get, { params: { env, uuid: late.uuid } })).rejects.toMatchObject({
    status: 404,
  })
  const trail = await app.db
    .selectFrom('audit_log')
    .select(['action', 'actor_kind'])
    .where('object', '=', name)
    .execute()
  expect(trail).toContainEqual({ action: 'zone.delete', actor_kind: 'system' })
})

test('a cluster with two names has one zone of a name', async () => {
  const { name } = await add(normal(cloud))
  const first = await inCluster(name)
  const twin = await newEnvironment('twin', team)
  const { uuid } = await connect({}, team.leader, twin.uuid)
  await expect(
    team.leader.call(zones.create, { params: { env: twin.uuid }, body: normal(uuid, name) }),
  ).rejects.toMatchObject({ status: 409, key: 'zones-in-cluster' })
  expect(await inCluster(name)).toEqual(first)
})

test('a complete delete of a cluster waits until no zone is being created there', async () => {
  const { uuid: environment, name } = await newEnvironment('leaving', team)
  const { uuid: openstack } = await connect({}, team.leader, environment)
  const { uuid } = await begin(environment, openstack, 'last')
  const params = { uuid: environment }
  await app.admin.call(clusters.remove, { params, query: { confirm: name, action: 'complete' } })
  await app.reconcile()
  expect(await findZone(uuid)).toBeDefined()
  await app.db.updateTable('zone').set({ created_at: longAgo }).where('uuid', '=', uuid).execute()
  await app.db.updateTable('environment').set({ settle_until: null }).where('uuid', '=', environment).execute()
  await app.reconcile()
  await expect(app.admin.call(clusters.get, { params })).rejects.toMatchObject({ status: 404 })
})
