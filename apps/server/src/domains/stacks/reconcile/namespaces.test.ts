import { clusters } from '@gantry/contract/clusters/clusters'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, expect, test } from 'vitest'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { testApp, type TestCaller } from '../../../../test/test-app.ts'

/** The owner of a namespace, even after its stack is gone: what is left in the cluster is found by the name. */

const kube = openKube({ admit: admitLocal })
afterAll(() => kube.close())
const app = await testApp({ ports: { kube } })
const replica = await testApp({ beside: app })
type Team = Awaited<ReturnType<typeof app.team>>

let made = 0
async function clusterOf(...using: Team[]): Promise<string> {
  const { uuid } = await app.db
    .insertInto('environment')
    .values({ name: `cluster-${++made}`, server: '', address: '' })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const rows = using.map(({ id }) => ({ environment: uuid, team_id: id }))
  await app.db.insertInto('environment_team').values(rows).execute()
  return uuid
}

/** `<name>` and `<name>-web`: web-api of the one and api of the other yield the same namespace. */
async function neighbours() {
  const name = `shop-${++made}`
  return { one: await app.team(name), other: await app.team(`${name}-web`), meet: `${name}-web-api` }
}

const create = (of: Team, envId: string, name: string, who: TestCaller = of.leader) =>
  who.call(stacks.create, { params: { teamId: of.id }, body: { name, envId } })
const forget = (of: Team, envId: string, stackId: number, confirm: string) =>
  of.leader.call(stacks.remove, { params: { teamId: of.id, envId, stackId }, query: { confirm, deleteFore: 'true' } })

/** The namespace of a stack that is created and deleted again. */
async function passing(of: Team, envId: string, name: string): Promise<string> {
  const { id, namespace } = await create(of, envId, name)
  await forget(of, envId, id, name)
  return namespace
}

test('a name that another team’s stack once had is given only to that team again', async () => {
  const { one, other, meet } = await neighbours()
  const env = await clusterOf(one, other)
  expect(await passing(one, env, 'web-api')).toBe(meet)
  const theirs = await passing(other, env, 'api')
  expect(theirs).toMatch(new RegExp(`^${meet}-[0-9a-f]{8}$`))
  expect(await passing(one, env, 'web-api')).toBe(meet)
  expect(await passing(other, env, 'api')).toBe(theirs)
})

test('a name stays reserved if that team is gone and another team has its name', async () => {
  const name = `gone-${++made}`
  const [one, neighbour] = [await app.team(name), await app.team()]
  const env = await clusterOf(one, neighbour)
  const first = await passing(one, env, 'web')
  await app.admin.call(teams.remove, { params: { id: one.id }, query: { confirm: name } })
  const namesake = await app.team(name)
  await app.admin.call(clusters.assign, { params: { env }, query: { tenant: namesake.id } })
  const second = await passing(namesake, env, 'web')
  await app.admin.call(teams.remove, { params: { id: namesake.id }, query: { confirm: name } })
  const third = await app.team(name)
  await app.admin.call(clusters.assign, { params: { env }, query: { tenant: third.id } })
  expect(new Set([first, second, await passing(third, env, 'web')]).size).toBe(3)
})

test('a name stays reserved on a cluster that was deleted and joined again', async () => {
  const { one, other, meet } = await neighbours()
  const before = await clusterOf(one, other)
  expect(await passing(one, before, 'web-api')).toBe(meet)
  await app.admin.call(clusters.remove, { params: { uuid: before }, query: { confirm: `cluster-${made}` } })
  const again = await clusterOf(one, other)
  expect(await passing(other, again, 'api')).not.toBe(meet)
  expect(await passing(one, again, 'web-api')).toBe(meet)
})

test('the name of a stack that was deleted before teams were recorded is given to nobody', async () => {
  const { one, meet } = await neighbours()
  const env = await clusterOf(one)
  await passing(one, env, 'web-api')
  await app.db.updateTable('environment_namespace').set({ team_id: null }).where('namespace', '=', meet).execute()
  expect(await passing(one, env, 'web-api')).not.toBe(meet)
})

test('two teams that want a name at once, on two replicas, each get a different one', async () => {
  for (let round = 0; round < 10; round++) {
    const { one, other } = await neighbours()
    const env = await clusterOf(one, other)
    const both = await Promise.all([
      create(one, env, 'web-api'),
      create(other, env, 'api', replica.caller(other.leader, other.leader.token)),
    ])
    expect(new Set(both.map(({ namespace }) => namespace)).size).toBe(2)
  }
})
