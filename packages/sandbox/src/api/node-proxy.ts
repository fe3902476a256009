import { isDown, isSimulated } from '../node/hollow.ts'
import { nodeLog, type NodeLogQuery } from '../node/node-log.ts'
import type { Node } from '../objects/nodes.ts'
import { ApiError, notAllowed } from '../objects/status.ts'
import { sendText, type ResourceCall } from './call.ts'
import { mustFind } from './write.ts'

/** A node with this annotation has a kubelet without log queries, which is the default of kubelets. */
const noQueryAnnotation = 'sandbox.gantry.dev/no-log-query'

const folder = ['containers/', 'pods/', 'syslog']

/** The kubelet's log folder, as Go's file server shows it. */
const listing = `<!doctype html>
<meta name="viewport" content="width=device-width">
<pre>
${folder.map((name) => `<a href="${name}">${name}</a>`).join('\n')}
</pre>
`

/** A problem of a query, answered in the kubelet's way: as text, not as a Status. */
class Unfit extends Error {}

function moment(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (!text) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new Unfit(`${name}: Invalid value: "${text}": invalid time format`)
  return time
}

function parseQuery(query: URLSearchParams): NodeLogQuery {
  const [since, until] = [moment(query, 'sinceTime'), moment(query, 'untilTime')]
  if (since !== undefined && until !== undefined && since > until)
    throw new Unfit(`untilTime: Invalid value: "${query.get('untilTime') ?? ''}": must be after \`sinceTime\``)
  const tail = query.get('tailLines') || undefined
  if (tail !== undefined && !/^\d{1,6}$/.test(tail))
    throw new Unfit(`tailLines: Invalid value: "${tail}": must be greater than or equal to 0`)
  const pattern = query.get('pattern')
  return {
    services: query.getAll('query').flatMap((text) => text.split(',')),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(tail === undefined ? {} : { tail: Number(tail) }),
    ...(pattern ? { pattern: new RegExp(pattern, 'i') } : {}),
  }
}

function unreachable({ status }: Node): ApiError {
  const address = status.addresses?.find(({ type }) => type === 'InternalIP')?.address
  return address === undefined
    ? new ApiError(500, '', 'no preferred addresses found; known addresses: []')
    : new ApiError(
        503,
        'ServiceUnavailable',
        `error trying to reach service: dial tcp ${address}:10250: connect: no route to host`,
      )
}

/** `GET …/nodes/{name}/proxy/logs/`: the logs of a node by its kubelet's query, or the log folder. */
export function serveNodeProxy(call: ResourceCall): void {
  const { cluster, target, request, response, query } = call
  const [name = ''] = (target.name ?? '').split(':')
  const node = mustFind(cluster, target.kind, undefined, name) as Node
  if (!isSimulated(node) || isDown(node)) throw unreachable(node)
  if (request.method !== 'GET') throw notAllowed()
  const [root, ...rest] = target.rest.split('/').filter((part) => part !== '')
  const file = rest.join('/')
  // A kubelet gives its logs no type, so only clients that accept any type get them.
  const taken = (request.headers.accept ?? '*/*').split(',').map((range) => range.split(';')[0]?.trim())
  if (root === 'logs' && !taken.includes('*/*'))
    return sendText(response, 406, '406: Not Acceptable\n\nAvailable representations: ')
  if (root === 'healthz' && file === '') return sendText(response, 200, 'ok')
  if (root !== 'logs') return sendText(response, 404, '404 page not found\n')
  const queried = query.has('query') && node.metadata.annotations?.[noQueryAnnotation] !== 'true'
  try {
    if (queried) return sendText(response, 200, nodeLog(cluster, node, parseQuery(query)))
  } catch (error) {
    if (error instanceof Unfit) return sendText(response, 400, `${error.message}\n`)
    throw error
  }
  if (file === 'syslog') return sendText(response, 200, nodeLog(cluster, node, { services: ['syslog'] }))
  if (file !== '') return sendText(response, 404, '404 page not found\n')
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(listing) })
  response.end(listing)
}
