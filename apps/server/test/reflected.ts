import type { ServerResponse } from 'node:http'
import { afterEach, expect } from 'vitest'
import { openReflector } from '../src/adapters/kube/cache/reflector.ts'
import type { Freshness, ReflectorTiming } from '../src/adapters/kube/cache/reflector.ts'
import { configMaps } from '../src/adapters/kube/resources.ts'
import type { Change } from '../src/adapters/kube/rows/rows.ts'
import { openTransport } from '../src/adapters/kube/transport/transport.ts'
import { admitLocal, fakeApi, reply } from './kube-api.ts'
import type { Answer } from './kube-api.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

interface Row {
  name: string
  value: string
}

interface Stored {
  apiVersion: 'v1'
  kind: 'ConfigMap'
  metadata: { name: string; namespace: string; uid: string; resourceVersion: string }
  data: { value: string }
}

export const map = (name: string, value: string, version: number, namespace = 'n'): Stored => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, uid: `uid-${name}`, resourceVersion: String(version) },
  data: { value },
})

export const line = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`
export const bookmark = (version: number) =>
  line('BOOKMARK', { kind: 'ConfigMap', metadata: { resourceVersion: String(version) } })

/** A reflector of an API server that lists `objects` by pages, and whose watches the test writes to. Ends with it. */
export async function reflected(objects: Stored[], timing: Partial<ReflectorTiming> = {}) {
  const watches: { from: string; response: ServerResponse }[] = []
  const normal: Answer = ({ query }, response) => {
    if (query.get('watch') === 'true') {
      watches.push({ from: query.get('resourceVersion') ?? '', response })
      response.writeHead(200).flushHeaders()
      return
    }
    const from = Number(query.get('continue') ?? 0)
    const to = from + Number(query.get('limit'))
    const next = to < objects.length ? { continue: String(to) } : {}
    reply(response, { metadata: { resourceVersion: '100', ...next }, items: objects.slice(from, to) })
  }
  const api = await fakeApi(normal)
  const transport = openTransport(api.address, { admit: admitLocal })
  const faults: unknown[] = []
  const reflector = openReflector(
    transport,
    {
      resource: configMaps,
      keep: ({ metadata, data }): Row => {
        if (data?.['value'] === 'poison') throw new Error('cannot be kept')
        return { name: metadata?.name ?? '', value: data?.['value'] ?? '' }
      },
    },
    { timing: { rest: 0.01, ...timing }, onFault: (error) => faults.push(error) },
  )
  open.push(async () => {
    reflector.stop()
    await transport.close()
    await api[Symbol.asyncDispose]()
  })
  const lists = () => api.seen.filter(({ query }) => !query.has('watch'))
  /** Waits for the nth watch (from 1). */
  const watch = async (nth: number) => {
    await expect.poll(() => watches.length).toBeGreaterThanOrEqual(nth)
    const found = watches[nth - 1]
    if (!found) throw new Error(`no watch ${nth}`)
    return found
  }
  return { api, transport, reflector, watches, watch, lists, faults, normal }
}

/** A lease that records everything it reports. */
export function listening<
  R extends { need: () => ReturnType<Awaited<ReturnType<typeof reflected>>['reflector']['need']> },
>(reflector: R) {
  const lease = reflector.need()
  const changes: string[] = []
  const states: Freshness[] = []
  lease.on(({ type, row }: Change<Row>) => changes.push(`${type} ${row.name}=${row.value}`))
  lease.onFreshness((freshness) => states.push(freshness))
  return { lease, changes, states }
}

export const values = (lease: { all: () => readonly Row[] }) =>
  Object.fromEntries(lease.all().map(({ name, value }) => [name, value]))
export const settle = (ms = 150) => new Promise((resolve) => setTimeout(resolve, ms))
