import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { type CallInput, type Endpoint } from '@gantry/contract/endpoint'
import { session } from '@gantry/contract/auth/session'
import { clusters } from '@gantry/contract/clusters/clusters'
import { pods } from '@gantry/contract/clusters/pods'
import { builds } from '@gantry/contract/pipelines/builds'
import { teamBuilds } from '@gantry/contract/pipelines/builds/team-builds'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { stacks } from '@gantry/contract/stacks/stacks'
import { runningUrl } from '@gantry/postgres/cluster'
import { eventually } from '@gantry/waiting/eventually'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { reply } from '../apps/server/test/kube-api.ts'
import { watchedApi } from '../apps/server/test/watched-api.ts'
import { newUser, password, type Product } from '../e2e/product.ts'
import { figure, mb } from './figures.ts'

const many = { pipelines: 10_000, builds: 100_000, pods: 30_000, stacks: 1_000 }
const callers = [1, 10, 50]
/** Seconds for which each number of callers calls each list. */
const seconds = 2
/** Calls before the measurement of a list. */
const warmUps = 50

const pod = (n: number) => ({
  metadata: {
    name: `app-${n % 40}-${((n * 2654435761) >>> 0).toString(36)}`,
    namespace: `bench-${n % 50}`,
    creationTimestamp: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
    labels: { app: `app-${n % 40}` },
  },
  spec: {
    nodeName: `hollow-${n % 100}`,
    containers: [{ name: 'main', image: `registry.example.org/team/app-${n % 40}:1.${n % 9}.0` }],
  },
  status: {
    phase: 'Running',
    podIP: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [{ name: 'main', ready: true, restartCount: n % 5, state: { running: {} } }],
  },
})

const filled = `
  insert into pipeline (team_id, group_id, name) select $1, $2, 'pipeline ' || n from generate_series(1, ${many.pipelines}) n`
const built = `
  insert into build (pipeline_id, team_id, number, state, cause, user_cause, by_admin, definition, timeout_seconds, started_at, ended_at)
  select pipeline.id, team_id, n, 'success', 'manual', 'bench', false, '{"stages": []}', 60, now(), now()
  from generate_series(1, $3::int) n, pipeline where group_id = $2 and team_id = $1 and ($4::int is null or id = $4)`
const deployed = `
  insert into stack (team_id, environment, name, namespace, actor, state)
  select $1, $2, 'stack-' || n, 'bench-stack-' || n, 'bench', 'failed' from generate_series(1, ${many.stacks}) n`

/** Processor time of a process in milliseconds; `children` adds that of the children it has waited for. */
function cpuOf(pid: number, children = false): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const ticks = [11, 12, ...(children ? [13, 14] : [])].map((at) => Number(stat[at]))
  return 10 * ticks.reduce((sum, one) => sum + one, 0)
}

const parentOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] ?? 0)

/** Processor time of PostgreSQL: its postmaster and the processes of its connections. */
function cpuOfPostgres(postmaster: number): number {
  let sum = cpuOf(postmaster, true)
  for (const name of readdirSync('/proc'))
    try {
      if (/^\d+$/.test(name) && parentOf(Number(name)) === postmaster) sum += cpuOf(Number(name))
    } catch {
      // the process has ended meanwhile
    }
  return sum
}

const memoryOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

interface CallSize {
  status: number
  bytes: number
}

/** A caller that reads only the size of an answer, so that its own work adds little to the measurement. */
function lightCaller(url: string, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const ask = (path: string): Promise<CallSize> =>
    new Promise((done, failed) => {
      const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
      const sent = request(new URL(path, url), { agent, headers }, (answer) => {
        let bytes = 0
        answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
        answer.on('end', () => done({ status: answer.statusCode ?? 0, bytes }))
      })
      sent.on('error', failed)
      sent.end()
    })
  return { ask, close: () => agent.destroy() }
}

const pathOf = <E extends Endpoint>(endpoint: E, { params, query }: CallInput<E>): string => {
  const named = Object.fromEntries(Object.entries(params ?? {}))
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(named[name])))
  const asked = Object.entries({ action: endpoint.action, ...(query as object) }).filter(
    ([, value]) => value !== undefined,
  )
  return `${path}?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}`
}

const shareOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN

/**
 * The cost of the large lists: processor time and statements of a call, the size of its answer, calls per second and
 * time per call for one caller, ten and fifty at once, without pauses. Ends by itself.
 */
export async function benchLoad(product: Product, teamId: number): Promise<void> {
  const { admin, data, url } = product
  const database = await runningUrl(join(data, 'postgres'))
  if (!database) throw new Error('the embedded database does not run')
  const client = new pg.Client({ connectionString: database('gantry') })
  await client.connect()
  const [server, postgres] = [product.pid('server'), product.pid('postgres')]
  await newUser(product, 'bench-reader', { teamId, roleId: 'leader' })
  const tokenOf = async (username: string) => (await admin.call(session.login, { body: { username, password } })).token
  const reader = lightCaller(url, await tokenOf('bench-reader'))
  // only an administrator sees all pods of a cluster
  const operator = lightCaller(url, await tokenOf('admin'))
  const api = await watchedApi({
    pods: Array.from({ length: many.pods }, (_, n) => pod(n)),
    nodes: [],
    namespaces: [],
    events: [],
  })
  try {
    const group = await admin.call(groups.create, { params: { teamId }, body: { name: 'load' } })
    await client.query(filled, [teamId, group.id])
    const first = await client.query<{ id: number }>('select min(id) as id from pipeline where group_id = $1', [
      group.id,
    ])
    const id = first.rows[0]?.id ?? 0
    await client.query(built, [teamId, group.id, 1, null])
    await client.query(built.replace(', n, ', ', n + 1, '), [teamId, group.id, many.builds - many.pipelines, id])
    const [sandbox] = await admin.call(clusters.ofTeam, { params: { teamId } })
    await client.query(deployed, [teamId, sandbox?.uuid])
    figure('memory of the server before', [memoryOf(server, 'VmRSS')], mb)
    const kubeconfig = JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: api.address.server } }],
      users: [{ name: 'u', user: { token: 'bench' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    })
    // every caller may do everything in this cluster
    const rules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], nonResourceURLs: ['*'] }]
    const status = { allowed: true, incomplete: false, resourceRules: rules, nonResourceRules: rules }
    api.answer((seen, response) =>
      seen.method === 'POST' ? reply(response, { status }, 201) : api.normal(seen, response),
    )
    const { uuid: env } = await admin.call(clusters.create, { body: { name: 'load', kubeconfig } })
    await eventually(
      () => admin.call(pods.list, { params: { env }, query: {} }),
      ({ totalSize }) => totalSize === many.pods,
      { ms: 120_000 },
    )
    const any = (pages: number) => 1 + Math.floor(Math.random() * pages)
    const size = { pageSize: 50 }
    const lists: [name: string, path: () => string, by?: typeof reader][] = [
      ['pods, first page', () => pathOf(pods.list, { params: { env }, query: size }), operator],
      [
        'pods, any page',
        () => pathOf(pods.list, { params: { env }, query: { ...size, requestPage: any(600) } }),
        operator,
      ],
      ['pipelines, first page', () => pathOf(pipelines.list, { params: { teamId }, query: size })],
      [
        'pipelines, any page',
        () => pathOf(pipelines.list, { params: { teamId }, query: { ...size, requestPage: any(200) } }),
      ],
      ['builds, first page', () => pathOf(builds.list, { params: { id }, query: size })],
      ['builds, any page', () => pathOf(builds.list, { params: { id }, query: { ...size, requestPage: any(200) } })],
      ["the team's builds, first page", () => pathOf(teamBuilds.list, { params: { teamId }, query: size })],
      ['stacks, first page', () => pathOf(stacks.list, { params: { teamId, envId: 'all' }, query: size })],
    ]
    const transactions = async () =>
      Number(
        (await client.query<{ n: string }>('select sum(xact_commit + xact_rollback) as n from pg_stat_database'))
          .rows[0]?.n,
      )
    console.log(
      [
        'list'.padEnd(40),
        'callers',
        ' ms server',
        'ms database',
        'statements',
        '  bytes',
        '  /s',
        ' p50',
        ' p95',
        ' p99 ms',
      ].join('  '),
    )
    const now = async () => ({
      at: performance.now(),
      server: cpuOf(server),
      postgres: cpuOfPostgres(postgres),
      statements: await transactions(),
    })
    /** Usage per millisecond. */
    const between = async (before: Awaited<ReturnType<typeof now>>) => {
      const after = await now()
      const of = (key: 'server' | 'postgres' | 'statements') => (after[key] - before[key]) / (after.at - before.at)
      return { server: of('server'), postgres: of('postgres'), statements: of('statements') }
    }
    // the background load: the least of a few moments without calls
    const moments: Awaited<ReturnType<typeof between>>[] = []
    for (let n = 0; n < 5; n++) {
      const before = await now()
      await pause(3_000)
      moments.push(await between(before))
    }
    const least = (key: 'server' | 'postgres' | 'statements') => Math.min(...moments.map((one) => one[key]))
    const idle = { server: least('server'), postgres: least('postgres'), statements: least('statements') }
    const run = async (name: string, at: number, ask: () => Promise<CallSize>) => {
      for (let n = 0; n < warmUps; n++) await ask()
      const [took, bytes]: [number[], number[]] = [[], []]
      let refused = 0
      const before = await now()
      const one = async () => {
        while (performance.now() - before.at < seconds * 1000) {
          const started = performance.now()
          const answer = await ask()
          if (answer.status === 503) {
            refused += 1
            continue
          }
          if (answer.status !== 200) throw new Error(`${name}: ${answer.status}`)
          took.push(performance.now() - started)
          bytes.push(answer.bytes)
        }
      }
      await Promise.all(Array.from({ length: at }, one))
      const passed = performance.now() - before.at
      // PostgreSQL updates the statement counts of a connection about once a second
      await pause(1_200)
      const used = await between(before)
      const whole = performance.now() - before.at
      const each = (key: keyof typeof idle) => ((used[key] - idle[key]) * whole) / took.length
      took.sort((a, b) => a - b)
      console.log(
        [
          name.padEnd(40),
          String(at).padStart(7),
          each('server').toFixed(2).padStart(10),
          each('postgres').toFixed(2).padStart(11),
          each('statements').toFixed(1).padStart(10),
          (bytes.reduce((sum, size) => sum + size, 0) / took.length).toFixed(0).padStart(7),
          ((1000 * took.length) / passed).toFixed(0).padStart(4),
          ...[0.5, 0.95, 0.99].map((share) => shareOf(took, share).toFixed(0).padStart(4)),
          ...(refused > 0 ? [`${refused} refused`] : []),
        ].join('  '),
      )
    }
    for (const statistics of ['without statistics', 'with statistics']) {
      console.log(statistics)
      if (statistics === 'with statistics') await client.query('vacuum analyze pipeline, build, stack')
      for (const [name, path, by = reader] of lists)
        for (const at of statistics === 'with statistics' ? callers : callers.slice(0, 1))
          await run(name, at, () => by.ask(path()))
    }
    figure('memory of the server, most', [memoryOf(server, 'VmHWM')], mb)
    figure('memory of the server after', [memoryOf(server, 'VmRSS')], mb)
    await admin.call(clusters.remove, { params: { uuid: env }, query: { confirm: 'load' } })
  } finally {
    reader.close()
    operator.close()
    await api[Symbol.asyncDispose]()
    await client.end()
  }
}
