import { copies } from '@gantry/contract/stacks/copies/copies'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { refusalOf } from '../../../../test/test-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const { app, direct, newEnvironment } = await sandboxApp()
let team: Awaited<ReturnType<typeof app.team>>
let envId = ''
beforeAll(async () => {
  team = await app.team()
  envId = (await newEnvironment('one', team)).uuid
})

const of = (id: number) => ({ params: { teamId: team.id, envId, id } })
const get = (id: number) => team.leader.call(services.get, of(id))
/** The sandbox's pods use from 20% to 70% of their memory. */
const always = { memory: { out: 2, in: 1 } }
const never = { memory: { out: 100, in: 99 } }
const byTime = { periods: [{ from: '00:00', to: '23:59', instances: 2 }] }
const body = (autoscaling: Partial<NonNullable<ServiceSpecInput['autoscaling']>>, more = {}): ServiceSpecInput => ({
  image: 'registry.example.test/web:1',
  resources: { cpu: '0.1', memory: '32Mi' },
  lifecycle: { beforeStop: { type: 'command', command: ['true'] } },
  autoscaling: { min: 1, max: 4, interval: 5, ...autoscaling },
  ...more,
})

/** Runs a round of autoscaling, as after its interval. */
async function look(id: number, servers = 1) {
  await app.db.updateTable('service').set({ scale_until: null }).where('id', '=', id).execute()
  await Promise.all(Array.from({ length: servers }, () => app.reconcile()))
}
const until = (id: number, isThere: (seen: Awaited<ReturnType<typeof get>>) => boolean, servers = 1) =>
  eventually(async () => {
    await look(id, servers)
    return get(id)
  }, isThere)
const inCluster = async (namespace: string) =>
  (await direct.get(kinds.deployments, { name: 'web', namespace })).spec?.replicas

let made = 0
async function running(spec: ServiceSpecInput, quota?: { cpu: number; memory: number }) {
  const stack = await team.leader.call(stacks.create, {
    params: { teamId: team.id },
    body: { name: `stack-${++made}`, envId, ...(quota && { quota }) },
  })
  const { id } = await team.leader.call(services.create, {
    params: { teamId: team.id, stackId: stack.id, serviceName: 'web' },
    body: spec,
  })
  await until(id, ({ state, ready }) => state === 'stable' && ready > 0)
  return { id, stack, namespace: stack.namespace }
}

test('scales by use up to the maximum and back, without a revision, and says why', async () => {
  const { id, namespace } = await running(body(always))
  const most = await until(id, ({ replicas, ready }) => replicas === 4 && ready === 4, 2)
  expect(most).toMatchObject({ state: 'stable', revision: 1, scaling: { least: 1, max: 4, trouble: '', waits: null } })
  expect(most.scaling?.last).toMatchObject({ to: 4, why: expect.stringMatching(/^memory at \d+%, above 2%$/) })
  expect(await inCluster(namespace)).toBe(4)
  // after another change it has as many as before
  await team.leader.call(services.edit, { ...of(id), body: body(never) })
  expect(await inCluster(namespace)).toBe(4)
  const less = await until(id, ({ replicas }) => replicas === 3)
  expect(less.scaling?.last?.why).toBe('use below the thresholds, at three looks in a row')
})

test('a number that a user sets stays until autoscaling is resumed', async () => {
  const { id, namespace } = await running(body(always))
  await until(id, ({ replicas, state }) => replicas === 4 && state === 'stable')
  await team.leader.call(services.scale, { ...of(id), query: { replicas: 1 } })
  const paused = await until(id, ({ state, ready }) => state === 'stable' && ready === 1)
  expect(paused).toMatchObject({ replicas: 1, scaling: { paused: true }, spec: { autoscaling: { paused: true } } })
  await look(id)
  expect(await inCluster(namespace)).toBe(1)
  await team.leader.call(services.resume, of(id))
  const again = await until(id, ({ replicas, state }) => replicas === 4 && state === 'stable')
  expect(again.scaling?.paused).toBe(false)
  expect(again.revisions.map(({ action }) => action)).toEqual(['resume', 'scale', 'create'])
  const refused = await refusalOf(team.leader.call(services.resume, of(id)))
  expect(refused.status).toBe(409)
  expect(refused.message).toContain('not paused')
})

test('a period replaces the minimum', async () => {
  const { id, namespace } = await running(body(byTime))
  const seen = await until(id, ({ replicas }) => replicas === 2)
  expect(seen.scaling).toMatchObject({ least: 2, next: { instances: 2 }, last: { why: 'the period 00:00 to 23:59' } })
  expect(seen.scaling?.until).not.toBeNull()
  expect(await inCluster(namespace)).toBe(2)
  const stopped = body({ periods: [{ from: '00:00', to: '23:59', instances: 0 }] })
  await team.leader.call(services.edit, { ...of(id), body: stopped })
  await until(id, ({ replicas, state }) => replicas === 0 && state === 'stable')
})

test('an upgrade, its confirmation and its rollback keep the running number', async () => {
  const { id, namespace } = await running(body(always))
  await until(id, ({ replicas, state }) => replicas === 4 && state === 'stable')
  const next = { ...body(never), image: 'registry.example.test/web:2' }
  await team.leader.call(services.upgrade, { ...of(id), body: next })
  // the three rounds before one instance less take longer than this
  const upgraded = await eventually(
    async () => {
      await app.reconcile()
      return get(id)
    },
    ({ state }) => state === 'upgraded',
  )
  expect(upgraded.replicas).toBe(4)
  // it continues while the upgrade waits for its decision
  await until(id, ({ replicas, state }) => replicas === 3 && state === 'upgraded')
  await team.leader.call(services.rollBack, of(id))
  const back = await until(id, ({ state }) => state === 'stable')
  expect(back.spec.image).toBe('registry.example.test/web:1')
  await until(id, ({ replicas }) => replicas === 4)
  await team.leader.call(copies.gray, { ...of(id), body: { spec: next, steps: [{ weight: 50 }] } })
  const gray = await until(id, ({ copy, ready }) => copy?.instances.new === 2 && ready === 2)
  expect(gray.copy?.instances).toEqual({ old: 2, new: 2 })
  expect(gray.scaling?.waits).toBe('copy')
  await team.leader.call(services.cancel, of(id)).catch(() => team.leader.call(services.rollBack, of(id)))
  await until(id, ({ state, replicas }) => state === 'stable' && replicas === 4)
  expect(await inCluster(namespace)).toBe(4)
})

test('the share counts the maximum', async () => {
  const quota = { cpu: 0.4, memory: 1 }
  const stack = await team.leader.call(stacks.create, {
    params: { teamId: team.id },
    body: { name: 'small', envId, quota },
  })
  const create = (serviceName: string, max: number) =>
    team.leader.call(services.create, {
      params: { teamId: team.id, stackId: stack.id, serviceName },
      body: body({ ...always, max }),
    })
  const refused = await refusalOf(create('large', 4))
  expect(refused.status).toBe(409)
  expect((await create('fits', 3)).takes.cpu).toBeCloseTo(0.4)
})

test('of concurrent changes and autoscaling one wins, and the cluster has the decided number', async () => {
  const { id, namespace } = await running(body(always))
  const next = (tag: number) => ({ ...body(tag % 2 ? always : never), image: `registry.example.test/web:${tag}` })
  const quietly = (work: Promise<unknown>) => work.catch(() => undefined)
  for (let tag = 2; tag < 12; tag++)
    await Promise.all([
      look(id, 2),
      quietly(team.leader.call(services.upgrade, { ...of(id), body: next(tag) })),
      quietly(team.leader.call(services.scale, { ...of(id), query: { replicas: (tag % 3) + 1 } })),
      quietly(team.leader.call(services.confirm, of(id))),
      quietly(team.leader.call(services.rollBack, of(id))),
      quietly(team.leader.call(services.cancel, of(id))),
      quietly(team.leader.call(services.resume, of(id))),
      look(id, 2),
    ])
  const end = await until(id, ({ state, ready, replicas }) => /stable|upgraded/.test(state) && ready === replicas)
  await look(id)
  expect(await inCluster(namespace)).toBe((await get(id)).replicas)
  expect(end.replicas).toBeLessThanOrEqual(4)
})
