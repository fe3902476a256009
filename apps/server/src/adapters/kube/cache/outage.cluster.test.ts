import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { admitLocal } from '../../../../test/kube-api.ts'
import { labCluster } from '../../../../test/lab.ts'
import { ownNamespace, type OwnNamespace } from '../../../../test/own-namespace.ts'
import { relay } from '../../../../test/relay.ts'
import { watchedApi } from '../../../../test/watched-api.ts'
import type { Kube } from '../client.ts'
import type { PodRow } from '../rows/pod-row.ts'
import { openKube } from '../transport/pool.ts'
import type { ClusterAddress } from '../transport/kubeconfig.ts'
import { type Freshness, type Lease, openReflector, type ReflectorTiming } from './reflector.ts'
import * as kinds from '../resources.ts'
import { type Health, type KubeRequest, openTransport, type Transport } from '../transport/transport.ts'

const lab = labCluster()
const home = dirname(lab?.kubeconfig ?? '/')
const pidFile = join(home, 'run/kube-apiserver.pid')
const etcd = 'http://127.0.0.1:23790'
const run = randomBytes(3).toString('hex')

const pidOf = (): number => Number(readFileSync(pidFile, 'utf8'))
const argumentsOf = (pid: number): string[] => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
const alive = (pid: number): boolean => existsSync(`/proc/${pid}`)

const kubectl = (...args: string[]): string =>
  execFileSync(join(lab?.bin ?? '', 'kubectl'), ['--kubeconfig', lab?.kubeconfig ?? '', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

/** The command line of the API server, to restart it in the same way. */
let command: string[] = []

/** Stops the API server and waits until it is stopped: its last threads may answer for a moment after the signal. */
const pause = async (): Promise<void> => {
  const pid = pidOf()
  process.kill(pid, 'SIGSTOP')
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0]).toBe('T')
}

const kill = async (): Promise<void> => {
  const pid = pidOf()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => alive(pid)).toBe(false)
}

function startAgain(): void {
  const [program = '', ...rest] = command
  const log = openSync(join(home, 'log/kube-apiserver.log'), 'a')
  const child = spawn(join(lab?.bin ?? '', basename(program)), rest, { detached: true, stdio: ['ignore', log, log] })
  child.unref()
  writeFileSync(pidFile, `${child.pid}\n`)
}

const answers = (): boolean => {
  try {
    return kubectl('get', '--raw', '/readyz') === 'ok'
  } catch {
    return false
  }
}

const ask = async (path: string, body: object): Promise<{ header: { revision: string } }> =>
  (await fetch(`${etcd}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) })).json() as never

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Stops and kills the API server, which other suites would notice: run it while nothing else uses the cluster. */
describe.skipIf(lab === undefined)('a real cluster in trouble (needs the lab’s kube)', () => {
  let place: OwnNamespace
  const open: (() => unknown)[] = []

  beforeAll(async () => {
    command = argumentsOf(pidOf())
    place = await ownNamespace(lab?.kubeconfig ?? '')
  })
  afterEach(async () => {
    for (const close of open.splice(0)) await close()
    if (!alive(pidOf())) startAgain()
    process.kill(pidOf(), 'SIGCONT')
    await expect.poll(answers, { timeout: 90_000 }).toBe(true)
  })
  afterAll(() => place.close())

  /** The real cluster beside a healthy one, and all reported changes of their health. */
  async function watched() {
    const other = await watchedApi({ pods: [{ metadata: { name: 'p', namespace: 'n' }, spec: { containers: [] } }] })
    const kube = openKube({ admit: admitLocal })
    open.push(() => kube.close(), other[Symbol.asyncDispose])
    const reports: [string, Health['state'], Health['kind']][] = []
    kube.onHealth((environment, { state, kind }) => reports.push([environment, state, kind]))
    const cluster = kube.cluster('real', place.address)
    const neighbour = kube.cluster('other', other.address)
    const lease = cluster.need('pods')
    expect((await lease.ready(20_000)).state).toBe('live')
    expect((await neighbour.rows('pods')).freshness.state).toBe('live')
    expect(lease.size()).toBeGreaterThan(0)
    return { kube, cluster, neighbour, lease, reports }
  }
  /**
   * Waits until the rows equal the cluster's pods. Other tests create and delete pods too, so they are read rather than
   * counted.
   */
  const areThePods = (kube: Kube, lease: Lease<PodRow>) =>
    expect
      .poll(
        async () => {
          const { items } = await kube.list(kinds.pods)
          const [there, kept] = [items.map(({ metadata }) => metadata?.uid), lease.all().map(({ uid }) => uid)]
          return there.toSorted().join() === kept.toSorted().join()
        },
        { timeout: 30_000 },
      )
      .toBe(true)
  const outages = (reports: [string, Health['state'], unknown][]) =>
    reports.filter(([name, state], at) => name === 'real' && state === 'down' && reports[at - 1]?.[1] !== 'down').length

  test('a killed API server: its list is stale within 30 s and stays readable, and other clusters are not affected', async () => {
    const { cluster, neighbour, lease, reports } = await watched()
    await kill()
    const before = lease.all().map(({ uid }) => uid)
    expect(before).not.toEqual([])
    await expect
      .poll(() => lease.freshness(), { timeout: 30_000 })
      .toMatchObject({
        state: 'stale',
        error: { kind: 'refused' },
      })
    expect(lease.all().map(({ uid }) => uid)).toEqual(before)
    expect(await neighbour.rows('pods')).toMatchObject({ rows: [{ name: 'p' }], freshness: { state: 'live' } })
    expect(outages(reports)).toBe(1)
    startAgain()
    await expect.poll(() => lease.freshness().state, { timeout: 90_000 }).toBe('live')
    await areThePods(cluster.kube, lease)
    expect(reports.filter(([name]) => name === 'other')).toEqual([['other', 'up', undefined]])
  })

  test('a hanging API server: a call ends after 5 s, later ones at once, rows say since when, and all recovers', async () => {
    const { cluster, lease, reports } = await watched()
    const states: Freshness[] = []
    lease.onFreshness((freshness) => states.push(freshness))
    await pause()
    const count = lease.size()
    await expect(cluster.kube.version()).rejects.toMatchObject({ kind: 'timeout' })
    // the failed call puts the open, silent watch in doubt
    await expect.poll(() => lease.freshness()).toMatchObject({ state: 'stale', error: { kind: 'timeout' } })
    const refusals = async () => {
      const all = await Promise.allSettled(Array.from({ length: 50 }, () => cluster.kube.version()))
      return all.every((one) => one.status === 'rejected' && (one.reason as { resting?: boolean }).resting)
    }
    await expect.poll(refusals).toBe(true)
    const { rows, freshness } = await cluster.rows('pods')
    expect([rows.length, freshness.state]).toEqual([count, 'stale'])
    expect(outages(reports)).toBe(1)
    process.kill(pidOf(), 'SIGCONT')
    await expect.poll(() => lease.freshness().state, { timeout: 60_000 }).toBe('live')
    await areThePods(cluster.kube, lease)
  })

  const map = (value: string) => ({
    metadata: { name: 'history', namespace: place.namespace, labels: place.labels },
    data: { value },
  })
  /** The cached config maps of this suite, with the requests that are sent and the reported states. */
  function mapsAt(address: ClusterAddress, timing: Partial<ReflectorTiming> = {}, ahead = 0) {
    const transport = openTransport(address, { admit: admitLocal })
    const requests: string[] = []
    const counted: Transport = {
      ...transport,
      list: async <T>(request: KubeRequest) => {
        const answer = await transport.list<T & { metadata: { resourceVersion: string } }>(request)
        if (!requests.includes('list'))
          answer.metadata.resourceVersion = String(Number(answer.metadata.resourceVersion) + ahead)
        requests.push('list')
        return answer
      },
      stream: (lane, request) => {
        requests.push('watch')
        return transport.stream(lane, request)
      },
    }
    const view = { resource: kinds.configMaps, selection: { namespace: place.namespace } }
    const reflector = openReflector(
      counted,
      { ...view, keep: ({ metadata, data }) => ({ name: metadata?.name, value: data?.['value'] }) },
      { timing },
    )
    open.push(() => reflector.stop(), transport.close)
    const lease = reflector.need()
    const reasons: string[] = []
    lease.onFreshness(({ state, error }) => reasons.push(error?.kind ?? state))
    return { lease, requests, reasons, valueOf: () => lease.all().find(({ name }) => name === 'history')?.value }
  }

  test('after etcd is compacted and the API server restarts: one new list, one watch, and no storm', async () => {
    const { lease, requests, reasons, valueOf } = mapsAt(place.address)
    await place.kube.apply(kinds.configMaps, map('before'))
    await lease.ready(20_000)
    await expect.poll(valueOf).toBe('before')
    expect(requests).toEqual(['list', 'watch'])

    await kill()
    const key = base64('/gantry-test')
    for (let n = 0; n < 20; n++) await ask('put', { key, value: base64(String(n)) })
    const { header } = await ask('deleterange', { key })
    await ask('compaction', { revision: header.revision, physical: true })
    startAgain()
    await expect.poll(answers, { timeout: 90_000 }).toBe(true)
    await place.kube.apply(kinds.configMaps, map('after'))
    await expect.poll(valueOf, { timeout: 60_000 }).toBe('after')
    expect(lease.freshness().state).toBe('live')
    expect(reasons.filter((reason) => reason === 'gone')).toEqual(['gone'])
    expect(requests.filter((what) => what === 'list')).toHaveLength(2)
    expect(requests.at(-1)).toBe('watch')
    // it retried while the server was down, with growing pauses
    expect(requests.length).toBeLessThan(40)
  })

  test('a cluster that a restored backup set back: its silence is noticed, and it is listed again', async () => {
    await place.kube.apply(kinds.configMaps, map('before'))
    // pretends once that the cluster is far ahead: for the watch this is like a restored etcd
    const { lease, requests, valueOf } = mapsAt(place.address, { watch: 5 }, 1_000_000)
    expect((await lease.ready(20_000)).state).toBe('live')
    expect(valueOf()).toBe('before')
    await place.kube.apply(kinds.configMaps, map('after'))
    await expect.poll(valueOf, { timeout: 30_000 }).toBe('after')
    expect(requests.slice(0, 3)).toEqual(['list', 'watch', 'list'])
    await place.kube.apply(kinds.configMaps, map('later'))
    await expect.poll(valueOf).toBe('later')
    expect(requests.filter((what) => what === 'list')).toHaveLength(2)
  })

  test('a watch that the network drops silently is noticed when it should have ended, and continues', async () => {
    const network = await relay('127.0.0.1')
    open.push(() => network.close())
    network.to(place.address.server)
    const address = { ...place.address, server: `https://127.0.0.1:${network.port}` }
    // instead of the product's 300 s, after which it waits 10 s more, well below the 6 minutes that are allowed
    const { lease, requests, reasons, valueOf } = mapsAt(address, { watch: 5 })
    await lease.ready(20_000)
    expect(valueOf()).not.toBe('before')
    // a change after the list arrives through the watch, so the watch is open
    await place.kube.apply(kinds.configMaps, map('before'))
    await expect.poll(valueOf).toBe('before')
    network.forget()
    const before = requests.length
    await place.kube.apply(kinds.configMaps, map('after'))
    await expect.poll(() => lease.freshness(), { timeout: 30_000 }).toMatchObject({ error: { kind: 'timeout' } })
    expect(valueOf()).toBe('before')
    await expect.poll(valueOf, { timeout: 30_000 }).toBe('after')
    expect(lease.freshness().state).toBe('live')
    expect(reasons.filter((reason) => reason === 'timeout')).toEqual(['timeout'])
    // the watch continued, without another full list
    expect(requests.slice(before)).not.toContain('list')
  })

  test('revoked credentials are reported once, the old rows stay, and new credentials recover', async () => {
    const account = `revoked-${run}`
    const { namespace } = place
    const token = () => {
      kubectl('-n', namespace, 'create', 'serviceaccount', account)
      return kubectl('-n', namespace, 'create', 'token', account)
    }
    const binding = `gantry-${account}`
    open.push(() => kubectl('delete', 'clusterrolebinding', binding))
    const addressOf = (text: string) => ({ ...place.address, auth: { kind: 'token', token: text } as const })
    const first = token()
    kubectl('create', 'clusterrolebinding', binding, '--clusterrole=view', `--serviceaccount=${namespace}:${account}`)

    const kube = openKube({ admit: admitLocal })
    open.push(() => kube.close())
    const reports: (string | undefined)[] = []
    kube.onHealth((_, { state, kind }) => reports.push(kind ?? state))
    const cluster = kube.cluster('real', addressOf(first))
    const lease = cluster.need('pods')
    expect((await lease.ready(20_000)).state).toBe('live')

    kubectl('-n', namespace, 'delete', 'serviceaccount', account)
    const refused = async () => {
      const error: unknown = await cluster.kube.list(kinds.pods, { namespace }).catch((reason: unknown) => reason)
      return (error as { kind?: string }).kind
    }
    // the API server caches tokens for some seconds
    await expect.poll(refused, { timeout: 30_000 }).toBe('credentials')
    await expect.poll(() => lease.freshness()).toMatchObject({ state: 'stale', error: { kind: 'credentials' } })
    expect(lease.size()).toBeGreaterThan(0)
    expect(reports).toEqual(['up', 'credentials'])

    kube.cluster('real', addressOf(token()))
    await expect.poll(() => lease.freshness().state, { timeout: 30_000 }).toBe('live')
    await areThePods(cluster.kube, lease)
  })
})
