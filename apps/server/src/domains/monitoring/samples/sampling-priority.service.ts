import { kubeFault } from '../../../adapters/kube/faults.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { clusterOf, mustUse } from '../../clusters/public.ts'
import { podPattern } from '../metrics/promql.ts'
import { serviceOf } from '../metrics/scope.read.ts'
import { putWish } from '../sources/sources.store.ts'

interface Prioritized {
  teamId: number
  environment: string
  stack: number | string
  serviceId: number
  /** Uid or name of a pod, or name of a container. */
  container: string
}

/** From the next sample on the container precedes unprioritized ones, as do those of later pods. */
export async function measureFirst(ctx: Ctx, of: Prioritized): Promise<null> {
  await mustUse(ctx, of.environment, of.teamId)
  const service = mustExist(await serviceOf(ctx.db, of))
  note(ctx, { object: `${service.stackName}/${service.name}`, after: { container: of.container } })
  const { rows, freshness } = await (await clusterOf(ctx, of.environment)).rows('pods', service.namespace, 5000)
  const pods = new RegExp(`^${podPattern(service.name)}$`)
  const own = rows.filter(({ name }) => pods.test(name))
  const found =
    own.find(({ uid, name }) => uid === of.container || name === of.container)?.containers.find(isMain) ??
    own.flatMap(({ containers }) => containers).find(({ name }) => name === of.container)
  if (!found) throw freshness.error ? kubeFault(freshness.error) : new Fault('missing', 'resource-missing')
  await putWish(ctx.db, service.id, found.name, ctx.actor.name)
  return null
}

const isMain = ({ role }: { role: string }): boolean => role === 'main'
