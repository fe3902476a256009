import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Kube } from '../../../adapters/kube/client.ts'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import { type KubePort, openKube } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { startSandbox } from '../../../../test/sandbox.ts'
import { testApp } from '../../../../test/test-app.ts'
import { serviceReconciler } from './reconcile.service.ts'

const sandbox = await startSandbox()
const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
const kube = openKube({ admit: admitLocal })

/** The call to the cluster that is blocked, once, and what it waits for. */
let blocked: { call: string; reached: () => void; goOn: Promise<void> } | undefined

async function waits(call: string): Promise<void> {
  if (blocked?.call !== call) return
  const { reached, goOn } = blocked
  blocked = undefined
  reached()
  await goOn
}

const holding = (kube: Kube): Kube => ({
  ...kube,
  as: (identity) => holding(kube.as(identity)),
  get: async (resource, ...rest) => {
    await waits(`get ${resource.plural}`)
    return kube.get(resource, ...rest)
  },
  apply: async (resource, ...rest) => {
    await waits(`apply ${resource.plural}`)
    return kube.apply(resource, ...rest)
  },
})

const port: KubePort = {
  ...kube,
  cluster: (...of) => {
    const cluster = kube.cluster(...of)
    return { ...cluster, kube: holding(cluster.kube) }
  },
}
const app = await testApp({ ports: { kube: port } })
afterAll(async () => {
  await kube.close()
  await sandbox.stop()
})

const direct = kube.cluster('direct', parseKubeconfig(kubeconfig)).kube
const spec: ServiceSpecInput = {
  image: 'registry.example.test/web:1',
  // its pods end at once
  lifecycle: { beforeStop: { type: 'command', command: ['true'] } },
  environment: [{ name: 'PASSWORD', value: 'first', secret: true }],
}
const newer: ServiceSpecInput = { ...spec, image: 'registry.example.test/web:2' }
let team: Awaited<ReturnType<typeof app.team>>
let envId = ''

beforeAll(async () => {
  team = await app.team()
  const body = { name: 'sandbox', kubeconfig, teamIds: [team.id] }
  envId = (await app.admin.call(clusters.create, { body })).uuid
})

const of = (id: number) => ({ teamId: team.id, envId, id })
const stateOf = async (id: number) => (await team.leader.call(services.get, { params: of(id) })).state

const settled = (id: number, wanted: string) =>
  eventually(async () => {
    await app.reconcile()
    expect(await stateOf(id)).toBe(wanted)
  })
const gone = (id: number) =>
  eventually(async () => {
    await app.reconcile()
    await expect(stateOf(id)).rejects.toMatchObject({ status: 404 })
  })

let made = 0
/** A service that has not been applied yet, in an existing namespace. */
async function newService() {
  const body = { name: `stack-${++made}`, envId }
  const stack = await team.leader.call(stacks.create, { params: { teamId: team.id }, body })
  const read = () => team.leader.call(stacks.get, { params: { teamId: team.id, envId, stackId: stack.id } })
  await eventually(async () => {
    await app.reconcile()
    expect(await read()).toMatchObject({ state: 'running' })
  })
  const params = { teamId: team.id, stackId: stack.id, serviceName: 'web' }
  const { id } = await team.leader.call(services.create, { params, body: spec })
  const ref = { name: 'web', namespace: stack.namespace }
  const image = async () =>
    (await direct.get(kinds.deployments, ref)).spec?.template.spec?.containers[0]?.image?.split('@')[0]
  return { id, ref, image }
}

const upgrade = (id: number, body: ServiceSpecInput) => team.leader.call(services.upgrade, { params: of(id), body })
const remove = (id: number) =>
  team.leader.call(services.remove, {
    params: { teamId: team.id, envId, idAndType: `${id}_business` },
    query: { confirm: 'web' },
  })

/** Moves the lease ten seconds back, as if time had passed. */
const leaseRunsOut = (id: number) =>
  app.db
    .updateTable('service')
    .set({ settle_until: sql`now() - interval '1 second'` })
    .where('id', '=', id)
    .execute()

/** Begins a round and waits until it reaches this call. */
async function roundAt(id: number, call: string) {
  await leaseRunsOut(id)
  const reached = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  blocked = { call, reached: reached.resolve, goOn: go.promise }
  const round = (await serviceReconciler.begin(app.ctx())).find(({ item }) => item.id === id)
  if (!round) throw new Error('nobody may settle it')
  await Promise.race([reached.promise, round.ended])
  return () => {
    go.resolve()
    return round.ended
  }
}

test('a service that is deleted while its cluster is read stays deleted', async () => {
  const { id, ref } = await newService()
  const goOn = await roundAt(id, 'get deployments')
  await remove(id)
  await goOn()
  expect(await stateOf(id)).toBe('deleting')
  await gone(id)
  expect(await direct.find(kinds.deployments, ref)).toBeUndefined()
})

test('a change that is made while an earlier one is applied is applied after it', async () => {
  const { id, image } = await newService()
  const goOn = await roundAt(id, 'apply deployments')
  await upgrade(id, newer)
  expect((await serviceReconciler.begin(app.ctx())).map(({ item }) => item.id)).not.toContain(id)
  await goOn()
  await settled(id, 'stable')
  expect(await image()).toBe(newer.image)
})

test('a round that outlives its lease writes no more, neither over newer nor over deleted objects', async () => {
  const { id, ref, image } = await newService()
  const first = await roundAt(id, 'apply secrets')
  await leaseRunsOut(id)
  await upgrade(id, newer)
  await settled(id, 'stable')
  await first()
  expect(await image()).toBe(newer.image)

  await upgrade(id, spec)
  const second = await roundAt(id, 'apply secrets')
  await leaseRunsOut(id)
  await remove(id)
  await gone(id)
  await second()
  expect(await direct.find(kinds.deployments, ref)).toBeUndefined()
})

test('a slow round that saw an upgrade ready does not reopen it after it was confirmed', async () => {
  const { id } = await newService()
  await settled(id, 'stable')
  await upgrade(id, newer)
  const goOn = await roundAt(id, 'get deployments')
  await leaseRunsOut(id)
  await settled(id, 'upgraded')
  await team.leader.call(services.confirm, { params: of(id) })
  await goOn()
  expect(await stateOf(id)).toBe('stable')
})

test('a deployment that somebody deleted while it was starting is applied again', async () => {
  const { id, ref, image } = await newService()
  const goOn = await roundAt(id, 'get deployments')
  await direct.remove(kinds.deployments, ref)
  await goOn()
  await settled(id, 'stable')
  expect(await image()).toBe(spec.image)
})
