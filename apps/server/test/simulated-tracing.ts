import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface GivenSpan {
  id: string
  parent?: string
  service: string
  operation?: string
  /** Namespace from the collector; without it only the service's name tells where it runs. */
  namespace?: string
  /** Microseconds after the start of its trace. */
  at?: number
  duration?: number
  tags?: Record<string, string | number | boolean>
  process?: Record<string, string>
  log?: string
}

const tagsOf = (values: object) =>
  Object.entries(values).map(([key, value]: [string, unknown]) => ({ key, type: typeof value, value }))

/** A trace in the format of Jaeger 1.76. */
export function jaegerTrace(traceID: string, start: number, spans: readonly GivenSpan[]) {
  const processes = Object.fromEntries(
    spans.map(({ service, namespace, process = {} }, at) => [
      `p${at}`,
      {
        serviceName: service,
        tags: tagsOf({ ...(namespace !== undefined && { 'k8s.namespace.name': namespace }), ...process }),
      },
    ]),
  )
  return {
    traceID,
    processes,
    spans: spans.map(({ id, parent, operation = 'GET /', at = 0, duration = 1000, tags = {}, log }, index) => ({
      traceID,
      spanID: id,
      operationName: operation,
      references: parent === undefined ? [] : [{ refType: 'CHILD_OF', traceID, spanID: parent }],
      startTime: start * 1000 + at,
      duration,
      tags: tagsOf(tags),
      logs: log === undefined ? [] : [{ timestamp: start * 1000 + at, fields: tagsOf({ event: log }) }],
      processID: `p${index}`,
      warnings: null,
    })),
  }
}

/**
 * The calls of Jaeger and Kiali that the product makes, in memory, with recorded answers of Jaeger 1.76 and Kiali 1.89.
 * `traces.services.test.ts` tests the calls against a real Jaeger.
 */
export async function simulatedTracing() {
  const simulated = {
    url: '',
    traces: [] as ReturnType<typeof jaegerTrace>[],
    graph: { nodes: [] as object[], edges: [] as object[] },
    /** Required authorization of every call but a status; empty for none. */
    authorization: '',
    /** Authorization for Kiali's own login, which returns a session. */
    sessionFor: '',
    /** Never answers. */
    silent: false,
    /** Answers all calls. */
    instead: undefined as { status: number; body: string } | undefined,
    asked: [] as { path: string; query: URLSearchParams; authorization: string }[],
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  const says = (
    span: (typeof simulated.traces)[number]['spans'][number],
    tags: Record<string, string>,
    process: object[],
  ) =>
    Object.entries(tags).every(([key, value]) =>
      [...span.tags, ...(process as typeof span.tags)].some((tag) => tag.key === key && String(tag.value) === value),
    )
  function searched(query: URLSearchParams) {
    const tags = JSON.parse(query.get('tags') ?? '{}') as Record<string, string>
    const [start, end] = [Number(query.get('start')), Number(query.get('end'))]
    return simulated.traces
      .filter(({ spans, processes }) =>
        spans.some((span) => {
          const process = processes[span.processID]
          return (
            process?.serviceName === query.get('service') &&
            says(span, tags, process.tags) &&
            (query.get('operation') ?? span.operationName) === span.operationName &&
            span.startTime >= start &&
            span.startTime <= end
          )
        }),
      )
      .sort((a, b) => (b.spans[0]?.startTime ?? 0) - (a.spans[0]?.startTime ?? 0))
      .slice(0, Number(query.get('limit')))
  }
  function answer(path: string, query: URLSearchParams): unknown {
    const names = new Set(
      simulated.traces.flatMap(({ processes }) => Object.values(processes).map((p) => p.serviceName)),
    )
    if (path === '/api/services') return { data: [...names], errors: null }
    if (path === '/api/traces') return { data: searched(query), errors: null }
    if (path.startsWith('/api/traces/')) {
      const found = simulated.traces.filter(({ traceID }) => path.endsWith(`/${traceID}`))
      return found.length === 0 ? undefined : { data: found, errors: null }
    }
    if (path === '/api/status') return { status: { 'Kiali version': 'v1.89.0', 'Kiali state': 'running' } }
    if (path === '/api/namespaces') return [{ name: 'default', cluster: 'Kubernetes' }]
    if (path === '/api/namespaces/graph')
      return {
        timestamp: 1,
        duration: 300,
        graphType: query.get('graphType'),
        elements: {
          nodes: simulated.graph.nodes.map((data) => ({ data })),
          edges: simulated.graph.edges.map((data) => ({ data })),
        },
      }
    return undefined
  }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x')
      const { authorization = '', cookie = '' } = request.headers
      simulated.asked.push({ path: pathname, query: searchParams, authorization })
      if (simulated.silent) return
      const say = (status: number, told: unknown, headers = {}) =>
        response
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(typeof told === 'string' ? told : JSON.stringify(told))
      if (simulated.instead) return say(simulated.instead.status, simulated.instead.body)
      if (pathname === '/api/authenticate' && new URLSearchParams(body).get('token') === simulated.sessionFor)
        return say(200, {}, { 'set-cookie': 'kiali-token-aes=sealed; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT' })
      const isIn = simulated.sessionFor === '' || pathname === '/api/status' || cookie === 'kiali-token-aes=sealed'
      if (!isIn || (simulated.authorization !== '' && authorization !== simulated.authorization))
        return say(401, 'Unauthorized')
      const told = answer(pathname, searchParams)
      if (told !== undefined) return say(200, told)
      return pathname.startsWith('/api/traces/')
        ? say(404, { data: null, errors: [{ code: 404, msg: 'trace not found' }] })
        : say(404, '404 page not found')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  simulated.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return simulated
}
