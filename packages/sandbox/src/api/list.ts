import type { Cluster } from '../cluster.ts'
import { apiVersionOf, type Kind } from '../objects/kinds.ts'
import { parseFieldSelector, parseLabelSelector } from '../objects/selectors.ts'
import { ApiError, badRequest, expired } from '../objects/status.ts'
import type { Obj } from '../objects/types.ts'
import { integer } from './request.ts'

export interface ListBody {
  kind: string
  apiVersion: string
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number }
  items: Obj[]
}

/** The predicate of a query's `labelSelector` and `fieldSelector`. */
export function selection(kind: Kind, query: URLSearchParams): (object: Obj) => boolean {
  const labels = query.get('labelSelector')
  const fields = query.get('fieldSelector')
  const byLabel = labels ? parseLabelSelector(labels) : undefined
  const byField = fields ? parseFieldSelector(fields, kind.resource) : undefined
  return (object) => (byLabel?.(object.metadata.labels) ?? true) && (byField?.(object) ?? true)
}

const keyOf = ({ metadata }: Obj): string => `${metadata.namespace ?? ''}/${metadata.name}`

interface Token {
  v: 'meta.k8s.io/v1'
  rv: number
  start: string
}

function readToken(text: string): Token {
  try {
    const token = JSON.parse(Buffer.from(text, 'base64url').toString()) as Token
    if (token.v === 'meta.k8s.io/v1' && typeof token.rv === 'number' && typeof token.start === 'string') return token
  } catch {
    // Refused below, like any other text that no list has answered.
  }
  throw badRequest('invalid continue token: continue key is not valid: server does not recognize this encoded version ')
}

/**
 * A list, or one page of it. Pages after the first are read from the present state, but have the first page's version:
 * a watch from that version repeats the changes in between, and misses none.
 */
export function listObjects(
  cluster: Cluster,
  kind: Kind,
  namespace: string | undefined,
  query: URLSearchParams,
): ListBody {
  const { store } = cluster
  const limit = integer(query, 'limit') ?? 0
  const selected = selection(kind, query)
  const token = query.get('continue')
  const requested = query.get('resourceVersion')
  if (token && requested && requested !== '0')
    throw badRequest('resource version is not allowed when continue is specified')
  checkVersion(store.version(), requested)

  let version = store.version()
  let objects = store.list(kind.resource, namespace)
  if (token) {
    const { rv, start } = readToken(token)
    if (store.since(rv) === undefined)
      throw expired(
        'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
      )
    version = rv
    objects = objects.filter((object) => keyOf(object) > start)
  }
  const found = objects.filter(selected)
  const items = limit > 0 ? found.slice(0, limit) : found
  const left = found.length - items.length
  const last = items.at(-1)
  const next: Token | undefined =
    left > 0 && last ? { v: 'meta.k8s.io/v1', rv: version, start: keyOf(last) } : undefined
  return {
    kind: `${kind.kind}List`,
    apiVersion: apiVersionOf(kind),
    metadata: {
      resourceVersion: String(version),
      ...(next ? { continue: Buffer.from(JSON.stringify(next)).toString('base64url') } : {}),
      // With a selector the real server gives no count of the remaining items.
      ...(next && !query.get('labelSelector') && !query.get('fieldSelector') ? { remainingItemCount: left } : {}),
    },
    // Items of a list do not repeat their kind.
    // the items of custom kinds say what they are, those of others do not
    items: kind.custom ? items : items.map(({ kind: _, apiVersion: __, ...rest }) => rest as Obj),
  }
}

function checkVersion(current: number, requested: string | null): void {
  if (!requested) return
  if (!/^\d+$/.test(requested)) throw badRequest(`invalid resource version: ${requested}`)
  if (Number(requested) > current)
    throw new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    })
}
