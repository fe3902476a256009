import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { session } from '@gantry/contract/auth/session'
import { clusters } from '@gantry/contract/clusters/clusters'
import { hosts } from '@gantry/contract/clusters/hosts'
import { pods, podSorts } from '@gantry/contract/clusters/pods'
import { pushPath } from '@gantry/contract/push/path'
import { podsTopic } from '@gantry/contract/clusters/pods'
import type { Product } from '../e2e/product.ts'
import { figure, mb, ms, repeat, timed } from './figures.ts'
import { benchScreen } from './screen.ts'

const lab = process.env['GANTRY_LAB'] ?? resolve(import.meta.dirname, '../../shared')
const script = join(lab, 'kube/kube')
/** Asynchronous, so that connections that the server closes meanwhile are noticed. */
const kube = async (...args: string[]): Promise<void> => {
  const [code] = await once(spawn(script, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
  if (code !== 0) throw new Error(`kube ${args.join(' ')} failed`)
}

const pause = (millis: number) => new Promise((later) => setTimeout(later, millis))
const kb = (value: number): string => `${(value / 1024).toFixed(1)} kB`

/** The API server itself, over one kept-alive connection: the time of a list without the product in between. */
function apiServer(kubeconfig: string, bin: string) {
  const view = execFileSync(
    join(bin, 'kubectl'),
    ['--kubeconfig', kubeconfig, 'config', 'view', '--raw', '-o', 'json'],
    {
      encoding: 'utf8',
    },
  )
  const { clusters, users } = JSON.parse(view) as {
    clusters: { cluster: { server: string; 'certificate-authority-data': string } }[]
    users: { user: { 'client-certificate-data': string; 'client-key-data': string } }[]
  }
  const [{ cluster } = { cluster: undefined }, { user } = { user: undefined }] = [clusters[0], users[0]]
  const pem = (text = '') => Buffer.from(text, 'base64')
  const agent = new Agent({
    keepAlive: true,
    ca: pem(cluster?.['certificate-authority-data']),
    cert: pem(user?.['client-certificate-data']),
    key: pem(user?.['client-key-data']),
  })
  const call = (path: string, method = 'GET', body?: object): Promise<Buffer> =>
    new Promise((done, failed) => {
      const url = new URL(path, cluster?.server)
      const headers = body && { 'content-type': 'application/merge-patch+json' }
      const sent = request(url, { agent, method, ...(headers && { headers }) }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => done(Buffer.concat(chunks)))
      })
      sent.on('error', failed)
      sent.end(body && JSON.stringify(body))
    })
  /** The times at which a direct watch reports each change of a pod. */
  const watch = (path: string, heard: () => void) =>
    new Promise<() => void>((open, failed) => {
      const sent = request(new URL(path, cluster?.server), { agent: new Agent(agent.options) }, (answer) => {
        answer.on('data', heard)
        open(() => sent.destroy())
      })
      sent.on('error', failed)
      sent.end()
    })
  return { call, watch }
}

const metric = async (url: string, name: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** Resident memory of the server process as the kernel counts it, in MB. */
const resident = (product: Product): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${product.pid('server')}/status`, 'utf8'))?.[1]) / 1024

interface Measured {
  product: Product
  env: string
  api: ReturnType<typeof apiServer>
  count: number
}

/** The first list of the cluster, until it is complete: how long it takes, and how long it blocks the server. */
async function firstList({ product: { admin, url }, env, count }: Measured): Promise<void> {
  let blocked = 0
  let over = false
  const isOver = () => over
  const watching = (async () => {
    while (!isOver()) {
      blocked = Math.max(blocked, await metric(url, 'gantry_event_loop_blocked_seconds'))
      await pause(400)
    }
  })()
  const took = await timed(async () => {
    for (;;) {
      const { totalSize, age } = await admin.call(pods.list, { params: { env }, query: {} })
      if (totalSize >= count && age.message === '') return
      await pause(100)
    }
  })
  await pause(1200)
  over = true
  await watching
  figure(`${count}: from nothing to the whole list in memory`, [took], ms)
  figure(`${count}: longest block of the event loop meanwhile`, [blocked * 1000], ms, '< 200 ms')
}

async function lists({ product, env, api, count }: Measured): Promise<void> {
  const { admin, url } = product
  const sizes: number[] = []
  const page = async (query: object) => {
    const answer = await admin.raw(pods.list, { params: { env }, query: { pageSize: 50, ...query } })
    const body = Buffer.from(await answer.arrayBuffer())
    if (answer.status !== 200) throw new Error(body.toString('utf8'))
    return body
  }
  const filters: object[] = [
    {},
    { namespace: 'bench-07' },
    { status: 'Running' },
    { host: 'hollow-3' },
    { keyword: 'app-1' },
  ]
  const orders = podSorts.flatMap((column) => [column, `-${column}`])
  const all: number[] = []
  for (const filter of filters) {
    const took: number[] = []
    for (let round = 0; round < 3; round++)
      for (const sort of orders)
        took.push(await timed(async () => sizes.push(gzipSync(await page({ ...filter, sort })).length)))
    all.push(...took)
    figure(`${count}: page of 50, every column, ${JSON.stringify(filter)}`, took, ms, 'median < 20 ms')
  }
  const sorted = all.toSorted((a, b) => a - b)
  figure(`${count}: the same, all filters, 95 of 100 within`, [sorted[Math.floor(sorted.length * 0.95)] ?? 0], ms)
  figure(
    `${count}: page 300 of them, sorted by status`,
    await repeat(20, () => timed(() => page({ sort: 'status', requestPage: 300 }))),
    ms,
  )
  figure(`${count}: a page, gzipped`, sizes, kb, '< 15 kB')
  const page50 = () => admin.call(hosts.list, { query: { envUuid: env, pageSize: 50 } })
  await page50()
  figure(`${count}: 50 of the hosts, with the sums of their pods`, await repeat(20, () => timed(page50)), ms)
  figure(
    `${count}: longest block of the event loop`,
    [(await metric(url, 'gantry_event_loop_blocked_seconds')) * 1000],
    ms,
  )

  const limited = await repeat(20, () => timed(() => api.call('/api/v1/pods?limit=50')))
  figure(`${count}: API server, limit=50, in no order`, limited, ms)
  const plain = await repeat(3, () => timed(() => api.call('/api/v1/pods')))
  figure(`${count}: API server, all pods in one answer`, plain, ms)
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
  const ratio = (value: number) => `× ${value.toFixed(1)}`
  figure(`${count}: its limit=50 to our sorted page`, [median(limited) / median(all)], ratio)
  figure(`${count}: its whole list to our sorted page`, [median(plain) / median(all)], ratio)
}

/** The time from a change in the cluster to the frame at the socket of an open page. */
async function changes({ product: { admin, url }, env, api, count }: Measured): Promise<void> {
  const { ticket } = await admin.call(session.ticket, { body: { method: 'GET', path: pushPath } })
  const socket = new WebSocket(`${url.replace('http', 'ws')}${pushPath}?authorization=${ticket}`)
  await new Promise((open) => socket.addEventListener('open', open))
  const topic = podsTopic.name({ env, scope: 'all' })
  let frame: (text: string) => void = () => undefined
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (data.includes('"pod"')) frame(data)
  })
  socket.send(JSON.stringify({ op: 'subscribe', topic }))
  await pause(1000)
  const [{ namespace, name } = { namespace: '', name: '' }] = (
    await admin.call(pods.list, { params: { env }, query: { namespace: 'bench-01', pageSize: 1 } })
  ).items
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`
  let told = 0
  const isTold = () => told > 0
  const stop = await api.watch(
    `/api/v1/namespaces/${namespace}/pods?watch=true&fieldSelector=metadata.name%3D${name}`,
    () => {
      told ||= performance.now()
    },
  )
  await pause(500)
  const sizes: number[] = []
  const fromEvent: number[] = []
  const fromWrite = await repeat(60, async () => {
    told = 0
    const arrived = new Promise<number>((heard) => {
      frame = (text) => {
        sizes.push(text.length)
        heard(performance.now())
      }
    })
    const started = performance.now()
    await api.call(path, 'PATCH', { metadata: { labels: { app: `bench-${Math.random()}` } } })
    const at = await arrived
    while (!isTold()) await pause(1)
    fromEvent.push(at - told)
    await pause(80)
    return at - started
  })
  stop()
  socket.close()
  figure(`${count}: a change, from its write to the page's socket`, fromWrite, ms, '< 30 ms')
  figure(`${count}: a change, from a watch of one's own to the page's socket`, fromEvent, ms)
  figure(`${count}: a change, its frame`, sizes, kb, '< 1 kB')
}

/** A busy cluster refuses to delete thousands of pods at once, so the deletion is retried. */
async function cleanUp(): Promise<void> {
  for (let tries = 5; ; tries--) {
    try {
      await kube('pods', '0')
      break
    } catch (error) {
      if (tries === 0) throw error
    }
  }
  await kube('hollow', '0')
}

/**
 * A cluster of a hundred hollow nodes with 10,000 and 30,000 pods (or the given numbers). Needs the lab's cluster for
 * itself, and removes what it created.
 */
export async function benchPods(product: Product, sizes: number[]): Promise<void> {
  const told = execFileSync(script, ['env'], { encoding: 'utf8' })
  const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(told)?.[1] ?? ''
  const api = apiServer(value('KUBECONFIG'), value('KUBE_BIN'))
  const kubeconfig = readFileSync(value('KUBECONFIG'), 'utf8')
  figure('memory of the server before', [resident(product)], mb)
  try {
    await kube('hollow', '100')
    for (const count of sizes) {
      await kube('pods', String(count))
      const body = { name: `scale-${count}`, kubeconfig }
      const { uuid: env } = await product.admin.call(clusters.create, { body })
      const measured = { product, env, api, count }
      await firstList(measured)
      await lists(measured)
      await changes(measured)
      await benchScreen(product, env, count)
      await pause(5000)
      figure(`${count}: memory of the server, resident`, [resident(product)], mb, '< 300 MB')
      await product.admin.call(clusters.remove, { params: { uuid: env }, query: { confirm: body.name } })
    }
  } finally {
    await cleanUp()
  }
}
