import { spanOf } from '@gantry/contract/monitoring/metrics'
import { tagsIn, type traces, type Traces } from '@gantry/contract/tracing/traces'
import type { z } from 'zod'
import type { JaegerTrace } from '../../../adapters/jaeger/answers.ts'
import type { TraceSearch } from '../../../adapters/jaeger/jaeger.ts'
import type { ReadAccess } from '../../../adapters/outbound/read-api.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { compareNames } from '../../../kernel/in-order.ts'
import { say } from '../../../kernel/phrase.ts'
import { namespacesOf } from '../../clusters/public.ts'
import type { StackRow } from '../../stacks/public.ts'
import { asking, sayFailure } from '../sources/sources.service.ts'
import { isIn, plainName, type Scope } from './belonging.ts'
import { servicesOfTeam } from '../sources/team-services.read.ts'
import { isWanted, summaryOf, type Wanted } from './summary.ts'

type Filter = z.output<typeof traces.list.query>

const dayMs = 86_400_000
const longestMs = 31 * dayMs
/** Time limit of all searches of a page together. */
const budgetMs = 5000
/** Jaeger is searched service by service; at most so many for one page. */
const maxServices = 24
const atOnce = 6

export const scopeOf = async (ctx: Ctx, { envId, teamId }: StackRow, cluster: string): Promise<Scope> => ({
  own: new Set(await namespacesOf(ctx.db, envId, [teamId])),
  cluster,
})

/** A stack that does not hold its namespace yet has no traces. */
const isOwn = ({ own }: Scope, { namespace }: StackRow): boolean => own.has(namespace)

function timeOf({ start, end, type, duration }: Pick<Filter, 'start' | 'end' | 'type' | 'duration'>, now: number) {
  const to = end === 0 ? now : Math.min(end, now)
  const from = start === 0 ? to - (type === 'RANGE' ? longestMs : spanOf(type, duration)) : start
  if (from >= to) throw new Fault('invalid', 'range-order')
  return { start: Math.max(from, to - longestMs, 0), end: to }
}

/** A service in Jaeger, and why its spans may be the stack's: its own name, or a tag of the collector. */
interface Candidate {
  service: string
  tags: Record<string, string>
}

const candidate = (service: string, namespace: string): Candidate => ({
  service,
  tags: isIn(service, namespace) ? {} : { 'k8s.namespace.name': namespace },
})

/** Services that are likely the stack's come first. */
function candidatesOf(names: readonly string[], namespace: string, services: ReadonlySet<string>): Candidate[] {
  const rank = (name: string): number =>
    isIn(name, namespace) ? 0 : services.has(name) ? 1 : plainName(name) === name ? 2 : 3
  return names.toSorted((a, b) => rank(a) - rank(b) || compareNames(a, b)).map((name) => candidate(name, namespace))
}

interface Found {
  found: JaegerTrace[]
  /** Whether a search has more results than it returned. */
  more: boolean
  notices: string[]
}

/** Searches these services, some concurrently, within the time limit; a failing search lacks only its own results. */
async function searchAll(ctx: Ctx, access: ReadAccess, searches: readonly TraceSearch[]): Promise<Found> {
  const within = AbortSignal.any([ctx.signal, AbortSignal.timeout(budgetMs)])
  const found = new Map<string, JaegerTrace>()
  const notices = new Set<string>()
  let more = false
  const waiting = [...searches]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      try {
        const answer = await ctx.ports.jaeger.search(access, next, within)
        more ||= answer.length >= next.limit
        for (const trace of answer) found.set(trace.traceId, trace)
      } catch (error) {
        ctx.signal.throwIfAborted()
        if (error instanceof Fault) notices.add(sayFailure(ctx, error, 'jaeger'))
        else if (within.aborted) notices.add(say(ctx.lang, 'tracing-slow'))
        else throw error
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { found: [...found.values()], more, notices: [...notices] }
}

async function candidates(ctx: Ctx, access: ReadAccess, stack: StackRow): Promise<Candidate[]> {
  const [names, services] = await Promise.all([
    ctx.ports.jaeger.services(access, ctx.signal),
    servicesOfTeam(ctx.db, stack.envId, stack.teamId),
  ])
  const own = services.flatMap(({ namespace, name }) => (namespace === stack.namespace ? [name] : []))
  return candidatesOf(names, stack.namespace, new Set(own))
}

export async function tracesOfStack(ctx: Ctx, stack: StackRow, filter: Filter): Promise<Traces> {
  const { service, operation, status, minDuration, maxDuration, limit } = filter
  const { start, end } = timeOf(filter, Date.now())
  const tags = tagsIn(filter.tags) ?? {}
  const { namespace } = stack
  const wanted: Wanted = { namespace, service, operation, failed: status === 'error', minDuration, maxDuration, tags }
  const { unset, notice, value } = await asking(ctx, stack.envId, 'jaeger', async (access, cluster) => {
    const scope = await scopeOf(ctx, stack, cluster)
    if (!isOwn(scope, stack)) return undefined
    const all = service === '' ? await candidates(ctx, access, stack) : [candidate(service, namespace)]
    const searches = all.slice(0, maxServices).map((one) => ({
      service: one.service,
      operation,
      tags: { ...tags, ...(status === 'error' && { error: 'true' }), ...one.tags },
      minDuration,
      maxDuration,
      start,
      end,
      limit,
    }))
    const { found, more, notices } = await searchAll(ctx, access, searches)
    if (all.length > maxServices) notices.push(say(ctx.lang, 'tracing-many-services', { count: maxServices }))
    const items = found
      .filter(({ spans }) => spans.some((span) => isWanted(span, wanted, cluster)))
      .map((trace) => summaryOf(trace, scope))
      .sort((a, b) =>
        a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : compareNames(a.traceId, b.traceId),
      )
    return { items: items.slice(0, limit), truncated: more || items.length > limit, notice: notices.join(' ') }
  })
  return {
    unset,
    notice: notice || (value?.notice ?? ''),
    items: value?.items ?? [],
    truncated: value?.truncated ?? false,
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
  }
}

interface Names {
  unset: boolean
  notice: string
  names: string[]
}

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort(compareNames)

/** Names that occur in the stack's spans in the latest traces of these services. */
async function namesSeen(
  ctx: Ctx,
  stack: StackRow,
  { access, cluster }: { access: ReadAccess; cluster: string },
  { among, limit, of }: { among: readonly Candidate[]; limit: number; of: 'service' | 'operation' },
): Promise<string[]> {
  const end = Date.now()
  const searches = among.slice(0, maxServices).map((one) => ({ ...one, start: end - dayMs, end, limit }))
  const { found } = await searchAll(ctx, access, searches)
  return found.flatMap(({ spans }) =>
    spans.flatMap((span) => {
      const isCandidate = of === 'service' || among.some(({ service }) => service === span.service)
      const wanted = { namespace: stack.namespace, service: '', operation: '', failed: false, tags: {} }
      return isCandidate && isWanted(span, { ...wanted, minDuration: 0, maxDuration: 0 }, cluster) ? [span[of]] : []
    }),
  )
}

/** Services of a stack with traces: by name those of its namespace, others if a span belongs to the stack. */
export async function tracedServices(ctx: Ctx, stack: StackRow): Promise<Names> {
  const { unset, notice, value } = await asking(ctx, stack.envId, 'jaeger', async (access, cluster) => {
    if (!isOwn(await scopeOf(ctx, stack, cluster), stack)) return []
    const all = await candidates(ctx, access, stack)
    const named = all.flatMap(({ service }) => (isIn(service, stack.namespace) ? [service] : []))
    const others = all.filter(({ service }) => !isIn(service, stack.namespace))
    // with several clusters the namespace in a name may be another cluster's
    const sure = cluster === '' ? named : []
    const among = cluster === '' ? others : all
    return [...sure, ...(await namesSeen(ctx, stack, { access, cluster }, { among, limit: 1, of: 'service' }))]
  })
  return { unset, notice, names: sorted(value ?? []) }
}

/** Operations of a service. If other teams may use its name too, they come from its spans in the stack. */
export async function tracedOperations(ctx: Ctx, stack: StackRow, service: string): Promise<Names> {
  const { unset, notice, value } = await asking(ctx, stack.envId, 'jaeger', async (access, cluster) => {
    if (!isOwn(await scopeOf(ctx, stack, cluster), stack)) return []
    const among = [candidate(service, stack.namespace)]
    return namesSeen(ctx, stack, { access, cluster }, { among, limit: 50, of: 'operation' })
  })
  return { unset, notice, names: sorted(value ?? []) }
}
