import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import { waits } from '../../../adapters/kube/waits.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { by } from '../../../kernel/in-order.ts'
import { refOf } from '../containers/containers.service.ts'
import { isPodOf, type LogsOf, wants } from './logs-of.ts'
import { stampOf } from './merge.ts'

interface Search extends LogsOf {
  text: string
  quantity: number
}

interface Found {
  at: string
  text: string
  pod: string
  container: string
  previous: boolean
}

/** How many logs are read at once; below, how long a reader waits for all of them. */
const atOnce = 4
const longest = 20_000
/** A matching line is displayed up to this length. */
const longestLine = 4096

/**
 * Searches all that the cluster keeps of a service's logs for a text, ignoring case. Of each log, only the last matches
 * are held.
 */
export async function searchLogs(ctx: Ctx, cluster: Cluster, kube: Kube, search: Search) {
  const { rows } = await cluster.rows('pods', search.namespace, waits.round)
  const logs = rows
    .filter((pod) => isPodOf(search, pod))
    .flatMap((pod) =>
      pod.containers
        .filter((container) => wants(search, pod, container))
        .flatMap((container) => [
          ...(container.restarts > 0 && container.state === 'running' ? [{ pod, container, previous: true }] : []),
          { pod, container, previous: false },
        ]),
    )
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(longest)])
  const needle = search.text.toLowerCase()
  const found: Found[] = []
  const unread = new Set<string>()
  let [read, hits] = [0, 0]

  const one = async ({ pod, container, previous }: (typeof logs)[number]): Promise<void> => {
    const own: Found[] = []
    try {
      for await (const { at = '', text } of kube.log(refOf({ pod }), {
        container: container.name,
        previous,
        timestamps: true,
        signal,
      })) {
        read += 1
        if (!text.toLowerCase().includes(needle)) continue
        hits += 1
        own.push({ at, text: text.slice(0, longestLine), pod: pod.name, container: container.name, previous })
        if (own.length > search.quantity * 2) own.splice(0, own.length - search.quantity)
      }
    } catch (error) {
      if (ctx.signal.aborted) throw error
      // a container that has not started has no log, and that of an earlier run is not kept forever
      if (!isKube(error, 'invalid') && !isKube(error, 'missing')) unread.add(`${pod.name}/${container.name}`)
    }
    found.push(...own.slice(-search.quantity))
  }
  const next = logs.values()
  const work = async (): Promise<void> => {
    for (const log of next) await one(log)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const lines = found
    .map((line) => ({ line, stamp: stampOf(line.at) }))
    .sort(by(({ stamp }) => stamp))
    .slice(-search.quantity)
    .map(({ line }) => line)
  return { lines, found: hits, read, unread: [...unread] }
}
