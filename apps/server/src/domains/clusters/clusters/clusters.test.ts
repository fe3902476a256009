import { clusters } from '@gantry/contract/clusters/clusters'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { clusterApi } from '../../../../test/cluster-api.ts'
import { admitLocal, certificate, fakeApi, refuse, reply } from '../../../../test/kube-api.ts'
import { type Refused, refusalOf, testApp } from '../../../../test/test-app.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import { checkHealth } from '../health/health.service.ts'

const plain = await clusterApi()
const secure = await clusterApi({ cert: certificate('server'), key: certificate('server-key') })
const kube = openKube({ admit: admitLocal })
const app = await testApp({ onlyDomains: ['clusters', 'stacks', 'quotas', 'push', 'audit'], ports: { kube } })
const [ours, theirs] = [await app.team('ours'), await app.team('theirs')]
afterAll(async () => {
  await kube.close()
  for (const api of [plain, secure]) await api[Symbol.asyncDispose]()
})
beforeEach(() => {
  plain.heal()
  secure.heal()
})

interface Parts {
  cluster?: object
  user?: object
  top?: object
}
const base64 = (text: string) => Buffer.from(text).toString('base64')
const config = ({ cluster, user, top }: Parts = {}) =>
  stringify({
    clusters: [{ name: 'c', cluster: { server: plain.address.server, ...cluster } }],
    users: [{ name: 'u', user: user ?? { token: 'abc' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    ...top,
  })

let made = 0
const named = () => `cluster-${++made}`
let others = 0
/** The address of a further cluster of an API server. */
const another = (api = plain) => `${api.address.server}/clusters/${++others}`
const add = (more: object = {}, by = app.admin) =>
  by.call(clusters.create, {
    body: { name: named(), kubeconfig: config({ cluster: { server: another() } }), ...more },
  })
const refusalsOf = (...work: Promise<unknown>[]): Promise<Refused[]> => Promise.all(work.map(refusalOf))
describe('connection methods', () => {
  test('a kubeconfig: identity, rights and health are read', async () => {
    const cluster = await add({ description: 'at the edge', teamIds: [ours.id] })
    expect(cluster).toMatchObject({
      description: 'at the edge',
      server: expect.stringContaining(plain.address.server),
      version: 'v1.34.2',
      health: 'healthy',
      reach: 'kubeconfig',
      nodeNum: 2,
      capacity: { cpu: 7.5, memory: 15, pods: 220 },
      usage: { cpu: null, memory: null },
      teams: [{ id: ours.id, name: 'ours' }],
      leaving: false,
    })
  })

  test('a server with a token and its CA, in PEM or in base64 as in a secret', async () => {
    for (const ca of [certificate('ca'), base64(certificate('ca'))]) {
      const server = another(secure)
      const cluster = await add({ kubeconfig: undefined, server, token: 'of-an-account', ca })
      expect(cluster).toMatchObject({ reach: 'token', health: 'healthy', server })
    }
    expect(secure.seen.at(-1)?.headers.authorization).toBe('Bearer of-an-account')
  })

  test('an agent: saved without an address, says what to do, and cannot be used yet', async () => {
    const cluster = await add({ kubeconfig: undefined, agent: true })
    expect(cluster).toMatchObject({ reach: 'agent', server: '', version: '' })
    const refused = await refusalOf(app.admin.call(clusters.recheck, { params: { uuid: cluster.uuid } }))
    expect(refused.status).toBe(503)
  })

  test.each([
    [{}],
    [{ kubeconfig: 'x', agent: true }],
    [{ kubeconfig: 'x', server: 'https://x', token: 't' }],
    [{ server: 'https://x' }],
    [{ token: 't' }],
    [{ agent: false }],
  ])('anything but one complete method is refused: %j', async (given) => {
    expect((await refusalOf(app.admin.call(clusters.create, { body: { name: named(), ...given } }))).status).toBe(400)
  })
})

describe('a token', () => {
  const server = plain.address.server
  test.each([
    ['a line break', 'abc\r\nX-Remote-User: admin', 'kube-config-token-invalid'],
    ['a space', 'abc def', 'kube-config-token-invalid'],
    ['a letter beyond ASCII', 'abcé', 'kube-config-token-invalid'],
  ])('with %s never reaches a header', async (_, token, key) => {
    const seen = plain.seen.length
    expect(await refusalOf(app.admin.call(clusters.check, { body: { server, token } }))).toMatchObject({
      status: 400,
      key,
    })
    expect(plain.seen.length).toBe(seen)
  })

  test('with an invalid CA is refused', async () => {
    const body = { server: secure.address.server, token: 'abc', ca: 'no PEM' }
    expect(await refusalOf(app.admin.call(clusters.check, { body }))).toMatchObject({ key: 'clusters-ca-invalid' })
  })

  test('refused by the cluster is a 400 here, because a 401 would end the session', async () => {
    plain.said.broken = 401
    for (const refused of await refusalsOf(app.admin.call(clusters.check, { body: { server, token: 'old' } }), add()))
      expect(refused).toMatchObject({ status: 400, key: 'clusters-credentials-refused' })
    plain.heal()
    const { uuid } = await add()
    plain.said.broken = 401
    expect(await refusalOf(app.admin.call(clusters.recheck, { params: { uuid } }))).toMatchObject({
      status: 502,
      key: 'kube-credentials',
    })
  })
})

describe('credentials that the cluster ignores are refused as such, without advice to grant rights', () => {
  test('by a cluster that lets nobody do anything', async () => {
    const refusal =
      'selfsubjectreviews.authentication.k8s.io is forbidden: User "system:anonymous" cannot create resource'
    const ignoring = await fakeApi((seen, response) =>
      seen.path === '/version' ? reply(response, plain.said.version) : refuse(response, 403, 'Forbidden', refusal),
    )
    onTestFinished(() => ignoring[Symbol.asyncDispose]())
    const body = { server: ignoring.address.server, token: 'abc' }
    expect(await refusalOf(app.admin.call(clusters.check, { body }))).toMatchObject({
      status: 400,
      key: 'kube-anonymous',
      message: expect.not.stringMatching(/system:anonymous|grant/i),
    })
  })

  test('by a cluster that lets everybody do everything', async () => {
    plain.said.user = 'system:anonymous'
    const check = app.admin.call(clusters.check, { body: { kubeconfig: config() } })
    for (const refused of await refusalsOf(check, add()))
      expect(refused).toMatchObject({ status: 400, key: 'kube-anonymous' })
  })
})

describe('rights', () => {
  test('are listed with their purposes, in the caller’s language', async () => {
    plain.said.may = (right) => !/metrics|nodes\/proxy|^\* /.test(right)
    const body = { kubeconfig: config() }
    const [en, zh] = [
      await app.admin.call(clusters.check, { body }),
      await app.admin.call(clusters.check, { body }, { 'accept-language': 'zh' }),
    ]
    expect(en).toMatchObject({ version: 'v1.34.2', supported: true, nodeNum: 2, ok: true })
    expect(en.rights.filter(({ allowed }) => !allowed)).toEqual([
      {
        right: 'get, list nodes.metrics.k8s.io',
        for: 'Current resource usage of hosts and pods',
        allowed: false,
        needed: false,
      },
      {
        right: 'get, list pods.metrics.k8s.io',
        for: 'Current resource usage of hosts and pods',
        allowed: false,
        needed: false,
      },
      { right: 'get nodes/proxy', for: 'Host logs', allowed: false, needed: false },
    ])
    expect(zh.rights.map((right) => right.for)).toContain('Ingress 组和规则')
    await add()
  })

  test('that are required and missing are listed, and the cluster is refused', async () => {
    plain.said.may = (right) => !/^(\*|patch deployments|impersonate)/.test(right)
    const check = await app.admin.call(clusters.check, { body: { kubeconfig: config() } })
    expect(check.ok).toBe(false)
    const missing = check.rights.filter(({ allowed, needed }) => needed && !allowed).map(({ right }) => right)
    expect(missing).toEqual([
      'impersonate users',
      'impersonate groups',
      'patch deployments.apps',
      'patch deployments.apps/scale',
    ])
    const refused = await refusalOf(add())
    expect(refused).toMatchObject({ status: 400, key: 'clusters-rights-missing' })
    expect(refused.message).toContain(missing.join('; '))
  })

  test('that are missing altogether are still listed', async () => {
    plain.said.may = () => false
    plain.uid = undefined
    const check = await app.admin.call(clusters.check, { body: { kubeconfig: config() } })
    expect(check).toMatchObject({ ok: false, nodeNum: 0 })
    expect(check.rights.some(({ allowed }) => allowed)).toBe(false)
  })

  test.each([
    ['1', '29', false],
    ['1', '30', true],
    ['1', '35+', true],
    ['1', '36', false],
    ['2', '31', false],
  ])('Kubernetes %s.%s: %s', async (major, minor, supported) => {
    plain.said.version = { major, minor, gitVersion: `v${major}.${minor}` }
    expect(await app.admin.call(clusters.check, { body: { kubeconfig: config() } })).toMatchObject({
      supported,
      ok: supported,
    })
    if (!supported) expect(await refusalOf(add())).toMatchObject({ key: 'kube-unsupported-version' })
  })
})

describe('visibility', () => {
  test('hides addresses, other teams, and addresses in error texts from members', async () => {
    const { uuid } = await add({ teamIds: [ours.id, theirs.id] })
    const own = await add({ teamIds: [ours.id] })
    plain.said.broken = 503
    await checkHealth(app.ctx(), uuid)
    const member = await ours.member(['resource_cluster_view'])
    const one = await member.call(clusters.get, { params: { uuid } })
    const [listed] = (await member.call(clusters.ofTeam, { params: { teamId: ours.id } })).filter(
      (c) => c.uuid === uuid,
    )
    expect(one).toEqual(listed)
    expect(one).toMatchObject({ server: '', revision: '', teams: [{ name: 'ours' }], alone: false })
    expect(await app.admin.call(clusters.get, { params: { uuid } })).toMatchObject({ alone: true })
    expect(await member.call(clusters.get, { params: { uuid: own.uuid } })).toMatchObject({ alone: true })
    expect(JSON.stringify(one)).not.toContain('127.0.0.1')
  })

  test('hides the clusters of other teams as if unknown, and tells members which permission they lack', async () => {
    const { uuid } = await add({ teamIds: [ours.id] })
    const get = (who: typeof ours.leader, of = uuid) => refusalOf(who.call(clusters.get, { params: { uuid: of } }))
    const unknown = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
    expect(await get(theirs.leader)).toMatchObject({
      status: 404,
      message: (await get(theirs.leader, unknown)).message,
    })
    expect(await get(await ours.member([]))).toMatchObject({ status: 403 })
  })

  test('does not let a leader assign, change or delete a cluster', async () => {
    const { uuid } = await add({ teamIds: [theirs.id] })
    const by = ours.leader
    const refused = await refusalsOf(
      by.call(clusters.assign, { params: { env: uuid }, query: { tenant: ours.id } }),
      theirs.leader.call(clusters.assign, { params: { env: uuid }, query: { tenant: ours.id } }),
      by.call(clusters.update, { params: { uuid }, body: { name: 'mine' } }),
      theirs.leader.call(clusters.remove, { params: { uuid }, query: { action: 'complete', confirm: 'mine' } }),
      add({}, by),
      by.call(clusters.check, { body: { kubeconfig: config() } }),
      by.call(clusters.list, {}),
    )
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
  })
})

describe('changes', () => {
  test('to the name keep the connection method, and another address is never saved with the old credentials', async () => {
    const { uuid, name, server } = await add()
    const params = { uuid }
    const renamed = await app.admin.call(clusters.update, { params, body: { name: `${name}-b` } })
    expect(renamed).toMatchObject({
      server,
      name: `${name}-b`,
      health: 'healthy',
      version: 'v1.34.2',
    })
    for (const body of [{ server: 'https://elsewhere.test' }, { server: secure.address.server, ca: certificate('ca') }])
      expect(await refusalOf(app.admin.call(clusters.update, { params, body: { name, ...body } }))).toMatchObject({
        status: 400,
      })
    expect(secure.seen.some(({ headers }) => headers.authorization === 'Bearer abc')).toBe(false)
  })

  test('replace any connection method with another', async () => {
    const { uuid, name, server, cluster } = await add()
    const change = (body: object) => app.admin.call(clusters.update, { params: { uuid }, body: { name, ...body } })
    // the same cluster behind a certificate
    secure.uid = cluster
    const token = { server: secure.address.server, token: 'other', ca: certificate('ca') }
    const changed = await change(token)
    expect(changed).toMatchObject({ reach: 'token', server: secure.address.server, health: 'healthy' })
    // another token for the same address is another revision
    await change({ ...token, token: 'newer', revision: changed.revision })
    expect(await refusalOf(change({ revision: changed.revision }))).toMatchObject({ status: 409, key: 'edit-on-older' })
    expect(await change({ agent: true })).toMatchObject({
      reach: 'agent',
      server: '',
      version: '',
      capacity: null,
    })
    const kubeconfig = config({ cluster: { server } })
    expect(await change({ kubeconfig })).toMatchObject({ reach: 'kubeconfig', health: 'healthy', nodeNum: 2 })
  })

  test('to names keep them unique, even if two clusters get one concurrently', async () => {
    const name = named()
    const results = await Promise.allSettled([add({ name }), add({ name })])
    const [refused] = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as Refused] : []))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(refused).toMatchObject({ status: 409, key: 'clusters-name-taken' })
  })

  test('leave an audit row that shows the change without credentials', async () => {
    const { uuid, name } = await add({
      kubeconfig: undefined,
      server: another(),
      token: 'a-very-secret-token',
    })
    await app.admin.call(clusters.update, { params: { uuid }, body: { name, description: 'new' } })
    const rows = await app.db.selectFrom('audit_log').selectAll().where('object', '=', name).orderBy('id').execute()
    expect(rows.map(({ action }) => action)).toEqual(['environment.create', 'environment.update'])
    expect(JSON.stringify(rows)).not.toContain('a-very-secret-token')
  })

  test('encrypted values are not readable in the database', async () => {
    const { uuid } = await add({ kubeconfig: undefined, server: another(), token: 'a-very-secret-token' })
    const row = await app.db.selectFrom('environment').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('secret-token')
  })
})

test('the list has pages, is sorted by name, and can be searched', async () => {
  await app.db.deleteFrom('environment').execute()
  for (const name of ['b', 'a', 'B', 'a-2']) await add({ name })
  const page = (query: object) => app.admin.call(clusters.list, { query })
  const names = async (query: object) => (await page(query)).items.map(({ name }) => name)
  expect(await names({ pageSize: 3 })).toEqual(['B', 'a', 'a-2'])
  expect(await names({ pageSize: 3, requestPage: 2 })).toEqual(['b'])
  expect(await page({ keyword: 'A' })).toMatchObject({ totalSize: 2 })
  expect(await page({ pageSize: 'ten' })).toMatchObject({ pageSize: 50, totalSize: 4 })

  const set = (name: string, values: object) =>
    app.db.updateTable('environment').set(values).where('name', '=', name).execute()
  await set('a', { health: 'unreachable', node_num: 9, usage: JSON.stringify({ cpu: 20, memory: 1 }) })
  await set('b', { health: 'healthy', node_num: 10, usage: JSON.stringify({ cpu: 9, memory: 1 }) })
  for (const name of ['B', 'a-2'])
    await set(name, { health: 'unknown', usage: JSON.stringify({ cpu: null, memory: null }) })
  expect(await names({ health: 'unreachable' })).toEqual(['a'])
  expect(await names({ sort: 'health' })).toEqual(['a', 'B', 'a-2', 'b'])
  expect((await names({ sort: '-nodeNum' })).slice(0, 2)).toEqual(['b', 'a'])
  expect(await names({ sort: '-usage' })).toEqual(['a', 'b', 'B', 'a-2'])
  await expect(page({ sort: 'server' })).rejects.toMatchObject({ status: 400 })
})
