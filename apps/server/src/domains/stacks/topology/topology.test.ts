import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { topology } from '@gantry/contract/stacks/topology'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as kinds from '../../../adapters/kube/resources.ts'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { startSandbox } from '../../../../test/sandbox.ts'
import { testApp } from '../../../../test/test-app.ts'

const sandbox = await startSandbox()
const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
const app = await testApp({ ports: { kube } })
/** A direct connection, not through the server. */
const { kube: direct } = kube.cluster('direct', parseKubeconfig(readFileSync(sandbox.kubeconfig, 'utf8')))
afterAll(async () => {
  await kube.close()
  await sandbox.stop()
})

let envId = ''
let team: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
  const body = { name: 'sandbox', kubeconfig: readFileSync(sandbox.kubeconfig, 'utf8'), teamIds: [team.id] }
  envId = (await app.admin.call(clusters.create, { body })).uuid
})

const leader = () => team.leader
const newStack = async (name: string) =>
  leader().call(stacks.create, { params: { teamId: team.id }, body: { name, envId } })
const add = (stackId: number, serviceName: string, body: Partial<ServiceSpecInput>) =>
  leader().call(services.create, {
    params: { teamId: team.id, stackId, serviceName },
    body: { ...('outward' in body ? {} : { image: 'registry.example.test/x:1' }), ...body },
  })
const settled = (id: number) =>
  eventually(
    async () => {
      await app.reconcile()
      return leader().call(services.get, { params: { teamId: team.id, envId, id } })
    },
    ({ state }) => state === 'stable',
  )

test('a stack’s topology shows what its services call, route to and mount', async () => {
  const stack = await newStack('shop')
  const { id: db } = await add(stack.id, 'db', {
    workload: 'statefulset',
    volumes: [{ name: 'data', path: '/data', type: 'claim', size: '1Gi' }],
    ports: [{ port: 5432 }],
  })
  const { id: web } = await add(stack.id, 'web', {
    environment: [{ name: 'DB_HOST', value: 'db' }],
    ports: [{ port: 80 }],
  })
  await add(stack.id, 'door', {
    outward: { type: 'lb', rules: [{ name: 'all', port: 8081, targets: [{ service: 'web', port: 80 }] }] },
  })
  await settled(db)
  await settled(web)
  const params = { teamId: team.id, envId, stackName: 'shop' }
  const drawn = await leader().call(topology.get, { params })
  expect(drawn.stack.id).toBe(stack.id)
  expect(drawn.services.map(({ name, ready }) => [name, ready])).toEqual([
    ['db', 1],
    ['door', 0],
    ['web', 1],
  ])
  expect(drawn.claims).toEqual([{ name: 'data-db-*', size: '1Gi' }])
  expect(drawn.links.filter(({ kind }) => kind !== 'opens')).toEqual([
    { kind: 'mounts', from: 'db', to: 'data-db-*', by: '/data' },
    { kind: 'routes', from: 'door', to: 'web', by: 'all' },
    { kind: 'calls', from: 'web', to: 'db', by: 'DB_HOST' },
  ])
  const claims = await leader().call(topology.claims, { params: { teamId: team.id, envId, name: 'shop' } })
  expect(claims.items).toMatchObject([{ name: 'data-db-0', size: '1Gi', usedBy: ['db'], phase: 'Bound' }])
  expect(claims.items[0]?.withStack).toMatch(/^(deleted|kept)$/)
  expect(claims.items[0]?.held).toBeNull()
})

test('a claim that is being deleted shows what keeps it: the pods that use it', async () => {
  const { id, namespace } = await newStack('kept')
  const volumes = [{ name: 'data', path: '/data', type: 'claim' as const, size: '1Gi' }]
  await settled((await add(id, 'db', { workload: 'statefulset', volumes })).id)
  await direct.remove(kinds.persistentVolumeClaims, { name: 'data-db-0', namespace })
  const claims = await leader().call(topology.claims, { params: { teamId: team.id, envId, name: 'kept' } })
  const held = { by: ['kubernetes.io/pvc-protection'], pods: ['db-0'] }
  expect(claims.items).toMatchObject([{ name: 'data-db-0', phase: 'Bound', held }])
})

test('a stack is found by its name in its own team and environment only', async () => {
  const { id } = await newStack('named')
  const at = { teamId: team.id, envId }
  expect((await leader().call(stacks.byName, { params: { ...at, name: 'named' } })).id).toBe(id)
  const all = await leader().call(stacks.all, { params: at })
  expect(all.items.map(({ name }) => name)).toContain('named')
  const stranger = await app.team()
  const request = leader().call(topology.get, { params: { ...at, stackName: 'none' } })
  await expect(request).rejects.toMatchObject({ status: 404 })
  const elsewhere = { params: { teamId: stranger.id, envId, name: 'named' } }
  await expect(stranger.leader.call(topology.claims, elsewhere)).rejects.toMatchObject({ status: 404 })
})
