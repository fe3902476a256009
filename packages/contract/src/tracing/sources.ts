import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { uuid } from '../ids.ts'
import { hasOneCredential, oneCredentialSaid, sourceFields } from '../monitoring/metrics.ts'
import { clusterTopic } from '../clusters/topics.ts'
import { madeOn, Revision } from '../revision.ts'

/** The servers for a cluster's traces and service mesh. */
export const SourceKind = z.enum(['jaeger', 'kiali'])
export type SourceKind = z.infer<typeof SourceKind>

/** Its credentials are masked; without an address there is no source. */
export const TracingSource = z.object({
  url: z.string(),
  username: z.string(),
  password: z.string(),
  token: z.string(),
  /** If one server covers several clusters: this cluster's name there. */
  cluster: z.string(),
  /** The version that the server reported when it was saved; may be empty. */
  version: z.string(),
  revision: Revision,
})
export type TracingSource = z.infer<typeof TracingSource>

/** A token, or a user name and a password, or neither. An empty address removes the source. */
export const TracingSourceInput = z.strictObject(sourceFields).refine(hasOneCredential, oneCredentialSaid)
export type TracingSourceInput = z.infer<typeof TracingSourceInput>

export const tracingSources = {
  get: endpoint({
    method: 'GET',
    path: '/resource-manager/api/environments/:env/tracing/:kind',
    access: 'admin',
    summary: 'The Jaeger or the Kiali of a cluster',
    params: z.strictObject({ env: uuid, kind: SourceKind }),
    data: TracingSource,
    topics: [clusterTopic],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/resource-manager/api/environments/:env/tracing/:kind',
    access: 'admin',
    audit: 'environment.tracing',
    summary:
      'Set the Jaeger or the Kiali of a cluster; it is asked before it is saved. Without an address there is none',
    params: z.strictObject({ env: uuid, kind: SourceKind }),
    body: TracingSourceInput.safeExtend(madeOn),
    data: TracingSource,
    topics: [clusterTopic],
  }),
}
