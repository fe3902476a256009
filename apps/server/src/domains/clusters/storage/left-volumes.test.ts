import { pods } from '@gantry/contract/clusters/pods'
import { storage } from '@gantry/contract/clusters/storage'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, expect, test } from 'vitest'
import * as kinds from '../../../adapters/kube/resources.ts'
import { boundVolume, releasedVolume } from '../../../../test/left-volume.ts'
import { sharedSandbox } from '../../../../test/sandbox-app.ts'
import type { TestCaller } from '../../../../test/test-app.ts'

/** Volumes that the claims of a deleted stack leave behind. */

const { app, direct, team, neighbour, alone, shared } = await sharedSandbox()

const stackIn = (clusterId: string, teamId: number, namespace: string) =>
  app.db
    .insertInto('stack')
    .values({ team_id: teamId, environment: clusterId, name: namespace, namespace, actor: 'admin', state: 'running' })
    .execute()
const names = async (who: TestCaller, env: string) =>
  (await who.call(storage.volumes, { params: { env }, query: { pageSize: 100 } })).items.map(({ name }) => name)

beforeAll(async () => {
  for (const name of ['left-mine', 'left-theirs']) await direct.apply(kinds.namespaces, { metadata: { name } })
  for (const cluster of [alone, shared]) await stackIn(cluster, team.id, 'left-mine')
  await stackIn(shared, neighbour.id, 'left-theirs')
  await releasedVolume(direct, 'mine', 'left-mine')
  await releasedVolume(direct, 'theirs', 'left-theirs')
  await app.db.deleteFrom('stack').execute()
  await eventually(async () =>
    expect(await names(app.admin, alone)).toEqual(expect.arrayContaining(['mine', 'theirs'])),
  )
})

test('a left volume stays visible to its team, and to no other', async () => {
  expect(await names(team.leader, shared)).toEqual(['mine'])
  expect(await names(neighbour.leader, shared)).toEqual(['theirs'])
  expect(await names(team.leader, alone)).toEqual(['mine'])
  expect(await names(await team.member(['resource_storage_view']), shared)).toEqual(['mine'])
  const drivers = await team.leader.call(storage.createDriver, {
    params: { env: alone },
    body: { name: 'manual', provisioner: 'example.test/none' },
  })
  expect(drivers.name).toBe('manual')
  const listed = await team.leader.call(storage.drivers, { params: { env: alone } })
  expect(listed.find(({ name }) => name === 'manual')?.volumeNum).toBe(1)
})

test('a left volume gives no access to a namespace that somebody created again', async () => {
  await boundVolume(direct, 'anew', 'left-mine')
  await direct.create(kinds.pods, {
    metadata: { name: 'of-somebody', namespace: 'left-mine' },
    spec: {
      containers: [{ name: 'main', image: 'web:1' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  })
  const all = () => app.admin.call(storage.volumes, { params: { env: alone }, query: { pageSize: 100 } })
  await eventually(async () =>
    expect((await all()).items.find(({ name }) => name === 'anew')?.claim?.pods).toEqual(['of-somebody']),
  )
  const seen = await team.leader.call(storage.volumes, { params: { env: alone } })
  expect(seen.items.map(({ name, claim }) => [name, claim?.pods])).toEqual([['mine', []]])
  expect((await team.leader.call(pods.list, { params: { env: alone } })).items).toEqual([])
})

test('a left volume is activated and reclaimed by a team that has the cluster to itself', async () => {
  const act = (what: 'activate' | 'reclaim') =>
    team.leader.call<(typeof storage)[typeof what]>(storage[what], { params: { env: alone, name: 'mine' } })
  expect(await act('reclaim')).toMatchObject({ state: 'Failed', claim: { namespace: 'left-mine' } })
  expect(await names(team.leader, alone)).toContain('mine')
  expect(await act('activate')).toMatchObject({ state: 'Available', claim: null })
})
