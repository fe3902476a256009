import type { monitoring } from '@gantry/contract/monitoring/metrics'
import type { z } from 'zod'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { say, sayReasonTo } from '../../../kernel/phrase.ts'
import { mustUse } from '../../clusters/public.ts'
import { ofCluster } from './promql.ts'
import { findTried } from '../samples/samples.store.ts'
import { accessOf } from '../sources/credentials.service.ts'
import { sayFailure } from '../sources/sources.service.ts'
import { findSource, type StoredSource } from '../sources/sources.store.ts'

type Health = z.output<typeof monitoring.health.data>

/** One metric per host, so that the query is cheap. */
const newest = (cluster: string): string =>
  `max(timestamp(node_memory_MemTotal_bytes${ofCluster({
    cluster,
    host: undefined,
    namespaces: undefined,
    pods: undefined,
    container: undefined,
  })}))`

/** Seconds as a time; null if a Prometheus returns anything else. */
function momentOf(seconds: number | null): string | null {
  const moment = new Date((seconds ?? Number.NaN) * 1000)
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}

async function ofPrometheus(ctx: Ctx, source: StoredSource): Promise<Health> {
  try {
    const [found] = await ctx.ports.prometheus.instant(accessOf(ctx, source), newest(source.cluster), ctx.signal)
    const latest = momentOf(found?.value ?? null)
    return {
      source: 'prometheus',
      healthy: latest !== null,
      message: latest === null ? say(ctx.lang, 'monitoring-none-matching') : '',
      latest,
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { source: 'prometheus', healthy: false, message: sayFailure(ctx, error), latest: null }
  }
}

async function ofSampling(ctx: Ctx, clusterId: string): Promise<Health> {
  const tried = await findTried(ctx.db, clusterId)
  if (!tried) return { source: 'sampled', healthy: false, message: say(ctx.lang, 'monitoring-soon'), latest: null }
  const { sampledAt, fresh } = tried
  const reason = tried.reason ?? tried.podsReason
  return {
    source: sampledAt === null ? 'none' : 'sampled',
    healthy: reason === null && fresh,
    message: reason === null && !fresh ? say(ctx.lang, 'monitoring-stopped') : sayReasonTo(ctx, reason),
    latest: sampledAt,
  }
}

export async function healthOf(ctx: Ctx, clusterId: string, teamId: number): Promise<Health> {
  await mustUse(ctx, clusterId, teamId)
  const source = await findSource(ctx.db, clusterId)
  return source.kind === 'prometheus' ? ofPrometheus(ctx, source) : ofSampling(ctx, clusterId)
}
