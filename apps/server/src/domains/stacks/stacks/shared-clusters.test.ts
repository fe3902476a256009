import { clusters } from '@gantry/contract/clusters/clusters'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { testApp, type TestApp } from '../../../../test/test-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { checkHealth } from '../../clusters/health/health.service.ts'
import { lookForMissing } from '../reconcile/missing.service.ts'

/** Two owners on one cluster: environments from when it could be joined twice, and two installations. */

const { app, kube, kubeconfig, address, direct } = await sandboxApp()
const patient = { timeout: 20_000 }
type Team = Awaited<ReturnType<TestApp['team']>>

/** Two environments of the sandbox's cluster, as an earlier release allowed. */
async function twins(team: Team): Promise<[string, string]> {
  const join = async (name: string) => {
    const sealed = seal(app.ctx(), JSON.stringify(address))
    const { uuid } = await app.db
      .insertInto('environment')
      .values({ name, server: address.server, address: sealed, shares_cluster: true })
      .returning('uuid')
      .executeTakeFirstOrThrow()
    await app.db.insertInto('environment_team').values({ environment: uuid, team_id: team.id }).execute()
    expect(await checkHealth(app.ctx(), uuid)).toBe(true)
    return uuid
  }
  await app.db.deleteFrom('stack').execute()
  await app.db.deleteFrom('environment').execute()
  return [await join('one'), await join('other')]
}

const create = (team: Team, envId: string, name: string) =>
  team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name, envId } })
const read = (team: Team, envId: string, stackId: number) =>
  team.leader.call(stacks.get, { params: { teamId: team.id, envId, stackId } })
const settled = (of: TestApp, team: Team, envId: string, id: number) =>
  expect.poll(async () => (await of.reconcile(), (await read(team, envId, id)).state), patient).toBe('running')
const there = async (name: string) => (await direct.find(kinds.namespaces, { name }))?.metadata

async function serving(team: Team, envId: string, stackId: number): Promise<number> {
  const { id } = await team.leader.call(services.create, {
    params: { teamId: team.id, stackId, serviceName: 'web' },
    body: { image: 'registry.example.test/web:1' },
  })
  const state = async () => (await team.leader.call(services.get, { params: { teamId: team.id, envId, id } })).state
  await expect.poll(async () => (await app.reconcile(), await state()), patient).toBe('stable')
  return id
}

async function remove(of: TestApp, team: Team, envId: string, stackId: number) {
  await team.leader.call(stacks.remove, { params: { teamId: team.id, envId, stackId }, query: { confirm: 'shop' } })
  const left = async () => (
    await of.reconcile(),
    await of.db.selectFrom('stack').select('id').where('id', '=', stackId).execute()
  )
  await expect.poll(left, patient).toEqual([])
}

test('stacks of one name in two environments of one cluster have separate namespaces, and deleting one keeps the other', async () => {
  const team = await app.team('twins')
  const [one, other] = await twins(team)
  const first = await create(team, one, 'shop')
  await settled(app, team, one, first.id)
  await serving(team, one, first.id)
  const second = await create(team, other, 'shop')
  await settled(app, team, other, second.id)
  const { namespace } = await read(team, other, second.id)
  expect(namespace).not.toBe(first.namespace)
  await remove(app, team, other, second.id)
  await expect.poll(async () => (await there(namespace)) === undefined, patient).toBe(true)
  expect((await there(first.namespace))?.labels).toMatchObject({ 'gantry.dev/stack': first.uuid })
  expect(await direct.find(kinds.deployments, { name: 'web', namespace: first.namespace })).toBeDefined()
  await lookForMissing(app.ctx())
  expect(await read(team, one, first.id)).toMatchObject({ state: 'running', healthyNum: 1 })
})

test('of two stacks with one namespace from an earlier release, the one in its label has it, and the other deletes no workload', async () => {
  const team = await app.team('heirs')
  const [one, other] = await twins(team)
  const holder = await create(team, one, 'shop')
  await settled(app, team, one, holder.id)
  await serving(team, one, holder.id)
  const { namespace } = holder
  const robbed = await create(team, other, 'shop')
  await app.db.updateTable('stack').set({ namespace, state: 'running' }).where('id', '=', robbed.id).execute()
  await app.db.updateTable('environment_namespace').set({ held: true }).where('stack_uuid', '=', robbed.uuid).execute()

  await lookForMissing(app.ctx())
  expect(await read(team, one, holder.id)).toMatchObject({ state: 'running', healthyNum: 1 })
  expect(await read(team, other, robbed.id)).toMatchObject({ state: 'failed' })
  // once its holder is deleted, the namespace goes to the other stack, the next of the team
  await remove(app, team, one, holder.id)
  expect((await there(namespace))?.deletionTimestamp).toBeUndefined()
  expect(await direct.find(kinds.deployments, { name: 'web', namespace })).toBeDefined()
  const params = { envId: other, stackName: 'shop', teamId: team.id }
  await team.leader.call(stacks.setQuota, { params, body: { cpu: 2, memory: 1 } })
  await settled(app, team, other, robbed.id)
  expect(await read(team, other, robbed.id)).toMatchObject({ namespace })
  expect((await there(namespace))?.labels).toMatchObject({ 'gantry.dev/stack': robbed.uuid })
})

test('two installations on one cluster do not take each other’s namespaces', async () => {
  const beside = await testApp({ ports: { kube } })
  const installations: { of: TestApp; team: Team; envId: string }[] = []
  await app.db.deleteFrom('stack').execute()
  await app.db.deleteFrom('environment').execute()
  for (const of of [app, beside]) {
    const team = await of.team('acme')
    const body = { name: 'shared', kubeconfig, teamIds: [team.id] }
    installations.push({ of, team, envId: (await of.admin.call(clusters.create, { body })).uuid })
  }
  const made: { namespace: string; uuid: string }[] = []
  for (const { of, team, envId } of installations) {
    const { id } = await create(team, envId, 'shop')
    await settled(of, team, envId, id)
    made.push(await read(team, envId, id))
  }
  const [mine, theirs] = made
  expect(mine?.namespace).toBe('acme-shop')
  expect(theirs?.namespace).toMatch(/^acme-shop-[0-9a-f]{8}$/)
  expect((await there('acme-shop'))?.labels).toMatchObject({ 'gantry.dev/stack': mine?.uuid })
})
