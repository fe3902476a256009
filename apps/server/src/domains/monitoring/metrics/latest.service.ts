import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { latestSampled, type LatestUse, type Measurable } from '../samples/latest.read.ts'
import { findTried } from '../samples/samples.store.ts'
import { accessOf } from '../sources/credentials.service.ts'
import { findSource, type StoredSource } from '../sources/sources.store.ts'
import { namedExpressions, rateWindow } from './expressions.ts'
import { podPattern } from './promql.ts'

const stepSeconds = 60
/** Maximum of series requested from a Prometheus: instances of the services of one cluster. */
const maxSeries = 5_000

async function fromPrometheus(
  ctx: Ctx,
  source: StoredSource,
  services: readonly Measurable[],
): Promise<LatestUse[] | undefined> {
  const where = {
    cluster: source.cluster,
    host: undefined,
    namespaces: [...new Set(services.map(({ namespace }) => namespace))],
    pods: undefined,
    container: undefined,
  }
  const owners = services.map(({ id, name, namespace }) => ({
    id,
    name,
    namespace,
    pods: new RegExp(`^(${podPattern(name)})$`),
  }))
  const byPlace = Map.groupBy(owners, ({ namespace, name }) => `${namespace}/${name}`)
  const end = Math.floor(Date.now() / 1000) * 1000
  const ask = async (resource: LatestUse['resource']): Promise<LatestUse[]> => {
    const query = namedExpressions[`container_${resource}_usage`].promql(where, rateWindow(stepSeconds))
    const request = { query, start: end, end, stepSeconds, limit: maxSeries }
    const matrix = await ctx.ports.prometheus.range(accessOf(ctx, source), request, ctx.signal)
    return matrix.flatMap(({ metric, points }) => {
      const pod = metric['pod'] ?? ''
      const value = points.at(-1)?.[1]
      const of = byPlace.get(`${metric['namespace']}/${metric['container']}`)?.find(({ pods }) => pods.test(pod))
      return of && typeof value === 'number' ? [{ service: of.id, resource, pod, value }] : []
    })
  }
  try {
    return (await Promise.all([ask('cpu'), ask('memory')])).flat()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    ctx.log.warn({ err: error }, 'a Prometheus was not read')
    return undefined
  }
}

/**
 * The present usage of the main containers of these services, one figure per instance, from the source of the charts.
 * Undefined if the source does not answer.
 */
export async function latestUse(
  ctx: Ctx,
  clusterId: string,
  services: readonly Measurable[],
): Promise<LatestUse[] | undefined> {
  const source = await findSource(ctx.db, clusterId)
  if (source.kind === 'prometheus') return fromPrometheus(ctx, source, services)
  const tried = await findTried(ctx.db, clusterId)
  const tells = tried?.fresh === true && tried.reason === null && tried.podsReason === null
  return tells ? latestSampled(ctx.db, clusterId, services) : undefined
}
