import { type FakeApi, fakeApi, refuse, reply, type Seen } from './kube-api.ts'
import type { ServerResponse } from 'node:http'

/** How a fake cluster describes itself; may be changed at any time. */
export interface Said {
  version: { major: string; minor: string; gitVersion: string }
  nodes: { cpu: string; memory: string; pods: string }[]
  /** Used CPU and memory per node; a number is the status of a refusal, undefined means no metrics server. */
  metrics: { cpu: string; memory: string }[] | number | undefined
  /** Whether the account may do `verb resource.group/subresource`. */
  may: (right: string) => boolean
  /** The user that the credentials authenticate. */
  user: string
  /** If set, every call is answered with this status. */
  broken: number | undefined
}

const healthy = (): Said => ({
  version: { major: '1', minor: '34', gitVersion: 'v1.34.2' },
  nodes: [
    { cpu: '4', memory: '8Gi', pods: '110' },
    { cpu: '3500m', memory: '7Gi', pods: '110' },
  ],
  metrics: undefined,
  may: () => true,
  user: 'gantry',
  broken: undefined,
})

const reasons: Record<number, string> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  503: 'ServiceUnavailable',
}

interface Attributes {
  verb: string
  group: string
  resource: string
  subresource?: string
}

function answer(said: Said, { path, query, body }: Seen, response: ServerResponse): void {
  const refused = (status: number) => refuse(response, status, reasons[status] ?? '', `refused with ${status}`)
  if (said.broken !== undefined) return refused(said.broken)
  if (path === '/version') return reply(response, said.version)
  if (path.endsWith('/selfsubjectaccessreviews')) {
    const { spec } = JSON.parse(body) as { spec: { resourceAttributes: Attributes } }
    const { verb, group, resource, subresource } = spec.resourceAttributes
    const right = `${verb} ${resource}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`
    return reply(response, { ...spec, status: { allowed: said.may(right) } }, 201)
  }
  if (path.endsWith('/selfsubjectrulesreviews')) {
    const resourceRules = said.may('* *.*') ? [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] : []
    return reply(response, { status: { resourceRules, nonResourceRules: [], incomplete: false } }, 201)
  }
  if (path.endsWith('/selfsubjectreviews'))
    return reply(response, { status: { userInfo: { username: said.user } } }, 201)
  if (path === '/api/v1/nodes') {
    if (!said.may('list nodes')) return refused(403)
    const limit = Number(query.get('limit'))
    const from = Number(query.get('continue') ?? 0)
    const items = said.nodes.slice(from, from + limit)
    const rest = said.nodes.length - from - items.length
    const metadata = rest > 0 ? { continue: String(from + limit), remainingItemCount: rest } : {}
    return reply(response, {
      metadata: { resourceVersion: '7', ...metadata },
      items: items.map((allocatable, at) => ({ metadata: { name: `n${from + at}` }, status: { allocatable } })),
    })
  }
  if (path.startsWith('/apis/metrics.k8s.io/')) {
    if (typeof said.metrics !== 'object') return refused(said.metrics ?? 404)
    return reply(response, { metadata: {}, items: said.metrics.map((usage) => ({ usage })) })
  }
  // the account may not read the identity of the cluster
  if (path === '/api/v1/namespaces/kube-system') return refused(403)
  return refused(404)
}

/** A fake API server that answers the calls made when a cluster is added and checked. */
export async function clusterApi(
  tls?: Parameters<typeof fakeApi>[1],
): Promise<FakeApi & { said: Said; heal: () => void }> {
  const said = healthy()
  const api = await fakeApi((seen, response) => answer(said, seen, response), tls)
  const { uid } = api
  const heal = () => {
    api.uid = uid
    Object.assign(said, healthy())
  }
  return Object.assign(api, { said, heal })
}
