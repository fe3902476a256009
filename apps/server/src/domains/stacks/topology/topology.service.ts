import { pageCap } from '@gantry/contract/paging'
import type { Topology, TopologyLink } from '@gantry/contract/stacks/topology'
import type { Ctx } from '../../../kernel/context.ts'
import { compareNames } from '../../../kernel/in-order.ts'
import { summaries } from '../services/live.service.ts'
import { servicesOf } from '../services/services.store.ts'
import { shownStack } from '../stacks/stacks.service.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import { claimNamed, linksOf } from './links.ts'

/** A stack's present services and their dependencies, from their documents and one read of the cluster. */
export async function topologyOf(ctx: Ctx, stack: StackRow): Promise<Topology> {
  const all = await servicesOf(ctx.db, stack.id)
  const rows = all.slice(0, pageCap)
  const services = await summaries(ctx, [stack], rows)
  const names = new Set(rows.map(({ name }) => name))
  const opened = services.flatMap(({ name, type, addresses }) =>
    type === 'lb' || type === 'ingress'
      ? addresses
          .filter(({ external }) => external)
          .map(({ url, name: by }): TopologyLink => ({ kind: 'opens', from: name, to: url, by }))
      : [],
  )
  const links = [...rows.flatMap((row) => linksOf(row, names, stack.namespace)), ...opened]
  const sizes = new Map(
    rows.flatMap((row) =>
      (row.spec.volumes ?? []).flatMap((volume) =>
        volume.type === 'claim' ? [[claimNamed(row, volume.name), volume.size] as const] : [],
      ),
    ),
  )
  const claims = new Set(links.flatMap(({ kind, to }) => (kind === 'mounts' ? [to] : [])))
  return {
    stack: await shownStack(ctx, stack, all),
    services,
    claims: [...claims].sort(compareNames).map((name) => ({ name, size: sizes.get(name) ?? '' })),
    links,
    truncated: all.length > rows.length,
  }
}
