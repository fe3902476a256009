import { type Attributes, isAllowed, refuse, rulesOf, type User } from './access.ts'
import type { Call } from './call.ts'
import { send } from './call.ts'
import { readObject } from './resources.ts'
import { badRequest } from '../objects/status.ts'

interface Review {
  spec?: {
    resourceAttributes?: {
      verb?: string
      group?: string
      resource?: string
      subresource?: string
      namespace?: string
      name?: string
    }
    nonResourceAttributes?: { path?: string; verb?: string }
    user?: string
    groups?: string[]
    namespace?: string
  }
}

/** The kinds by their plurals. */
const kinds: Record<string, string> = {
  selfsubjectaccessreviews: 'SelfSubjectAccessReview',
  subjectaccessreviews: 'SubjectAccessReview',
  localsubjectaccessreviews: 'LocalSubjectAccessReview',
  selfsubjectrulesreviews: 'SelfSubjectRulesReview',
  selfsubjectreviews: 'SelfSubjectReview',
}

const path = /^\/apis\/(authentication|authorization)\.k8s\.io\/v1\/(?:namespaces\/([^/]+)\/)?([a-z]+reviews)$/

function isAllowedIn({ cluster, user }: Call, { spec }: Review, kind: string): boolean {
  const attributes = spec?.resourceAttributes
  const of: User = kind === 'SelfSubjectAccessReview' ? user : { name: spec?.user ?? '', groups: spec?.groups ?? [] }
  if (!attributes) return of.groups.includes('system:masters')
  return isAllowed(cluster, of, {
    verb: attributes.verb ?? '',
    group: attributes.group ?? '',
    resource: attributes.resource ?? '',
    subresource: attributes.subresource,
    namespace: attributes.namespace || undefined,
    name: attributes.name,
  })
}

function statusOf(call: Call, review: Review, kind: string): object {
  const { cluster, user } = call
  if (kind === 'SelfSubjectReview') return { userInfo: { username: user.name, groups: user.groups } }
  if (kind !== 'SelfSubjectRulesReview') return { allowed: isAllowedIn(call, review, kind) }
  const namespace = review.spec?.namespace
  if (!namespace) throw badRequest('no namespace on request')
  const rules = [...rulesOf(cluster, user, namespace)]
  return {
    resourceRules: rules.filter(({ nonResourceURLs }) => !nonResourceURLs),
    nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs),
    incomplete: false,
  }
}

/** Reviews of a user's identity and permissions. Answers false for other paths. */
export async function serveReview(call: Call, pathname: string): Promise<boolean> {
  const [, name = '', namespace, plural = ''] = path.exec(pathname) ?? []
  const kind = kinds[plural]
  if (kind === undefined || call.request.method !== 'POST') return false
  const group = `${name}.k8s.io`
  const wanted: Attributes = { verb: 'create', group, resource: plural, namespace }
  if (!isAllowed(call.cluster, call.user, wanted)) refuse(call.user, wanted, { group, plural })
  const review = (await readObject(call.request)) as Review
  const status = statusOf(call, review, kind)
  // The real server does not repeat the spec of these.
  const spec =
    kind === 'SelfSubjectReview' ? {} : { spec: kind === 'SelfSubjectRulesReview' ? {} : (review.spec ?? {}) }
  send(call.response, 201, { kind, apiVersion: `${group}/v1`, metadata: {}, ...spec, status })
  return true
}
