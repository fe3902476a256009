import { clusters } from '@gantry/contract/clusters/clusters'
import { afterAll, expect, test } from 'vitest'
import { clusterApi } from '../../../../test/cluster-api.ts'
import { admitLocal, fakeApi } from '../../../../test/kube-api.ts'
import { testApp } from '../../../../test/test-app.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { clusterOf, closeDeletedClusters } from './connect.service.ts'

const api = await clusterApi()
const [kube, otherKube] = [openKube({ admit: admitLocal }), openKube({ admit: admitLocal })]
const app = await testApp({ onlyDomains: ['clusters'], ports: { kube } })
const other = await testApp({ onlyDomains: ['clusters'], ports: { kube: otherKube }, beside: app })
afterAll(async () => {
  await kube.close()
  await otherKube.close()
  await api[Symbol.asyncDispose]()
})

const at = (name: string) => `${api.address.server}/clusters/${name}`
const add = (name: string) => app.admin.call(clusters.create, { body: { name, server: at(name), token: 'abc' } })

test('a cached cluster is read on with its new credentials', async () => {
  const { uuid, name } = await add('renewed')
  const lease = (await clusterOf(app.ctx(), uuid)).need('nodes')
  await lease.ready()
  expect(lease.size()).toBe(2)
  api.said.nodes = [...api.said.nodes, { cpu: '1', memory: '1Gi', pods: '10' }]
  const body = { name, server: at(name), token: 'def' }
  await app.admin.call(clusters.update, { params: { uuid }, body })
  await expect.poll(() => lease.size()).toBe(3)
  expect(api.seen.findLast(({ path }) => path === '/api/v1/nodes')?.headers.authorization).toBe('Bearer def')
  lease.release()
})

test('other replicas close the connections to a deleted cluster, and no others', async () => {
  const [kept, gone] = [await add('kept'), await add('gone')]
  for (const { uuid } of [kept, gone]) await (await clusterOf(other.ctx(), uuid)).kube.version()
  await app.admin.call(clusters.remove, { params: { uuid: gone.uuid }, query: { confirm: 'gone' } })
  await closeDeletedClusters(other.ctx())
  expect(otherKube.held().map(({ environment }) => environment)).toEqual([kept.uuid])
})

test.each([
  ['a page', '<!doctype html><p>Not found'],
  ['a program of another kind', '{"error":"not found"}'],
])('a server that answers with %s is reported as not being Kubernetes', async (_, text) => {
  const elsewhere = await fakeApi((_, response) => void response.writeHead(404).end(text))
  const { server } = elsewhere.address
  const checked = app.admin.call(clusters.check, { body: { server, token: 'abc' } })
  await expect(checked).rejects.toMatchObject({ status: 502, key: 'kube-protocol' })
  await elsewhere[Symbol.asyncDispose]()
})
