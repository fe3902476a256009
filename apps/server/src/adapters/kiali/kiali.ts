import { z } from 'zod'
import type { Outbound } from '../outbound/outbound.ts'
import { budgetMs, createReadApi, type ReadAccess, type Reading, urlUnder } from '../outbound/read-api.ts'

export interface GraphQuery {
  namespace: string
  type: 'workload' | 'versionedApp'
  minutes: number
}

export interface KialiNode {
  id: string
  kind: 'workload' | 'service' | 'app' | 'unknown'
  namespace: string
  /** The cluster, if a mesh has several; empty if Kiali names none. */
  cluster: string
  name: string
  version: string
  root: boolean
}

export interface KialiEdge {
  from: string
  to: string
  protocol: string
  rate: number
  errors: number
  p95: number | null
  mtls: number
}

export interface KialiGraph {
  nodes: KialiNode[]
  edges: KialiEdge[]
}

/** The graph of Kiali, read from its API. Each call ends within 5 s; the faults are those of `createReadApi`. */
export interface Kiali {
  graph(access: ReadAccess, query: GraphQuery, signal?: AbortSignal): Promise<KialiGraph>
  /** Returns Kiali's version. Makes one attempt, regardless of the breaker: a user is waiting at a form. */
  verify(access: ReadAccess, signal?: AbortSignal): Promise<{ version: string }>
}

const Node = z.object({
  id: z.string(),
  nodeType: z.string().default(''),
  namespace: z.string().default(''),
  cluster: z.string().default(''),
  workload: z.string().default(''),
  app: z.string().default(''),
  version: z.string().default(''),
  service: z.string().default(''),
  isRoot: z.boolean().default(false),
})
const Traffic = z.object({ protocol: z.string().default(''), rates: z.record(z.string(), z.string()).nullish() })
const Edge = z.object({
  source: z.string(),
  target: z.string(),
  isMTLS: z.string().default(''),
  responseTime: z.string().default(''),
  traffic: Traffic.nullish(),
})
const Graph = z.object({
  elements: z.object({
    nodes: z.array(z.object({ data: Node })).nullish(),
    edges: z.array(z.object({ data: Edge })).nullish(),
  }),
})
const Status = z.object({ status: z.record(z.string(), z.string()).nullish() })
const Namespaces = z.array(z.object({ name: z.string() }))

/** A number from text; 0 if it is none. */
const figure = (text: string | undefined): number => {
  const value = Number(text ?? '')
  return Number.isFinite(value) ? value : 0
}

const unnamed = new Set(['', 'unknown'])

function nodeOf({
  id,
  nodeType,
  namespace,
  cluster,
  workload,
  app,
  version,
  service,
  isRoot,
}: z.infer<typeof Node>): KialiNode {
  const named = (kind: KialiNode['kind'], name: string): KialiNode => ({
    id,
    kind: unnamed.has(name) ? 'unknown' : kind,
    namespace: unnamed.has(namespace) ? '' : namespace,
    cluster: unnamed.has(cluster) ? '' : cluster,
    name: unnamed.has(name) ? '' : name,
    version: unnamed.has(version) ? '' : version,
    root: isRoot,
  })
  if (nodeType === 'workload') return named('workload', workload)
  if (nodeType === 'service') return named('service', service)
  return nodeType === 'app' ? named('app', app || workload) : named('unknown', '')
}

function edgeOf({ source, target, isMTLS, responseTime, traffic }: z.infer<typeof Edge>): KialiEdge {
  const protocol = traffic?.protocol ?? ''
  const rates = traffic?.rates ?? {}
  return {
    from: source,
    to: target,
    protocol,
    rate: figure(rates[protocol]),
    errors: figure(rates[`${protocol}PercentErr`]),
    p95: responseTime === '' ? null : figure(responseTime),
    mtls: figure(isMTLS),
  }
}

/** The cookies of a session, without their attributes. */
const cookiesIn = (header: string): string =>
  [...header.matchAll(/(?:^|,\s*)(kiali[\w-]*=[^;,\s]+)/g)].map(([, cookie]) => cookie).join('; ')

export function createKiali(outbound: Outbound, now: () => number = Date.now): Kiali {
  const api = createReadApi(outbound, 'Kiali', now)

  /** Kiali requires a session where it handles logins itself; behind a proxy that does, the token is enough. */
  async function session({ url, token }: ReadAccess, timeout: number, signal?: AbortSignal): Promise<string> {
    const { status, headers } = await outbound.requestText({
      url: urlUnder(url, 'api/authenticate'),
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token }).toString(),
      timeout,
      redirect: 'manual',
      ...(signal && { signal }),
    })
    return status === 200 ? cookiesIn(headers['set-cookie'] ?? '') : ''
  }

  async function read<S extends z.ZodType>(access: ReadAccess, reading: Reading, shape: S): Promise<z.infer<S>> {
    // several requests together take no longer than one may
    const until = performance.now() + budgetMs
    const left = () => Math.max(1, Math.round(until - performance.now()))
    const answer = await api.ask(access, reading)
    if (answer.status !== 401 || access.token === '') return api.parsed(answer, shape)
    const cookie = await session(access, left(), reading.signal)
    if (cookie === '') return api.parsed(answer, shape)
    return api.parsed(await api.ask(access, { ...reading, headers: { cookie }, timeout: left() }), shape)
  }

  return {
    graph: (access, { namespace, type, minutes }, signal) =>
      api.unlessResting(access, async () => {
        const query = {
          namespaces: namespace,
          graphType: type,
          duration: `${minutes}m`,
          appenders: 'deadNode,responseTime,securityPolicy,serviceEntry',
          responseTime: '95',
          injectServiceNodes: 'false',
        }
        const { elements } = await read(access, { path: 'api/namespaces/graph', query, signal }, Graph)
        return {
          nodes: (elements.nodes ?? []).map(({ data }) => nodeOf(data)),
          edges: (elements.edges ?? []).map(({ data }) => edgeOf(data)),
        }
      }),
    verify: (access, signal) =>
      api.verified(access, async () => {
        // Kiali reports its status without a login, but not its namespaces
        const { status } = await read(access, { path: 'api/status', signal }, Status)
        await read(access, { path: 'api/namespaces', signal }, Namespaces)
        return { version: (status?.['Kiali version'] ?? '').slice(0, 60) }
      }),
  }
}
