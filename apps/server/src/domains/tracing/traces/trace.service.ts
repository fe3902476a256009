import type { Span, Trace } from '@gantry/contract/tracing/traces'
import type { JaegerSpan } from '../../../adapters/jaeger/answers.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import type { StackRow } from '../../stacks/public.ts'
import { asking } from '../sources/sources.service.ts'
import { hasFailed, ownNamespaceOf, plainName, type Scope, tagOf } from './belonging.ts'
import { servicesOfTeam, type TeamService } from '../sources/team-services.read.ts'
import { isoOf, spanOfTime } from './summary.ts'
import { scopeOf } from './traces.service.ts'

/** Maximum of spans in a readable waterfall. */
const maxSpans = 1500

/** Tags in which a collector names the workload of a span; they take precedence over the span's own name. */
const workloadTags = ['k8s.deployment.name', 'k8s.statefulset.name', 'k8s.daemonset.name', 'k8s.cronjob.name']

function placeOf(span: JaegerSpan, namespace: string, services: readonly TeamService[]): Span['place'] {
  const names = [...workloadTags.map((key) => tagOf(span.process, key)), plainName(span.service)]
  const found = services.find((one) => one.namespace === namespace && names.includes(one.name))
  if (!found) return null
  const { namespace: _, ...place } = found
  return place
}

/** A span of another team keeps only its place and its duration. */
function toSpan(span: JaegerSpan, start: number, scope: Scope, services: readonly TeamService[]): Span {
  const namespace = ownNamespaceOf(span, scope)
  const place = { id: span.id, parent: span.parent, offset: span.start - start, duration: span.duration }
  if (namespace === undefined) {
    const nothing = {
      service: '',
      operation: '',
      namespace: '',
      pod: '',
      error: false,
      tags: [],
      process: [],
      logs: [],
    }
    return { ...place, ...nothing, hidden: true, place: null }
  }
  return {
    ...place,
    hidden: false,
    service: span.service,
    operation: span.operation,
    namespace,
    pod: tagOf(span.process, 'k8s.pod.name') ?? '',
    error: hasFailed(span),
    tags: span.tags,
    process: span.process,
    logs: span.logs.map(({ at, fields }) => ({ offset: at - start, fields })),
    place: placeOf(span, namespace, services),
  }
}

/** A trace; 404 if it has no span of the team. */
export async function traceOf(
  ctx: Ctx,
  stack: StackRow,
  traceId: string,
): Promise<{ unset: boolean; notice: string; trace: Trace | null }> {
  const { unset, notice, value } = await asking(ctx, stack.envId, 'jaeger', async (access, cluster) => {
    const [found, scope, services] = await Promise.all([
      ctx.ports.jaeger.trace(access, traceId, ctx.signal),
      scopeOf(ctx, stack, cluster),
      servicesOfTeam(ctx.db, stack.envId, stack.teamId),
    ])
    if (!found?.spans.some((span) => ownNamespaceOf(span, scope) !== undefined))
      throw new Fault('missing', 'resource-missing')
    const { start, duration } = spanOfTime(found.spans)
    return {
      traceId: found.traceId,
      startedAt: isoOf(start),
      duration,
      spans: found.spans.slice(0, maxSpans).map((span) => toSpan(span, start, scope, services)),
      truncated: found.spans.length > maxSpans,
    }
  })
  return { unset, notice, trace: value ?? null }
}
