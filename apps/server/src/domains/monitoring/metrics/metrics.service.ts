import type { Expression, Measured } from '@gantry/contract/monitoring/metrics'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { mustUse, namespacesOf, namespacesSeen } from '../../clusters/public.ts'
import { namedExpressions } from './expressions.ts'
import { measured } from './measure.service.ts'
import type { RangeInput } from './range.ts'
import { clusterNamed, serviceOf } from './scope.read.ts'

interface Narrowed {
  host?: string | undefined
  namespace?: string | undefined
  service?: number | undefined
  pod?: string | undefined
  container?: string | undefined
}

const missing = (): Fault => new Fault('missing', 'resource-missing')

async function clusterName(ctx: Ctx, clusterId: string): Promise<string> {
  const found = mustExist(await clusterNamed(ctx.db, clusterId))
  return found.name
}

/** The team's own namespaces, by our database: labels in a cluster do not decide who owns a pod. */
export async function measuredForTeam(
  ctx: Ctx,
  of: { teamId: number; environment: string; expression: Expression },
  narrowed: Narrowed,
  period: RangeInput,
): Promise<Measured> {
  const { teamId, environment, expression } = of
  await mustUse(ctx, environment, teamId)
  const { scope } = namedExpressions[expression]
  const { host, namespace, pod, container } = narrowed
  if (scope === 'cluster' || scope === 'host') {
    const where = {
      host: scope === 'host' ? host : undefined,
      namespaces: undefined,
      pods: undefined,
      container: undefined,
    }
    return measured(ctx, { environment, expression, where, period, name: await clusterName(ctx, environment) })
  }
  const own = await namespacesOf(ctx.db, environment, [teamId])
  if (namespace !== undefined && !own.includes(namespace)) throw missing()
  const service =
    narrowed.service === undefined
      ? undefined
      : await serviceOf(ctx.db, { teamId, environment, serviceId: narrowed.service })
  if (narrowed.service !== undefined && !service) throw missing()
  if (scope === 'service' && !service) throw new Fault('invalid', 'monitoring-service-needed')
  if (service && namespace !== undefined && service.namespace !== namespace) throw missing()
  const namespaces = service ? [service.namespace] : namespace === undefined ? own : [namespace]
  const detailed = scope === 'container' || scope === 'service'
  const pods = !detailed ? undefined : pod !== undefined ? { is: pod } : service && { of: service.name }
  const where = { host: undefined, namespaces, pods, container: detailed ? container : undefined }
  return measured(ctx, { environment, expression, where, period, name: service?.name ?? '' })
}

/** Figures of the cluster, its hosts, and the namespaces that the caller may see. */
export async function measuredOfCluster(
  ctx: Ctx,
  of: { environment: string; expression: Expression },
  { host, namespace }: Narrowed,
  period: RangeInput,
): Promise<Measured> {
  const { environment, expression } = of
  const { scope } = namedExpressions[expression]
  if (scope === 'service' || scope === 'container') throw new Fault('invalid', 'monitoring-cluster-only')
  const seen =
    scope === 'namespace' ? await namespacesSeen(ctx, environment, 'resource_clustermetrics_view') : undefined
  if (namespace !== undefined && seen !== undefined && !seen.has(namespace)) throw missing()
  const namespaces = scope !== 'namespace' ? undefined : namespace !== undefined ? [namespace] : seen && [...seen]
  const where = { host: scope === 'host' ? host : undefined, namespaces, pods: undefined, container: undefined }
  return measured(ctx, { environment, expression, where, period, name: await clusterName(ctx, environment) })
}
