import type { User } from './access.ts'
import { isAllowed } from './access.ts'
import type { Call } from './call.ts'
import { send } from './call.ts'
import { readObject } from './resources.ts'

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
  }
}

const path =
  /^\/apis\/authorization\.k8s\.io\/v1\/(?:namespaces\/[^/]+\/)?(selfsubject|subject|localsubject)accessreviews$/

/** Access reviews: whether the caller, or the named user, may do something. Answers false for other paths. */
export async function serveReview(call: Call, pathname: string): Promise<boolean> {
  const found = path.exec(pathname)
  if (!found || call.request.method !== 'POST') return false
  const body = (await readObject(call.request)) as Review
  const asked = body.spec?.resourceAttributes
  const self = found[1] === 'selfsubject'
  const user: User = self ? call.user : { name: body.spec?.user ?? '', groups: body.spec?.groups ?? [] }
  const allowed = asked
    ? isAllowed(call.cluster, user, {
        verb: asked.verb ?? '',
        group: asked.group ?? '',
        resource: asked.resource ?? '',
        subresource: asked.subresource,
        namespace: asked.namespace || undefined,
        name: asked.name,
      })
    : user.groups.includes('system:masters')
  const kind = self
    ? 'SelfSubjectAccessReview'
    : found[1] === 'subject'
      ? 'SubjectAccessReview'
      : 'LocalSubjectAccessReview'
  send(call.response, 201, {
    kind,
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: body.spec ?? {},
    status: { allowed },
  })
  return true
}
