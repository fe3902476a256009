import { entriesOf, type Outward } from '@gantry/contract/stacks/outward'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { clusterOf } from '../../clusters/public.ts'
import { groupFor } from '../outward/entrance.service.ts'
import { dividesBy } from '../services/objects/routes.ts'
import type { Divided } from '../services/objects/service-objects.ts'
import type { ServiceRow } from '../services/services.store.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import { copyName } from './copy.ts'
import { openCopies, type WayIn, waysIn } from './ways-in.store.ts'

const entriesTo = (outward: Outward | undefined, name: string) =>
  entriesOf(outward).filter(({ targets }) => targets.some(({ service }) => service === name))

/** The services of its stack that open ways in to a service. */
export const routesTo = async (db: Db, { stackId, name }: Pick<ServiceRow, 'stackId' | 'name'>): Promise<WayIn[]> =>
  (await waysIn(db, stackId)).filter(({ outward }) => entriesTo(outward, name).length > 0)

/** How requests to the services of a stack that have a copy are currently divided, by service name. */
export async function dividedIn(db: Db, stackId: number): Promise<Map<string, Divided>> {
  const divided = new Map<string, Divided>()
  for (const { name, copy, podRevision: revision } of await openCopies(db, stackId)) {
    if (!copy?.directions) continue
    const { only, weight } = copy.directions
    const next = weight === null ? null : { name: copyName(name), revision, weight, header: copy.header }
    divided.set(name, { only, copy: next })
  }
  return divided
}

/** The ways in that can send a part of the requests to a service's copy; if none can, why. Queries the cluster. */
export async function dividableWays(
  ctx: Ctx,
  stack: StackRow,
  name: string,
): Promise<{ ways: WayIn[]; why: Fault | undefined }> {
  const all = await routesTo(ctx.db, { stackId: stack.id, name })
  if (all.length === 0)
    return { ways: [], why: new Fault('conflict', 'stacks-gray-no-ways', { name, stack: stack.name }) }
  try {
    const { kube } = await clusterOf(ctx, stack.envId)
    const ways: WayIn[] = []
    const groups = new Set<string>()
    for (const way of all) {
      const { outward } = way
      const group = await groupFor(kube, outward && 'group' in outward ? outward.group : undefined, {
        ...stack,
        id: way.id,
      })
      if (entriesTo(outward, name).some((entry) => dividesBy(entry, group))) ways.push(way)
      else if (group.way !== 'none') groups.add(`${group.group} (${group.controller})`)
    }
    if (ways.length > 0) return { ways, why: undefined }
    const vars = { name, ways: all.map((way) => way.name).join(', '), groups: [...groups].join(', ') || '-' }
    return { ways, why: new Fault('conflict', 'stacks-gray-ways-cannot', vars) }
  } catch (error) {
    throw kubeFault(error)
  }
}

/** Throws if no way in can send a part of the requests to a copy of the service. */
export async function mustDivide(ctx: Ctx, stack: StackRow, name: string): Promise<void> {
  const { why } = await dividableWays(ctx, stack, name)
  if (why) throw why
}
