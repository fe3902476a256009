import { decisions } from '@gantry/contract/decisions/decisions'
import { clusters } from '@gantry/contract/clusters/clusters'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { clusterApi } from '../../../../test/cluster-api.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { refusalOf, testApp } from '../../../../test/test-app.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { clusterOf } from './connect.service.ts'
import { checkHealth } from '../health/health.service.ts'

/** Each cluster belongs to one environment. */

const api = await clusterApi()
const kubes = [openKube({ admit: admitLocal }), openKube({ admit: admitLocal })] as const
const domains = { onlyDomains: ['clusters', 'stacks', 'quotas', 'audit', 'decisions'] }
const app = await testApp({ ...domains, ports: { kube: kubes[0] } })
const replica = await testApp({ ...domains, ports: { kube: kubes[1] }, beside: app })
const team = await app.team()
const [uid, other] = [api.uid ?? '', 'b5f5ff70-9e54-4e6f-a0be-2a1d1b0a0c11']
const { server } = api.address
afterAll(async () => {
  for (const kube of kubes) await kube.close()
  await api[Symbol.asyncDispose]()
})
beforeEach(() => api.heal())
afterEach(async () => {
  await app.db.deleteFrom('stack').execute()
  await app.db.deleteFrom('environment').execute()
})

const kubeconfig = stringify({
  clusters: [{ name: 'c', cluster: { server } }],
  users: [{ name: 'u', user: { token: 'abc' } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
})
const join = (name: string, way: object = { kubeconfig }, by = app.admin) =>
  by.call(clusters.create, { body: { name, teamIds: [team.id], ...way } })
const read = (uuid: string, by = app.admin) => by.call(clusters.get, { params: { uuid } })
const looked = async (uuid: string) => {
  await checkHealth(app.ctx(), uuid)
  return read(uuid)
}
const remove = (uuid: string, confirm: string) =>
  app.admin.call(clusters.remove, { params: { uuid }, query: { confirm } })
const accept = (uuid: string, cluster: string) =>
  app.admin.call(clusters.accept, { params: { uuid }, body: { cluster } })
const write = async (uuid: string, from = app) =>
  (await clusterOf(from.ctx(), uuid)).kube.create(kinds.namespaces, { metadata: { name: 'x' } })
const written = () => api.seen.filter(({ method, path }) => method === 'POST' && path === '/api/v1/namespaces').length

/** A row of an earlier release, which did not record identities. */
async function fromBefore(name: string): Promise<string> {
  const address = seal(app.ctx(), JSON.stringify(api.address))
  const { uuid } = await app.db
    .insertInto('environment')
    .values({ name, server, address, shares_cluster: true })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  return uuid
}

test.each([
  ['kubeconfig', { kubeconfig }],
  ['token', { server, token: 'another' }],
])('a cluster that is already joined is refused with %s, and the refusal names it and the remedy', async (_, way) => {
  expect(await join('first')).toMatchObject({ cluster: uid, answers: '', notice: '', health: 'healthy' })
  const refused = await refusalOf(join('second', way))
  expect(refused).toMatchObject({ status: 409, key: 'clusters-joined-already' })
  expect(refused.message).toContain('as first. Assign first to the teams')
  const chinese = { 'accept-language': 'zh' }
  const body = { name: 'second', ...way }
  const refusal = await refusalOf(app.admin.call(clusters.create, { body }, chinese))
  expect(refusal.message).toContain('该集群已添加，名为 first')
  expect((await app.admin.call(clusters.list, {})).totalSize).toBe(1)
})

test('of concurrent joins on two replicas one succeeds, and the other refusals name it', async () => {
  const all = Array.from({ length: 6 }, (_, at) => {
    const by = at % 2 === 0 ? app.admin : replica.caller(replica.admin, replica.admin.token)
    return join(`at-once-${at}`, undefined, by).then(
      ({ name }) => name,
      (error: unknown) => error,
    )
  })
  const answers = await Promise.all(all)
  const [winner, ...more] = answers.filter((answer) => typeof answer === 'string')
  expect(more).toEqual([])
  const refusals = answers.filter((answer) => typeof answer !== 'string')
  const words = expect.stringContaining(`as ${winner}.`)
  for (const refused of refusals)
    expect(refused).toMatchObject({ status: 409, key: 'clusters-joined-already', message: words })
})

test('an account without the right to read kube-system is refused, and the check names the right', async () => {
  api.uid = undefined
  const check = await app.admin.call(clusters.check, { body: { kubeconfig } })
  const missing = check.rights.filter(({ allowed }) => !allowed)
  expect(missing).toEqual([
    {
      right: 'get namespaces/kube-system',
      for: 'Identifying the cluster, so that it is not added twice',
      allowed: false,
      needed: true,
    },
  ])
  const refused = await refusalOf(join('unread'))
  expect(refused).toMatchObject({ status: 400, key: 'clusters-rights-missing' })
  expect(refused.message).toContain('get namespaces/kube-system')
})

test('a deleted cluster can be joined again', async () => {
  const { uuid } = await join('first')
  await remove(uuid, 'first')
  expect(await join('again')).toMatchObject({ cluster: uid, health: 'healthy' })
})

test('two environments that already shared one cluster both continue, and administrators are notified', async () => {
  const [first, second] = [await fromBefore('first'), await fromBefore('second')]
  expect(await looked(first)).toMatchObject({ health: 'healthy', cluster: uid, notice: '' })
  expect(await looked(second)).toMatchObject({ health: 'healthy', cluster: uid })
  expect((await read(first)).notice).toContain('the same cluster as second')
  expect((await read(second)).notice).toContain('the same cluster as first')
  await app.admin.call(clusters.assign, { params: { env: first }, query: { tenant: team.id } })
  expect(await read(first, team.leader)).toMatchObject({ notice: '', cluster: '' })
  expect(await refusalOf(join('third'))).toMatchObject({ key: 'clusters-joined-already' })

  // the remaining one has the cluster alone, and no further one is accepted
  await remove(first, 'first')
  expect(await refusalOf(join('third'))).toMatchObject({ key: 'clusters-joined-already' })
  expect(await looked(second)).toMatchObject({ health: 'healthy', notice: '' })
  const { shares_cluster } = await app.db.selectFrom('environment').select('shares_cluster').executeTakeFirstOrThrow()
  expect(shares_cluster).toBe(false)
})

test('nothing is written to a cluster before its identity was read', async () => {
  const uuid = await fromBefore('unread')
  const before = written()
  await expect(write(uuid)).rejects.toMatchObject({ kind: 'unidentified' })
  expect(written()).toBe(before)
  await looked(uuid)
  await expect(write(uuid)).rejects.toMatchObject({ kind: 'missing' })
  expect(written()).toBe(before + 1)
})

test('nothing is written to another cluster that answers at the address, until an administrator accepts it', async () => {
  const { uuid } = await join('moved')
  await app.db
    .insertInto('stack')
    .values({ team_id: team.id, environment: uuid, name: 'shop', namespace: 'shop', actor: 'x', state: 'running' })
    .execute()
  api.uid = other
  api.cut()
  const before = written()
  // also before the first check
  for (const from of [app, replica]) await expect(write(uuid, from)).rejects.toMatchObject({ kind: 'another' })
  const seen = await looked(uuid)
  expect(seen).toMatchObject({ health: 'unknown', cluster: uid, answers: other })
  expect(seen.healthMessage).toContain('A different cluster than the one added now answers at the address of moved')
  expect((await read(uuid, team.leader)).healthMessage).toContain('until an administrator confirms')
  const refused = { key: 'clusters-another-answers' }
  await expect(clusterOf(replica.ctx(), uuid)).rejects.toMatchObject(refused)
  expect(await refusalOf(app.admin.call(clusters.recheck, { params: { uuid } }))).toMatchObject({ status: 409 })
  expect(written()).toBe(before)

  expect(await refusalOf(accept(uuid, uid))).toMatchObject({ status: 409, key: 'clusters-answers-changed' })
  await expect(team.leader.call(clusters.accept, { params: { uuid }, body: { cluster: other } })).rejects.toMatchObject(
    { status: 403 },
  )
  await accept(uuid, other)
  expect(await looked(uuid)).toMatchObject({ health: 'healthy', cluster: other, answers: '' })
  await expect(write(uuid)).rejects.toMatchObject({ kind: 'missing' })
  expect(written()).toBe(before + 1)
  // the stack holds no namespace there yet: it is created again, and until then its team sees nothing there
  const { state } = await app.db.selectFrom('stack').select('state').executeTakeFirstOrThrow()
  expect(state).toBe('creating')
  const { held } = await app.db
    .selectFrom('environment_namespace')
    .select('held')
    .where('environment', '=', uuid)
    .executeTakeFirstOrThrow()
  expect(held).toBe(false)
})

test('a cluster that answers itself again needs no confirmation', async () => {
  const { uuid } = await join('back')
  api.uid = other
  expect(await looked(uuid)).toMatchObject({ answers: other })
  const waits = async () => (await app.admin.call(decisions.list)).items.filter(({ path }) => path.endsWith(uuid))
  expect(await waits()).toMatchObject([{ kind: 'cluster', team: null }])
  expect((await team.leader.call(decisions.list)).items).toEqual([])
  api.uid = uid
  expect(await looked(uuid)).toMatchObject({ health: 'healthy', answers: '', cluster: uid })
  expect(await waits()).toEqual([])
  expect(await refusalOf(accept(uuid, other))).toMatchObject({ key: 'clusters-answers-changed' })
})

test('credentials of another cluster may be saved, but nothing is written there', async () => {
  const { uuid } = await join('changed')
  api.uid = other
  const body = { name: 'changed', server, token: 'of-another' }
  const changed = await app.admin.call(clusters.update, { params: { uuid }, body })
  expect(changed).toMatchObject({ answers: other, cluster: uid, health: 'unknown' })
  await accept(uuid, other)
  expect(await looked(uuid)).toMatchObject({ health: 'healthy', cluster: other })
  // nor do credentials of a cluster that is already joined
  api.uid = uid
  const first = await join('first')
  expect(first).toMatchObject({ cluster: uid })
  const refused = await refusalOf(app.admin.call(clusters.update, { params: { uuid }, body }))
  expect(refused).toMatchObject({ status: 409, key: 'clusters-joined-already' })
  expect(refused.message).toContain('as first.')
})
