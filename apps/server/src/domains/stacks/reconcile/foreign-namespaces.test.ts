import { pods } from '@gantry/contract/clusters/pods'
import { stacks } from '@gantry/contract/stacks/stacks'
import { expect, test } from 'vitest'
import * as kinds from '../../../adapters/kube/resources.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { stacksThere } from '../../clusters/pods/pods.read.ts'

/** Namespaces that somebody else created on a cluster under a name that a stack of the product would have. */

const { app, direct, newEnvironment } = await sandboxApp()
const team = await app.team('payments')
const { uuid: env } = await newEnvironment('shared', team)

const create = (name: string) =>
  team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name, envId: env } })
const get = (id: number) => team.leader.call(stacks.get, { params: { teamId: team.id, envId: env, stackId: id } })
const there = async (name: string) => (await direct.find(kinds.namespaces, { name }))?.metadata
async function settled(id: number, state: string) {
  await expect.poll(async () => (await app.reconcile(), (await get(id)).state)).toBe(state)
}

test('a foreign namespace stays unchanged, is shown to nobody, and outlives the stack', async () => {
  await direct.apply(kinds.namespaces, { metadata: { name: 'payments-db', labels: { owner: 'somebody' } } })
  const container = { name: 'c', image: 'localhost/web:1' }
  await direct.create(kinds.pods, {
    metadata: { name: 'theirs', namespace: 'payments-db' },
    spec: { containers: [container] },
  } as never)
  const before = await there('payments-db')
  const stack = await create('db')
  const seen = async () =>
    (await team.leader.call(pods.list, { params: { env }, query: {} })).items.map(({ name }) => name)
  // Also before the cluster was first read.
  expect(await seen()).toEqual([])
  expect(await stacksThere(app.db, env, { teamId: team.id })).toEqual(new Map())
  await settled(stack.id, 'running')
  const { namespace } = await get(stack.id)
  expect(namespace).toMatch(/^payments-db-[0-9a-f]{8}$/)
  expect((await there(namespace))?.labels).toMatchObject({ 'gantry.dev/stack': stack.uuid })
  expect((await there('payments-db'))?.labels).toEqual(before?.labels)
  expect(await direct.find(kinds.roleBindings, { name: 'gantry-team', namespace: 'payments-db' })).toBeUndefined()
  expect(await seen()).toEqual([])

  await team.leader.call(stacks.remove, {
    params: { teamId: team.id, envId: env, stackId: stack.id },
    query: { confirm: stack.name },
  })
  await expect.poll(async () => (await app.reconcile(), await there(namespace))).toBe(undefined)
  expect((await there('payments-db'))?.uid).toBe(before?.uid)
})

test('a namespace that somebody else created again under the stack’s name is not deleted with it', async () => {
  const stack = await create('cache')
  await settled(stack.id, 'running')
  const { namespace } = stack
  await direct.remove(kinds.namespaces, { name: namespace })
  await expect.poll(() => there(namespace)).toBe(undefined)
  await direct.apply(kinds.namespaces, { metadata: { name: namespace } })
  await team.leader.call(stacks.remove, {
    params: { teamId: team.id, envId: env, stackId: stack.id },
    query: { confirm: stack.name },
  })
  await expect
    .poll(
      async () => (
        await app.reconcile(),
        (await team.leader.call(stacks.list, { params: { teamId: team.id, envId: env } })).totalSize
      ),
    )
    .toBe(0)
  expect(await there(namespace)).toBeDefined()
})

test('a stack’s namespace whose label was removed stays the stack’s: services run in it', async () => {
  const stack = await create('web')
  await settled(stack.id, 'running')
  const bare = { metadata: { labels: { 'gantry.dev/stack': null } } }
  await direct.merge(kinds.namespaces, { name: stack.namespace }, bare)
  await team.leader.call(stacks.setQuota, {
    params: { envId: env, stackName: 'web', teamId: team.id },
    body: { cpu: 2, memory: 1 },
  })
  await settled(stack.id, 'running')
  expect((await get(stack.id)).namespace).toBe(stack.namespace)
  expect((await there(stack.namespace))?.labels).toMatchObject({ 'gantry.dev/stack': stack.uuid })
})

test('what a removed stack left belongs to the team’s next stack of that name', async () => {
  const first = await create('queue')
  await settled(first.id, 'running')
  const params = { teamId: team.id, envId: env, stackId: first.id }
  await team.leader.call(stacks.remove, { params, query: { confirm: first.name, deleteFore: 'true' } })
  const next = await create('queue')
  await settled(next.id, 'running')
  expect((await get(next.id)).namespace).toBe(first.namespace)
  expect((await there(first.namespace))?.labels).toMatchObject({ 'gantry.dev/stack': next.uuid })
})
