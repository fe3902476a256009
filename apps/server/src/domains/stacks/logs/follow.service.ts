import { setTimeout as sleep } from 'node:timers/promises'
import type { LogSource } from '@gantry/contract/stacks/containers/logs'
import type { z } from 'zod'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import type { ContainerRow, PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { by } from '../../../kernel/in-order.ts'
import { sayTo } from '../../../kernel/phrase.ts'
import { refOf } from '../containers/containers.service.ts'
import { isPodOf, type LogsOf, wants } from './logs-of.ts'
import { openMerge, stampOf, type LogEntry } from './merge.ts'

/** The log of one run of a container: the present run, or the one before its last restart. */
type Source = z.infer<typeof LogSource>

export interface Wanted extends LogsOf {
  /** How many of its last lines each log begins with. */
  quantity: number
  previous: boolean
}

/** How long a line waits for those of other pods. */
const holdMs = 200
/** How long the first lines wait for logs that are still being opened. */
const openingMs = 2_000
/** Nobody reads more logs at once; the team may have 100 streams in total. */
const maxLogs = 50
const againMs = 2_000
const longestAgainMs = 30_000

const hasLog = ({ state, reason }: ContainerRow): boolean => state !== 'waiting' || reason === 'CrashLoopBackOff'

/** Each run of a container has its own log. */
const keyOf = ({ uid }: PodRow, { name, id, restarts }: ContainerRow): string => `${uid}/${name}/${id ?? restarts}`

/** The position in one log, so that reopening it delivers no line twice. */
function openCursor() {
  let [last, atLast, skip] = ['', 0, 0]
  return {
    /** The time from which to reopen it. */
    since: (): string => last,
    begin: (): void => {
      skip = atLast
    },
    isNew: ({ at }: LogEntry, until: string): boolean => {
      if (at === '') return true
      const stamp = stampOf(at)
      if (until !== '' && stamp < stampOf(until)) return false
      if (until !== '' && stamp === stampOf(until) && skip > 0) {
        skip -= 1
        return false
      }
      if (last === '' || stamp > stampOf(last)) [last, atLast] = [at, 1]
      else if (stamp === stampOf(last)) atLast += 1
      return true
    },
  }
}

/**
 * Follows the logs of all pods of a service as one, including new containers, init containers and the run before the
 * last restart. `take` returns the next lines in order.
 */
export function followService(ctx: Ctx, cluster: Cluster, kube: Kube, wanted: Wanted) {
  const merge = openMerge<number>(holdMs)
  const sources = new Map<string, Source>()
  const stops = new Map<string, AbortController>()
  let count = 0
  let begun = false
  /** The logs beyond the limit that are not followed. */
  let left = new Set<string>()
  let changed = true
  let waiting = true
  const patientUntil = Date.now() + openingMs

  const set = (key: string, more: Partial<Source>): void => {
    const source = sources.get(key)
    if (!source) return
    sources.set(key, { ...source, ...more })
    changed = true
  }

  async function follow(
    key: string,
    pod: PodRow,
    container: ContainerRow,
    previous: boolean,
    tail: number | undefined,
  ) {
    const stop = new AbortController()
    stops.set(key, stop)
    const signal = AbortSignal.any([ctx.signal, stop.signal])
    const n = count++
    sources.set(key, {
      n,
      pod: pod.name,
      container: container.name,
      role: container.role,
      previous,
      state: 'connecting',
      reason: '',
    })
    changed = true
    const feed = merge.add(n)
    const cursor = openCursor()
    let wait = againMs
    for (;;) {
      const until = cursor.since()
      cursor.begin()
      try {
        const lines = kube.log(refOf({ pod }), {
          container: container.name,
          previous,
          follow: !previous,
          timestamps: true,
          signal,
          onOpen: () => set(key, { state: 'open', reason: '' }),
          ...(until === '' ? (tail === undefined ? {} : { tail }) : { since: until }),
        })
        for await (const { at = '', text } of lines) {
          const entry = { at, text }
          if (!cursor.isNew(entry, until)) continue
          wait = againMs
          await feed.push(entry)
          signal.throwIfAborted()
        }
        // The cluster also ends the log of a running container, after hours or when its host restarts.
        if (!previous && runs(key, pod)) await pause(againMs, signal)
        if (signal.aborted) break
        if (!previous && runs(key, pod)) continue
        set(key, { state: 'ended', reason: '' })
        break
      } catch (error) {
        if (signal.aborted) break
        // The cluster no longer keeps this run, or does not yet have it.
        if (isKube(error, 'missing') || (isKube(error, 'invalid') && previous)) {
          set(key, { state: 'ended', reason: '' })
          break
        }
        const fault = kubeFault(error)
        if (!(fault instanceof Fault)) ctx.log.warn({ err: error }, 'following a log broke off')
        set(key, { state: 'waiting', reason: fault instanceof Fault ? sayTo(ctx, fault) : '' })
        await pause(wait, signal)
        if (signal.aborted) break
        wait = Math.min(longestAgainMs, wait * 2)
      }
    }
    feed.end()
    // Now there is room for a log that was left out.
    if (left.size > 0 && !signal.aborted) look()
  }

  /** Opens logs of new runs, each of which has its own log; lines that were read of a deleted pod are kept. */
  function look(): void {
    const first = !begun
    begun = true
    const before = left
    left = new Set()
    const own = lease.inNamespace(wanted.namespace).filter((pod) => isPodOf(wanted, pod))
    for (const pod of own.sort(by(({ created }) => created)))
      for (const container of pod.containers) {
        if (!wants(wanted, pod, container) || !hasLog(container)) continue
        const key = keyOf(pod, container)
        if (stops.has(key)) continue
        if (open() >= maxLogs) {
          left.add(key)
          continue
        }
        // A run that begins later is read from its beginning.
        const tail = first || before.has(key) || container.state === 'terminated' ? wanted.quantity : undefined
        // While it waits for a restart, its own log is that of the last run.
        if (first && wanted.previous && container.restarts > 0 && container.state === 'running')
          void follow(`${key}/previous`, pod, container, true, wanted.quantity)
        void follow(key, pod, container, false, tail)
      }
    changed = true
  }
  /** Whether the run of this log is still running. */
  const runs = (key: string, { uid }: PodRow): boolean =>
    lease
      .inNamespace(wanted.namespace)
      .some(
        (pod) =>
          pod.uid === uid &&
          pod.containers.some((container) => container.state === 'running' && keyOf(pod, container) === key),
      )
  const open = (): number => [...sources.values()].filter(({ state }) => state !== 'ended').length

  const lease = cluster.need('pods')
  lease.on(({ row }) => {
    if (begun && isPodOf(wanted, row)) look()
  })
  const ready = lease.ready(5_000).then(look)

  return {
    ready,
    /** The next lines in order; at first none until every log has been opened, for up to openingMs. */
    take: (most: number, maxLength: number) => {
      waiting &&= Date.now() < patientUntil && [...sources.values()].some(({ state }) => state === 'connecting')
      return waiting ? [] : merge.take(most, maxLength)
    },
    /** The logs that are followed, if they have changed since the last call. */
    news: (): { sources: Source[]; left: number } | undefined => {
      if (!changed) return undefined
      changed = false
      return { sources: [...sources.values()].slice(-200), left: left.size }
    },
    close: (): void => {
      lease.release()
      for (const stop of stops.values()) stop.abort()
      merge.close()
    },
  }
}

/** Ends early if the log is no longer followed. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)
