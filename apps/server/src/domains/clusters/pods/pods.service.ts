import { type pods, podSorts } from '@gantry/contract/clusters/pods'
import type { z } from 'zod'
import { waits } from '../../../adapters/kube/waits.ts'
import type { EventRow } from '../../../adapters/kube/rows/cluster-rows.ts'
import type { Freshness } from '../../../adapters/kube/cache/reflector.ts'
import type { RowOf, ViewName } from '../../../adapters/kube/cache/views.ts'
import { sorting } from '../../../db/list.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { by, inOrder, reversed, thenBy } from '../../../kernel/in-order.ts'
import { type Page, page } from '../../../kernel/paging.ts'
import { clusterOf } from '../environments/connect.service.ts'
import { ageOf } from '../live/freshness.ts'
import { stacksThere } from './pods.read.ts'
import { podFilter, podOrder, shownPod } from './pods.rows.ts'
import { namespacesSeen } from '../live/visibility.service.ts'

/** The rows of a kind that the caller may see, as a new array. */
async function rowsSeen<Name extends ViewName>(
  ctx: Ctx,
  env: string,
  view: Name,
  permission: string,
): Promise<{ rows: RowOf<Name>[]; freshness: Freshness; cut: boolean }> {
  const [cluster, seen] = [await clusterOf(ctx, env), await namespacesSeen(ctx, env, permission)]
  return cluster.rows(view, seen, waits.rows)
}

/** A page of rows that are already counted: a cached list has an exact total. */
const answer = <T>(items: T[], total: number, { requestPage, pageSize, offset, all }: Page) => ({
  items,
  requestPage,
  pageSize,
  totalSize: total,
  ...(all && total > offset + items.length ? { truncated: true } : {}),
})

export async function listPods(ctx: Ctx, env: string, query: z.output<(typeof pods.list)['query']>) {
  const at = page(query)
  const { by: column, direction } = sorting<(typeof podSorts)[number]>(query.sort, podSorts)
  const { rows, freshness } = await rowsSeen(ctx, env, 'pods', 'resource_pod_view')
  const matching = rows.filter(podFilter(query))
  const counts = new Map<string, number>()
  for (const { status } of matching) counts.set(status, (counts.get(status) ?? 0) + 1)
  const found = query.status === undefined ? matching : matching.filter(({ status }) => status === query.status)
  const items = inOrder(found, podOrder(column, direction), at.offset, at.offset + at.limit)
  const namespaces = [...new Set(items.map(({ namespace }) => namespace))]
  const stacks = await stacksThere(ctx.db, env, { namespaces })
  return {
    ...answer(
      items.map((row) => shownPod(row, stacks.get(row.namespace))),
      found.length,
      at,
    ),
    statuses: Array.from(counts, ([status, count]) => ({ status, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, 50),
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
  const { rows, freshness, cut } = await rowsSeen(ctx, env, 'events', 'resource_event_view')
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
