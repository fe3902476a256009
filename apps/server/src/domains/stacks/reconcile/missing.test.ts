import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { jobs } from './missing.jobs.ts'
import { lookForMissing } from './missing.service.ts'

/** Objects that somebody else deletes in a cluster. */

const { app, direct, newEnvironment } = await sandboxApp()
const team = await app.team('shop')
const { uuid: envId } = await newEnvironment('cluster', team)
const patient = { timeout: 20_000 }

const at = (stackId: number) => ({ teamId: team.id, envId, stackId })
const stack = (id: number) => team.leader.call(stacks.get, { params: at(id) })
const service = (id: number) => team.leader.call(services.get, { params: { teamId: team.id, envId, id } })
const settled = (what: () => Promise<{ state: string }>, state: string) =>
  expect.poll(async () => (await app.reconcile(), (await what()).state), patient).toBe(state)
const gone = (look: () => Promise<unknown>) => expect.poll(look, patient).toBeUndefined()
const restart = (stackName: string) =>
  team.leader.call(services.restart, {
    params: { teamId: team.id, envId, stackName },
    body: ['web'],
  })

/** Its pods end at once. */
const lifecycle = { beforeStop: { type: 'command' as const, command: ['true'] } }

async function running(name: string) {
  const made = await team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name, envId } })
  const { id } = await team.leader.call(services.create, {
    params: { teamId: team.id, stackId: made.id, serviceName: 'web' },
    body: { image: 'registry.example.test/web:1', lifecycle },
  })
  await settled(() => service(id), 'stable')
  await lookForMissing(app.ctx())
  expect(await service(id)).toMatchObject({ state: 'stable', message: '' })
  return { id: made.id, service: id, namespace: made.namespace }
}

test('a round begins at least every half minute', () => {
  expect(jobs.map(({ every }) => Number(every) <= 30)).toEqual([true])
})

test('a deleted workload fails its service with the cause and the remedy, which works', async () => {
  const it = await running('front')
  const ref = { name: 'web', namespace: it.namespace }
  await direct.remove(kinds.deployments, ref)
  await gone(() => direct.find(kinds.deployments, ref))
  await expect
    .poll(async () => (await lookForMissing(app.ctx()), await service(it.service)), patient)
    .toMatchObject({
      state: 'failed',
      message: `The deployment web no longer exists in the namespace ${it.namespace}: someone deleted it in the cluster. Restart the service to deploy it again, or delete the service.`,
    })
  expect(await stack(it.id)).toMatchObject({ state: 'running', healthyNum: 0, serviceNum: 1 })
  await restart('front')
  await settled(() => service(it.service), 'stable')
  expect(await direct.find(kinds.deployments, ref)).toBeDefined()
})

test('a deleted namespace fails its stack and its services, and is created again when the first service is restarted', async () => {
  const it = await running('back')
  await direct.remove(kinds.namespaces, { name: it.namespace })
  await expect.poll(async () => (await lookForMissing(app.ctx()), (await stack(it.id)).state), patient).toBe('failed')
  await gone(() => direct.find(kinds.namespaces, { name: it.namespace }))
  await lookForMissing(app.ctx())
  const message = expect.stringMatching(/^The namespace shop-back no longer exists in the cluster.*restart a service/)
  expect(await stack(it.id)).toMatchObject({ message, healthyNum: 0 })
  await expect.poll(() => service(it.service), patient).toMatchObject({ state: 'failed', message })
  await restart('back')
  await settled(() => service(it.service), 'stable')
  expect(await stack(it.id)).toMatchObject({ state: 'running', message: '', namespace: it.namespace })
})

test('a namespace that is being deleted is not reported as gone before it is', async () => {
  const it = await running('slow')
  const ref = { name: 'ledger', namespace: it.namespace }
  await direct.create(kinds.configMaps, { metadata: { ...ref, finalizers: ['example.com/audit'] } })
  await direct.remove(kinds.namespaces, { name: it.namespace })
  const look = async () => {
    await lookForMissing(app.ctx())
    return [await stack(it.id), await service(it.service)]
  }
  const leaving = expect.stringMatching(
    /^The namespace shop-slow is being deleted in the cluster.*configmaps\/ledger \(example.com\/audit\)/,
  )
  await expect.poll(look, patient).toMatchObject([
    { state: 'failed', message: leaving },
    { state: 'failed', message: expect.stringContaining('is being deleted') },
  ])
  await direct.merge(kinds.configMaps, ref, { metadata: { finalizers: null } })
  await gone(() => direct.find(kinds.namespaces, { name: it.namespace }))
  const message = expect.stringMatching(/^The namespace shop-slow no longer exists in the cluster/)
  await expect.poll(look, patient).toMatchObject([
    { state: 'failed', message },
    { state: 'failed', message },
  ])
})

test('a service that is deleted from a stack without a namespace is gone at once', async () => {
  const it = await running('leaving')
  await direct.remove(kinds.namespaces, { name: it.namespace })
  await gone(() => direct.find(kinds.namespaces, { name: it.namespace }))
  const params = { teamId: team.id, envId, idAndType: `${it.service}_business` }
  await team.leader.call(services.remove, { params, query: { confirm: 'web' } })
  const left = async () => {
    await app.reconcile()
    return app.db.selectFrom('service').select('id').where('id', '=', it.service).executeTakeFirst()
  }
  await expect.poll(left, patient).toBeUndefined()
  expect(await stack(it.id)).toMatchObject({ state: 'failed' })
})

test('a namespace that is now somebody else’s is reported, left alone, and replaced by another', async () => {
  const it = await running('taken')
  await direct.remove(kinds.namespaces, { name: it.namespace })
  await gone(() => direct.find(kinds.namespaces, { name: it.namespace }))
  const owner = { labels: { 'gantry.dev/stack': '3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'gantry.dev/team': '7' } }
  await direct.create(kinds.namespaces, { metadata: { name: it.namespace, ...owner } })
  await expect
    .poll(async () => (await lookForMissing(app.ctx()), await stack(it.id)), patient)
    .toMatchObject({ state: 'failed', message: expect.stringContaining('now belongs to someone else in the cluster') })
  await restart('taken')
  await settled(() => service(it.service), 'stable')
  const { namespace } = await stack(it.id)
  expect(namespace).toMatch(/^shop-taken-[0-9a-f]{8}$/)
  expect((await direct.get(kinds.namespaces, { name: it.namespace })).metadata?.labels).toMatchObject(owner.labels)
  expect(await direct.find(kinds.deployments, { name: 'web', namespace: it.namespace })).toBeUndefined()
  await team.leader.call(stacks.remove, { params: at(it.id), query: { confirm: 'taken' } })
  const left = async () => (await app.reconcile(), direct.find(kinds.namespaces, { name: namespace }))
  await expect.poll(left, patient).toBeUndefined()
  expect(await direct.find(kinds.namespaces, { name: it.namespace })).toBeDefined()
})
