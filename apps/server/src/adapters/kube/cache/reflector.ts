import { setTimeout as sleep } from 'node:timers/promises'
import { kubeOver } from '../client.ts'
import type { Page, Selection } from '../client.ts'
import { initialState, nextState } from './reflector-state.ts'
import type { ReflectorEvent } from './reflector-state.ts'
import { isKube, KubeError } from '../errors.ts'
import { refOf } from '../objects.ts'
import type { KubeObject, Ref } from '../objects.ts'
import type { Resource } from '../resources.ts'
import { rowStore } from '../rows/rows.ts'
import type { Cap, Change } from '../rows/rows.ts'
import type { Transport } from '../transport/transport.ts'
import { waits } from '../waits.ts'
import { watch } from './watch.ts'

/** How a kind is cached: `keep` builds a small row of plain data, which does not depend on the time. */
export interface View<T extends KubeObject, Row> {
  resource: Resource<T>
  keep: (object: T) => Row
  selection?: Selection
  cap?: Cap<Row>
}

/**
 * How current the rows are. `loading`: the first list is incomplete. `live`: changes arrive. `stale`: the cluster gives
 * no answer or a wrong one, for the reason in `error`; the rows are as of `since`, the last sign of life (epoch ms).
 */
export interface Freshness {
  state: 'loading' | 'live' | 'stale'
  since: number
  error?: KubeError
}

/** Access to a reflector's rows until it is released. Release it, or use `using`. */
export interface Lease<Row> extends Disposable {
  /** Resolves once the first list is complete or has failed, or after `wait` ms (5,000): then the rows may be shown. */
  ready: (wait?: number) => Promise<Freshness>
  freshness: () => Freshness
  /** The same array as long as no row changes. */
  all: () => readonly Row[]
  inNamespace: (namespace: string) => Row[]
  get: (ref: Ref) => Row | undefined
  size: () => number
  /** Whether the cluster has more objects than the cache keeps. */
  cut: () => boolean
  /**
   * Calls the listener for each change in order, with the first list's rows as `added`. Returns a function that stops
   * it; releasing the lease stops it too.
   */
  on: (listener: (change: Change<Row>) => void) => () => void
  onFreshness: (listener: (freshness: Freshness) => void) => () => void
  release: () => void
}

export interface Reflector<Row> {
  need: () => Lease<Row>
  running: () => boolean
  size: () => number
  /** The cluster answers again: ends the current pause. */
  wake: () => void
  /**
   * Another call to the cluster failed, so an open watch may be dead without notice, or use revoked credentials. It is
   * reopened at its position, and the rows are stale until then.
   */
  doubt: (error: KubeError) => void
  /**
   * Lists again at once, because the credentials or the address changed. Rows stay until the list is complete, unless
   * they are another cluster's (`foreign`).
   */
  restart: (foreign: boolean) => void
  stop: () => void
}

export interface ReflectorTiming {
  /** Duration of one watch, in seconds. */
  watch: number
  /** Ms of silence after a bookmark until the peer counts as dead. */
  quiet: number
  /** Ms that a watch must have been open to count as a success. */
  lived: number
  /** Ms without a lease until the reflector stops and forgets its rows. */
  idle: number
  /** Factor of all pauses; tests shorten them. */
  rest: number
}

const usual: ReflectorTiming = { watch: 300, quiet: 150_000, lived: 30_000, idle: 600_000, rest: 1 }

export interface ReflectorOptions {
  timing?: Partial<ReflectorTiming>
  /** Reports an internal fault: a row that could not be built, a listener that threw. The reflector continues. */
  onFault?: (error: unknown) => void
}

/** The abort reason with which `wake` and `restart` end waits. */
class Woken extends Error {}

/** One list and one watch for all readers of a kind in a cluster. */
export function openReflector<T extends KubeObject, Row>(
  transport: Transport,
  view: View<T, Row>,
  options: ReflectorOptions = {},
): Reflector<Row> {
  const { resource, keep, selection, cap } = view
  if (resource.group === '' && resource.plural === 'secrets') throw new TypeError('Secrets are never kept in memory')
  const timing = { ...usual, ...options.timing }
  const kube = kubeOver(transport)
  const fault = options.onFault ?? (() => {})
  const listeners = new Set<(change: Change<Row>) => void>()
  const watchers = new Set<(freshness: Freshness) => void>()
  const each = <V>(targets: Set<(value: V) => void>, value: V) => {
    for (const listener of targets)
      try {
        listener(value)
      } catch (error) {
        fault(error)
      }
  }
  const store = rowStore<Row>((change) => each(listeners, change), cap)

  let leases = 0
  let idle: NodeJS.Timeout | undefined
  let run: AbortController | undefined
  /** Ends the current pause, or the next one. */
  let nap = new AbortController()
  let watching: AbortController | undefined
  let freshness: Freshness = { state: 'loading', since: Date.now() }
  let contact = Date.now()

  function setFreshness(state: Freshness['state'], error?: KubeError): void {
    if (freshness.state === state && freshness.error?.kind === error?.kind) return
    const since = state === 'live' ? Date.now() : contact
    freshness = { state, since, ...(error && { error }) }
    each(watchers, freshness)
  }

  function put(object: T): void {
    const ref = refOf(object)
    const { uid = '', resourceVersion = '' } = object.metadata ?? {}
    if (store.seen(ref, uid, resourceVersion)) return
    try {
      store.put(ref, uid, resourceVersion, keep(object))
    } catch (error) {
      fault(error)
    }
  }

  /** Reads one page into the store. The first page of a list begins a new generation, the last one ends it. */
  async function list(after: string | undefined, limit: number, signal: AbortSignal): Promise<ReflectorEvent> {
    let page: Page<T>
    try {
      page = await kube.list(resource, selection, { after, limit, signal, budget: waits.page })
      signal.throwIfAborted()
    } catch (error) {
      signal.throwIfAborted()
      if (isKube(error, 'gone')) return gone(error, false)
      if (isKube(error, 'too-large')) return { is: 'heavy' }
      if (error instanceof KubeError) return failed(error, undefined, false)
      throw error
    }
    contact = Date.now()
    if (after === undefined) store.beginList()
    for (const object of page.items) put(object)
    if (page.next === undefined) {
      store.sweep()
      setFreshness('live')
    }
    return { is: 'page', next: page.next, version: page.version }
  }

  async function follow(from: string, signal: AbortSignal): Promise<ReflectorEvent> {
    let version = from
    watching = new AbortController()
    const began = performance.now()
    const passed = () => performance.now() - began
    const lived = () => passed() >= timing.lived
    // random, so that the watches of many kinds do not all end at the same moment
    const seconds = Math.max(1, Math.round(timing.watch * (0.9 + Math.random() / 10)))
    let received = false
    try {
      const batches = watch(transport, resource, {
        ...selection,
        version,
        seconds,
        quiet: timing.quiet,
        signal: AbortSignal.any([signal, watching.signal]),
        opened: () => {
          contact = Date.now()
          setFreshness('live')
        },
      })
      for await (const batch of batches) {
        signal.throwIfAborted()
        contact = Date.now()
        received = true
        for (const event of batch) {
          if (event.type === 'DELETED') store.remove(refOf(event.object))
          else if (event.type !== 'BOOKMARK') put(event.object)
          if (event.version) version = event.version
        }
      }
      // a cluster that was restored from a backup sends nothing until it has caught up with the requested version, not
      // even the bookmark before the end of every watch
      if (!received && passed() >= seconds * 900) return { is: 'gone', lived: lived() }
      return { is: 'ended', version, lived: lived() }
    } catch (error) {
      signal.throwIfAborted()
      if (isKube(error, 'gone')) return gone(error, lived())
      if (error instanceof KubeError) return failed(error, version, lived())
      throw error
    } finally {
      watching = undefined
    }
  }

  function gone(error: KubeError, lived: boolean): ReflectorEvent {
    setFreshness(freshness.state === 'loading' ? 'loading' : 'stale', error)
    return { is: 'gone', lived }
  }

  function failed(error: KubeError, version: string | undefined, lived: boolean): ReflectorEvent {
    setFreshness(freshness.state === 'loading' ? 'loading' : 'stale', error)
    return { is: 'failed', version, lived, retryAfter: error.retryAfter }
  }

  async function repose(wait: number, signal: AbortSignal): Promise<ReflectorEvent> {
    await sleep(wait * timing.rest, undefined, { signal: AbortSignal.any([signal, nap.signal]) }).catch(() => {})
    signal.throwIfAborted()
    return { is: 'rested' }
  }

  async function go({ signal }: AbortController): Promise<void> {
    let state = initialState
    while (!signal.aborted) {
      const { stage } = state
      if (stage.at !== 'resting') nap = new AbortController()
      let what: ReflectorEvent
      try {
        what =
          stage.at === 'listing'
            ? await list(stage.after, stage.limit, signal)
            : stage.at === 'watching'
              ? await follow(stage.version, signal)
              : await repose(stage.wait, signal)
      } catch (error) {
        if (signal.aborted) return
        // an internal fault must not leave listeners without changes for ever
        fault(error)
        const unknown = error instanceof Error ? error.message : String(error)
        what = failed(new KubeError('protocol', transport.server, unknown, { cause: error }), undefined, false)
      }
      state = nextState(state, what, Math.random())
    }
  }

  function start(): void {
    run = new AbortController()
    if (freshness.state === 'loading') freshness = { state: 'loading', since: Date.now() }
    void go(run)
  }

  function halt(): void {
    run?.abort(new Woken())
    run = undefined
  }

  function stop(): void {
    halt()
    clearTimeout(idle)
    store.clear()
    freshness = { state: 'loading', since: Date.now() }
  }

  function ready(wait: number): Promise<Freshness> {
    const settled = () => freshness.state !== 'loading' || freshness.error !== undefined
    if (settled()) return Promise.resolve(freshness)
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        watchers.delete(check)
        resolve(freshness)
      }
      const check = () => settled() && done()
      const timer = setTimeout(done, wait)
      watchers.add(check)
    })
  }

  function need(): Lease<Row> {
    leases += 1
    clearTimeout(idle)
    if (!run) start()
    const off = new Set<() => void>()
    let active = true
    const subscribe = <V>(to: Set<(value: V) => void>, listener: (value: V) => void) => {
      // a new wrapper each time, so that one function may listen twice
      const wrapper = (value: V) => listener(value)
      to.add(wrapper)
      const stopHearing = () => {
        to.delete(wrapper)
        off.delete(stopHearing)
      }
      off.add(stopHearing)
      return stopHearing
    }
    const release = () => {
      if (!active) return
      active = false
      for (const stopHearing of off) stopHearing()
      leases -= 1
      if (leases === 0) idle = setTimeout(stop, timing.idle).unref()
    }
    return {
      ready: (wait = 5000) => ready(wait),
      freshness: () => freshness,
      all: store.all,
      inNamespace: store.inNamespace,
      get: store.get,
      size: () => store.size,
      cut: store.cut,
      on: (listener) => subscribe(listeners, listener),
      onFreshness: (listener) => subscribe(watchers, listener),
      release,
      [Symbol.dispose]: release,
    }
  }

  return {
    need,
    running: () => run !== undefined,
    size: () => store.size,
    wake: () => nap.abort(new Woken()),
    doubt: (error) => watching?.abort(error),
    restart: (foreign) => {
      if (!run) return
      halt()
      if (foreign) {
        // an empty list reports to listeners that all rows are gone
        store.beginList()
        store.sweep()
        freshness = { state: 'loading', since: Date.now() }
      }
      start()
    },
    stop,
  }
}
