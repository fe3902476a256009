import { createHmac } from 'node:crypto'
import type { Cluster } from '../cluster.ts'
import { sameValue } from '../objects/record.ts'
import type { Secret } from '../objects/types.ts'
import { keyOf, type Controller } from './loop.ts'

const home = 'kube-system'
const type = 'bootstrap.kubernetes.io/token'
const info = { namespace: 'kube-public', name: 'cluster-info' }
const prefix = 'jws-kubeconfig-'

const entry = ({ data }: Secret, key: string): string => Buffer.from(data?.[key] ?? '', 'base64').toString('utf8')

/** A detached signature: JWS compact, HS256, with the token's secret as its key. */
function signature(content: string, id: string, secret: string): string {
  const encoded = (text: string): string => Buffer.from(text).toString('base64url')
  const head = encoded(JSON.stringify({ alg: 'HS256', kid: id }))
  const sum = createHmac('sha256', secret)
    .update(`${head}.${encoded(content)}`)
    .digest('base64url')
  return `${head}..${sum}`
}

/** Signs the cluster's published address with every bootstrap token, so that a holder of a token can verify it. */
function sign({ store }: Cluster): void {
  const map = store.get('configmaps', info.namespace, info.name)
  const content = map?.data?.['kubeconfig']
  if (!map || content === undefined) return
  const rest = Object.entries(map.data ?? {}).filter(([key]) => !key.startsWith(prefix))
  const data: Record<string, string> = Object.fromEntries(rest)
  for (const secret of store.list('secrets', home)) {
    const [id, key] = [entry(secret, 'token-id'), entry(secret, 'token-secret')]
    const meant = secret.type === type && entry(secret, 'usage-bootstrap-signing') === 'true'
    if (meant && id && key) data[`${prefix}${id}`] = signature(content, id, key)
  }
  if (!sameValue(data, map.data)) store.put('configmaps', { ...map, data })
}

/** Tokens for machines that join: they expire, and sign the cluster's address. */
export const bootstrapTokens: Controller = {
  name: 'bootstrap tokens',
  affected(_, { resource, object }) {
    const { namespace, name } = object.metadata
    if (resource === 'configmaps') return namespace === info.namespace && name === info.name ? [keyOf(object)] : []
    return resource === 'secrets' && namespace === home && (object as Secret).type === type ? [keyOf(object)] : []
  },
  reconcile(cluster, namespace, name, later) {
    const secret = namespace === home ? cluster.store.get('secrets', namespace, name) : undefined
    const left = secret ? Date.parse(entry(secret, 'expiration')) - cluster.now() : NaN
    if (left <= 0) cluster.store.remove('secrets', namespace, name)
    else later(left)
    sign(cluster)
  },
}
