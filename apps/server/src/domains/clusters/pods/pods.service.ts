import { type pods, podSorts } from '@gantry/contract/clusters/pods'
import type { z } from 'zod'
import { waits } from '../../../adapters/kube/waits.ts'
import type { PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import type { EventRow } from '../../../adapters/kube/rows/cluster-rows.ts'
import { sorting } from '../../../db/list.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { by, inOrder, reversed, thenBy } from '../../../kernel/in-order.ts'
import { type Page, page } from '../../../kernel/paging.ts'
import { clusterOf } from '../clusters/connect.service.ts'
import { ageOf } from '../live/freshness.ts'
import { stacksThere } from './pods.read.ts'
import { podFilter, podOrder, shownPod } from './pods.rows.ts'
import { namespacesSeen } from '../live/visibility.service.ts'

/** The pods that the caller may see. A caller who sees all gets the same array until something changes. */
async function podsSeen(ctx: Ctx, env: string) {
  const [cluster, seen] = [await clusterOf(ctx, env), await namespacesSeen(ctx, env, 'resource_pod_view')]
  return cluster.lend('pods', async (lease) => {
    const freshness = await lease.ready(waits.rows)
    return { rows: seen ? [...seen].flatMap(lease.inNamespace) : lease.all(), freshness }
  })
}

/** A page of rows that are already counted, so that the total is exact. */
const answer = <T>(items: T[], total: number, { requestPage, pageSize, offset, all }: Page) => ({
  items,
  requestPage,
  pageSize,
  totalSize: total,
  ...(all && total > offset + items.length ? { truncated: true } : {}),
})

type PodsQuery = z.output<(typeof pods.list)['query']>

interface PodsFound {
  items: PodRow[]
  total: number
  statuses: { status: string; count: number }[]
}

function findPods(rows: readonly PodRow[], query: PodsQuery, { offset, limit }: Page): PodsFound {
  const { by: column, direction } = sorting<(typeof podSorts)[number]>(query.sort, podSorts)
  const matching = rows.filter(podFilter(query))
  const counts = new Map<string, number>()
  for (const { status } of matching) counts.set(status, (counts.get(status) ?? 0) + 1)
  const found = query.status === undefined ? matching : matching.filter(({ status }) => status === query.status)
  return {
    items: inOrder(found, podOrder(column, direction), offset, offset + limit),
    total: found.length,
    statuses: Array.from(counts, ([status, count]) => ({ status, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, 50),
  }
}

/**
 * Cached pages of an array of rows by query: readers of one cluster look at the same few. Other rights have another
 * array, and every change creates a new one, so nothing is shared between rights or outlives its rows.
 */
const pagesOf = new WeakMap<readonly PodRow[], Map<string, PodsFound>>()
const maxPages = 100

function pageOfPods(rows: readonly PodRow[], query: PodsQuery, at: Page): PodsFound {
  const { sort, keyword, namespace, host, status } = query
  const key = JSON.stringify([at.offset, at.limit, sort, keyword, namespace, host, status])
  const pages = pagesOf.get(rows) ?? new Map<string, PodsFound>()
  const known = pages.get(key)
  if (known) return known
  const found = findPods(rows, query, at)
  if (pages.size >= maxPages) pages.clear()
  pagesOf.set(rows, pages.set(key, found))
  return found
}

export async function listPods(ctx: Ctx, env: string, query: PodsQuery) {
  const at = page(query)
  const { rows, freshness } = await podsSeen(ctx, env)
  const { items, total, statuses } = pageOfPods(rows, query, at)
  const namespaces = [...new Set(items.map(({ namespace }) => namespace))]
  const stacks = await stacksThere(ctx.db, env, { namespaces })
  return {
    ...answer(
      items.map((row) => shownPod(row, stacks.get(row.namespace))),
      total,
      at,
    ),
    statuses,
    age: ageOf(ctx, freshness),
  }
}

const latestFirst = thenBy<EventRow>(
  reversed(by((row) => row.last)),
  by((row) => row.uid),
)

export async function listEvents(ctx: Ctx, env: string, query: z.output<(typeof pods.events)['query']>) {
  const at = page(query)
  const word = query.keyword?.trim().toLowerCase() ?? ''
  const [cluster, seen] = [await clusterOf(ctx, env), await namespacesSeen(ctx, env, 'resource_event_view')]
  const { rows, freshness, cut } = await cluster.rows('events', seen, waits.rows)
  const found = rows.filter(
    ({ type, reason, message, about, namespace }) =>
      (query.type === undefined || type === query.type) &&
      (query.namespace === undefined || (about.namespace || namespace) === query.namespace) &&
      (query.kind === undefined || about.kind === query.kind) &&
      (word === '' ||
        about.name.includes(word) ||
        reason.toLowerCase().includes(word) ||
        message.toLowerCase().includes(word)),
  )
  const items = inOrder(found, latestFirst, at.offset, at.offset + at.limit).map((row) => ({
    uid: row.uid,
    type: row.type,
    reason: row.reason,
    message: row.message,
    namespace: row.about.namespace,
    kind: row.about.kind,
    name: row.about.name,
    count: row.count,
    first: row.first,
    last: row.last,
    source: row.source,
  }))
  return { ...answer(items, found.length, at), ...(cut && { truncated: true }), age: ageOf(ctx, freshness) }
}
