import { environments } from '@gantry/contract/clusters/environments'
import { afterAll, expect, test } from 'vitest'
import { clusterApi } from '../../../test/cluster-api.ts'
import { admitLocal } from '../../../test/kube-api.ts'
import { testApp } from '../../../test/test-app.ts'
import { openKube } from '../../adapters/kube/pool.ts'
import { clusterOf, letGo } from './connect.service.ts'

const api = await clusterApi()
const [kube, otherKube] = [openKube({ admit: admitLocal }), openKube({ admit: admitLocal })]
const app = await testApp({ onlyDomains: ['clusters'], ports: { kube } })
const other = await testApp({ onlyDomains: ['clusters'], ports: { kube: otherKube }, beside: app })
afterAll(async () => {
  await kube.close()
  await otherKube.close()
  await api[Symbol.asyncDispose]()
})

test('what one replica deletes the others let go, and nothing else', async () => {
  const add = (name: string) =>
    app.admin.call(environments.create, { body: { name, server: api.address.server, token: 'abc' } })
  const [kept, gone] = [await add('kept'), await add('gone')]
  for (const { uuid } of [kept, gone]) await (await clusterOf(other.ctx(), uuid)).kube.version()
  await app.admin.call(environments.remove, { params: { uuid: gone.uuid } })
  await letGo(other.ctx())
  expect(otherKube.held().map(({ environment }) => environment)).toEqual([kept.uuid])
})
