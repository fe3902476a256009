import { clusters } from '@gantry/contract/clusters/clusters'
import { hosts } from '@gantry/contract/clusters/hosts'
import { teams } from '@gantry/contract/teams/teams'
import { afterEach, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'

const { app, direct, newEnvironment } = await sandboxApp()
const [mine, others] = ['sandbox-2', 'sandbox-3'] as const
const gpu = { key: 'example.test/gpu', value: 'yes', effect: 'NoSchedule' }

let made = 0
const newCluster = async (...of: { id: number }[]) => (await newEnvironment(`cluster-${++made}`, ...of)).uuid
const keep = (env: string, host: string, teamId: number) =>
  app.admin.call(hosts.dedicated, { params: { env, host }, body: { teamId } })
const assign = (env: string, teamId: number, assigned: 'true' | 'false') =>
  app.admin.call(clusters.assign, { params: { env }, query: { tenant: teamId, assigned } })
const taintsOf = async (name: string) =>
  ((await direct.get(kinds.nodes, { name })).spec?.taints ?? []).map(({ key, value }) => [key, value])
const keptFor = async (name: string) =>
  (await direct.get(kinds.nodes, { name })).metadata?.labels?.['gantry.dev/dedicated']
const owed = () => app.db.selectFrom('host_return').select(['environment', 'team_id']).execute()
/** Pretends that the half minute until the next attempt has passed. */
const again = async () => {
  await app.db.updateTable('host_return').set({ settle_until: null }).execute()
  await app.reconcile()
}

afterEach(async () => {
  await app.db.deleteFrom('host_return').execute()
  const free = { metadata: { labels: { 'gantry.dev/dedicated': null } }, spec: { taints: null } }
  for (const name of [mine, others]) await direct.merge(kinds.nodes, { name }, free)
})

test('unassigning a cluster from a team returns the team’s dedicated hosts to all, and no others', async () => {
  const [team, neighbour] = [await app.team(), await app.team()]
  const env = await newCluster(team, neighbour)
  await direct.merge(kinds.nodes, { name: mine }, { spec: { taints: [gpu] } })
  await keep(env, mine, team.id)
  await keep(env, others, neighbour.id)

  await assign(env, team.id, 'false')
  await app.reconcile()

  expect(await taintsOf(mine)).toEqual([[gpu.key, 'yes']])
  expect(await keptFor(mine)).toBeUndefined()
  expect(await taintsOf(others)).toEqual([['gantry.dev/dedicated', String(neighbour.id)]])
  expect(await owed()).toEqual([])
  const row = await app.db
    .selectFrom('audit_log')
    .select(['actor_kind', 'object'])
    .where('action', '=', 'host.dedicate')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(row).toEqual({ actor_kind: 'system', object: mine })
})

const setSandbox = (env: string, sandbox: boolean) =>
  app.db.updateTable('environment').set({ sandbox }).where('uuid', '=', env).execute()

test.each([
  ['on a cluster of its own', false],
  ['on the sandbox, which is every team’s', true],
])('deleting a team returns its hosts to all, %s', async (_, sandbox) => {
  const team = await app.team()
  const env = await newCluster(...(sandbox ? [] : [team]))
  await setSandbox(env, sandbox)
  await keep(env, mine, team.id)
  await app.admin.call(teams.remove, { params: { id: team.id }, query: { confirm: team.name } })
  await setSandbox(env, false)
  await again()
  expect([await keptFor(mine), await taintsOf(mine)]).toEqual([undefined, []])
  expect(await owed()).toEqual([])
})

test('a cluster that does not answer can be unassigned, and returns its hosts once it answers', async () => {
  const team = await app.team()
  const env = await newCluster(team)
  await keep(env, mine, team.id)
  const address = { server: 'https://127.0.0.1:1', auth: { kind: 'token', token: 'x' } }
  const known = await app.db
    .selectFrom('environment')
    .select('address')
    .where('uuid', '=', env)
    .executeTakeFirstOrThrow()
  const reachedAt = (sealed: string) =>
    app.db.updateTable('environment').set({ address: sealed }).where('uuid', '=', env).execute()

  await reachedAt(seal(app.ctx(), JSON.stringify(address)))
  await assign(env, team.id, 'false')
  await app.reconcile()
  expect(await keptFor(mine)).toBe(String(team.id))
  expect(await owed()).toEqual([{ environment: env, team_id: team.id }])

  await reachedAt(known.address)
  await again()
  expect(await keptFor(mine)).toBeUndefined()
  expect(await owed()).toEqual([])
})

test('a team that gets its cluster back before that keeps its hosts', async () => {
  const team = await app.team()
  const env = await newCluster(team)
  await keep(env, mine, team.id)
  await assign(env, team.id, 'false')
  await assign(env, team.id, 'true')
  await app.reconcile()
  expect(await keptFor(mine)).toBe(String(team.id))
})

test('deleting a cluster discards its pending returns', async () => {
  const team = await app.team()
  const env = await newCluster(team)
  await assign(env, team.id, 'false')
  await app.admin.call(clusters.remove, { params: { uuid: env }, query: { confirm: `cluster-${made}` } })
  expect(await owed()).toEqual([])
})
