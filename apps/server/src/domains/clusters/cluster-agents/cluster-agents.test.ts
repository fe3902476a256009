import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { clusters } from '@gantry/contract/clusters/clusters'
import { tunnelPath } from '@gantry/tunnel/frames'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import {
  accountIn,
  builtClusterAgent,
  clusterAgent,
  type ClusterAgent,
  objectsIn,
  tokenIn,
} from '../../../../test/cluster-agent.ts'
import { admitLocal, certificate } from '../../../../test/kube-api.ts'
import { startSandbox } from '../../../../test/sandbox.ts'
import { socketClient } from '../../../../test/socket-client.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { walk } from '../../../../test/walk.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { newToken } from '../../../identity/sessions.ts'
import { beatOnce, claim } from './cluster-agents.service.ts'
import { connectedElsewhere } from './cluster-agents.store.ts'
import { clusterOf } from '../clusters/connect.service.ts'
import { checkHealth } from '../health/health.service.ts'

const program = join(testFolder('program'), 'agent.mjs')
writeFileSync(program, 'console.log(\'the agent\')\n// 代理: "quoted"\n')
const config = { clusterAgent: { program, image: 'node:24' } }

const sandbox = await startSandbox()
const kube = openKube({ admit: admitLocal })
const app = await testApp({ ports: { kube }, config })
const client = await socketClient(app)
const { origin, open } = client
const agents: ClusterAgent[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(agents.splice(0).map((agent) => agent.kill()))
  // every test joins the same sandbox
  for (const table of ['service', 'stack', 'environment'] as const) await app.db.deleteFrom(table).execute()
})
afterAll(async () => {
  await kube.close()
  await sandbox.stop()
})

const run = (token: string, server = origin): ClusterAgent => {
  const agent = clusterAgent({ server, token, account: accountIn(sandbox.kubeconfig) })
  agents.push(agent)
  return agent
}

let made = 0
async function behindAgent(teamIds: number[] = []) {
  const body = { name: `far-${++made}`, agent: true, teamIds }
  const { uuid } = await app.admin.call(clusters.create, { body })
  const { manifest } = await app.admin.call(clusters.manifest, { params: { env: uuid } })
  return { uuid, manifest, token: tokenIn(manifest) }
}
const read = (uuid: string) => app.admin.call(clusters.get, { params: { uuid } })
const unseen = (uuid: string, minutes: number) =>
  app.db
    .updateTable('cluster_agent')
    .set({ cluster_seen_at: sql`now() - make_interval(mins => ${minutes})` })
    .where('environment', '=', uuid)
    .execute()
const clusterIs = async (uuid: string) =>
  (await app.db.selectFrom('cluster_agent').select('cluster').where('environment', '=', uuid).executeTakeFirstOrThrow())
    .cluster ?? Buffer.of()

/** Sends this replica's heartbeats for `ms`, in step with its clock. */
async function beatFor(ms: number) {
  const end = Date.now() + ms
  await beatOnce(app.ctx())
  while (Date.now() < end) {
    vi.setSystemTime(Date.now() + 10_000)
    await beatOnce(app.ctx())
  }
}
const health = async (uuid: string) => (await read(uuid)).health

test('an unreachable cluster works through its agent', async () => {
  const { uuid, token } = await behindAgent()
  run(token)
  await expect.poll(() => health(uuid)).toBe('healthy')
  expect(await read(uuid)).toMatchObject({ reach: 'agent', server: '', version: expect.stringMatching(/^v1\./) })
  const { kube: far } = await clusterOf(app.ctx(), uuid)
  expect((await far.list(kinds.nodes)).items.length).toBeGreaterThan(0)
  expect(await app.admin.call(clusters.recheck, { params: { uuid } })).toMatchObject({ ok: true })
})

test('a stack is deployed, watched and read, and its terminal used, through the agent', async () => {
  const team = await app.team()
  const { uuid, token } = await behindAgent([team.id])
  run(token)
  await expect.poll(() => health(uuid)).toBe('healthy')
  await walk({ app, client, team, envId: uuid, service: { image: 'registry.example.test/web:1' } })
})

test('before its agent first connects, a cluster is of unknown health and says what to do', async () => {
  const { uuid } = await behindAgent()
  expect(await checkHealth(app.ctx(), uuid)).toBe(false)
  const { health, healthMessage } = await read(uuid)
  expect(health).toBe('unknown')
  expect(healthMessage).toContain('Check that its manifest is applied')
})

test('a cluster reports that its agent is away, and recovers with it', async () => {
  const { uuid, token } = await behindAgent()
  const agent = run(token)
  await expect.poll(() => health(uuid)).toBe('healthy')
  const { kube: far, rows } = await clusterOf(app.ctx(), uuid)
  expect((await rows('namespaces')).freshness.state).toBe('live')
  await agent.kill()
  await expect.poll(() => far.version().catch((error: { kind: string }) => error.kind)).toBe('agent')
  await expect.poll(() => health(uuid)).toBe('unreachable')
  expect((await read(uuid)).healthMessage).toMatch(
    /^No agent of the cluster far-\d+ has been connected .* gantry-agent/,
  )
  run(token)
  await expect.poll(() => health(uuid)).toBe('healthy')
  await expect.poll(async () => (await rows('namespaces')).freshness.state).toBe('live')
})

test('a new manifest invalidates the one before and closes its connections', async () => {
  const { uuid, token } = await behindAgent()
  const agent = run(token)
  await expect.poll(() => kube.tunnels.isConnected(uuid)).toBe(true)
  const { manifest } = await app.admin.call(clusters.manifest, { params: { env: uuid } })
  await expect.poll(() => kube.tunnels.isConnected(uuid)).toBe(false)
  await expect.poll(agent.log).toMatch(/a newer manifest was made/)
  const headers = (of: string) => ({ authorization: `Bearer ${of}` })
  expect(await (await open(tunnelPath, headers(token))).ended).toBe(401)
  const { ws } = await open(tunnelPath, headers(tokenIn(manifest)))
  expect(ws.readyState).toBe(ws.OPEN)
  ws.terminate()
})

test('other tokens are refused, and repeated attempts are rate limited', async () => {
  const limited = await testApp({
    onlyDomains: ['clusters'],
    ports: { kube },
    config: { rateLimit: true },
    beside: app,
  })
  const there = await socketClient(limited)
  const person = await app.user()
  const tokens = [undefined, person.token ?? '', newToken('cluster'), newToken('agent')]
  const status = async (token: string | undefined) => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return (await there.open(tunnelPath, headers)).ended
  }
  expect(await Promise.all(tokens.map(status))).toEqual([401, 401, 401, 401])
  const many = await Promise.all(Array.from({ length: 150 }, () => status('wrong')))
  expect(new Set(many)).toEqual(new Set([401, 429]))
  // a valid token is not slowed by others behind the same address
  const { token } = await behindAgent()
  const { ws } = await there.open(tunnelPath, { authorization: `Bearer ${token}` })
  expect(ws.readyState).toBe(ws.OPEN)
  ws.terminate()
})

test('a cluster agent may not call as a build agent or as a user', async () => {
  const { token } = await behindAgent()
  const agent = app.caller({ kind: 'agent', id: 0, name: '', admin: false }, token)
  await expect(agent.call(clusters.list)).rejects.toMatchObject({ status: 401 })
})

test('the single file in the manifest is the whole agent', async () => {
  const file = await builtClusterAgent()
  // kubectl keeps the whole object in an annotation, which is limited to 256 kB
  expect(JSON.stringify(readFileSync(file, 'utf8')).length).toBeLessThan(200_000)
  const { uuid, token } = await behindAgent()
  agents.push(clusterAgent({ server: origin, token, account: accountIn(sandbox.kubeconfig), program: file }))
  await expect.poll(() => health(uuid)).toBe('healthy')
})

test('the agent of another cluster is refused by every replica, and the environment reports this', async () => {
  const { uuid, token } = await behindAgent()
  const right = run(token)
  await expect.poll(() => health(uuid)).toBe('healthy')
  expect(await read(uuid)).toMatchObject({ healthMessage: '' })
  const otherKube = openKube({ admit: admitLocal })
  const beside = await testApp({ onlyDomains: ['clusters'], ports: { kube: otherKube }, config, beside: app })
  const there = await socketClient(beside)
  const ca = certificate('ca')
  const wrong = [origin, there.origin].map((server) => {
    const agent = clusterAgent({ server, token, account: { ...accountIn(sandbox.kubeconfig), ca } })
    agents.push(agent)
    return agent
  })
  for (const agent of wrong) await expect.poll(agent.log).toMatch(/the environment is another cluster/)
  expect(otherKube.tunnels.isConnected(uuid)).toBe(false)
  await expect.poll(async () => (await read(uuid)).healthMessage).toMatch(/Delete the namespace gantry-system/)
  expect(await health(uuid)).toBe('healthy')

  // after a long absence another cluster is accepted: a recreated one, a replaced CA
  await Promise.all([right.kill(), ...wrong.map((agent) => agent.kill())])
  await expect.poll(() => kube.tunnels.isConnected(uuid)).toBe(false)
  vi.useFakeTimers({ toFake: ['Date'] })
  await beatFor(120_000)
  await unseen(uuid, 3)
  agents.push(clusterAgent({ server: origin, token, account: { ...accountIn(sandbox.kubeconfig), ca } }))
  await expect.poll(() => kube.tunnels.isConnected(uuid)).toBe(true)
  await otherKube.close()
})

test('an environment keeps its cluster as long as a replica reports its agent as connected', async () => {
  const { uuid, token } = await behindAgent()
  run(token)
  await expect.poll(() => kube.tunnels.isConnected(uuid)).toBe(true)
  vi.useFakeTimers({ toFake: ['Date'] })
  await beatFor(120_000)
  await unseen(uuid, 3)
  await beatOnce(app.ctx())
  const [mine, other] = [Buffer.from('other'), Buffer.from('another')]
  expect(await claim(app.ctx(), uuid, other, undefined)).toBe(false)
  // the same connection, with another CA
  const cluster = await clusterIs(uuid)
  expect(await claim(app.ctx(), uuid, mine, cluster)).toBe(true)
  expect(await claim(app.ctx(), uuid, cluster, undefined)).toBe(false)
})

test('after silence only a replica that was up long enough lets another cluster take over', async () => {
  const { uuid } = await behindAgent()
  const [first, other] = [Buffer.from('first'), Buffer.from('other')]
  const otherMay = async () => {
    await unseen(uuid, 60)
    return claim(app.ctx(), uuid, other, undefined)
  }
  expect(await claim(app.ctx(), uuid, first, undefined)).toBe(true)
  vi.useFakeTimers({ toFake: ['Date'] })
  const failing = async () => {
    const away = new Proxy(app.ctx().db, {
      get: () => {
        throw new Error('the database is away')
      },
    })
    await expect(beatOnce({ ...app.ctx(), db: away })).rejects.toThrow('the database is away')
  }
  for (const outage of [failing, async () => void vi.setSystemTime(Date.now() + 40_000)]) {
    await beatFor(120_000)
    await outage()
    expect(await otherMay()).toBe(false)
    await beatFor(110_000)
    expect(await otherMay()).toBe(false)
  }
  await beatFor(10_000)
  expect(await otherMay()).toBe(true)
  expect(await clusterIs(uuid)).toEqual(other)
})

test('a connected agent does not keep another cluster’s identity, and is disconnected', async () => {
  const { uuid, token } = await behindAgent()
  const agent = run(token)
  await expect.poll(() => kube.tunnels.isConnected(uuid)).toBe(true)
  const cluster = await clusterIs(uuid)
  expect(await claim(app.ctx(), uuid, Buffer.from('other'), cluster)).toBe(true)
  await unseen(uuid, 60)
  await beatOnce(app.ctx())
  expect(kube.tunnels.isConnected(uuid)).toBe(false)
  const { seen } = await app.db
    .selectFrom('cluster_agent')
    .select(sql<boolean>`cluster_seen_at > now() - interval '30 minutes'`.as('seen'))
    .where('environment', '=', uuid)
    .executeTakeFirstOrThrow()
  expect(seen).toBe(false)
  await expect.poll(agent.log).toMatch(/the environment is another cluster/)
})

test('deleting a cluster, or changing its connection method, disconnects its agent', async () => {
  const [gone, other] = [await behindAgent(), await behindAgent()]
  for (const { token } of [gone, other]) run(token)
  const connected = () => [gone, other].map(({ uuid }) => kube.tunnels.isConnected(uuid))
  await expect.poll(connected).toEqual([true, true])
  await app.admin.call(clusters.remove, {
    params: { uuid: gone.uuid },
    query: { confirm: (await read(gone.uuid)).name },
  })
  await app.db.updateTable('environment').set({ reach: 'token' }).where('uuid', '=', other.uuid).execute()
  await expect.poll(connected).toEqual([false, false])
})

test('the agent connects to every replica', async () => {
  const otherKube = openKube({ admit: admitLocal })
  const beside = await testApp({ onlyDomains: ['clusters'], ports: { kube: otherKube }, config, beside: app })
  const there = await socketClient(beside)
  // One address for both, as with a load balancer.
  let turn = 0
  const balancer = createServer((socket) => {
    const target = new URL([origin, there.origin][turn++ % 2] ?? '')
    const out = connect(Number(target.port), target.hostname)
    socket.on('error', () => out.destroy()).pipe(out)
    out.on('error', () => socket.destroy()).pipe(socket)
  })
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve))
  const { port } = balancer.address() as { port: number }
  for (const one of [app, beside, app]) await beatOnce(one.ctx())
  const { uuid, token } = await behindAgent()
  const agent = run(token, `http://127.0.0.1:${port}`)
  await expect.poll(() => [kube, otherKube].map(({ tunnels }) => tunnels.isConnected(uuid))).toEqual([true, true])
  await agent.kill('SIGTERM')
  balancer.close()

  // connected to one replica only: the other reports that, and does not overwrite the result of the first
  run(token)
  await expect.poll(() => kube.tunnels.isConnected(uuid)).toBe(true)
  await expect.poll(() => health(uuid)).toBe('healthy')
  await expect.poll(() => connectedElsewhere(app.db, uuid, otherKube.tunnels.replica)).toBe(true)
  expect(await checkHealth(beside.ctx(), uuid)).toBe(false)
  expect(await health(uuid)).toBe('healthy')
  const away = beside.admin.call(clusters.recheck, { params: { uuid } })
  await expect(away).rejects.toMatchObject({ status: 503, key: 'tunnel-agent-away' })
  await otherKube.close()
})

test('only administrators get the manifest, which contains what it declares', async () => {
  const { uuid, manifest, token } = await behindAgent()
  const objects = objectsIn(manifest)
  expect(objects.map(({ kind }) => kind)).toEqual([
    'Namespace',
    'ServiceAccount',
    'ClusterRole',
    'ClusterRoleBinding',
    'Secret',
    'Deployment',
    'ConfigMap',
  ])
  expect(objects[6]).toMatchObject({ data: { 'agent.mjs': 'console.log(\'the agent\')\n// 代理: "quoted"\n' } })
  const team = await app.team()
  const refused = team.leader.call(clusters.manifest, { params: { env: uuid } })
  await expect(refused).rejects.toMatchObject({ status: 403 })
  const rows = await app.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'environment.manifest')
    .orderBy('id')
    .execute()
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(rows.at(-1)).toMatchObject({ status: 403 })
})
