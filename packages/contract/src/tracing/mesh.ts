import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { StackName } from '../stacks/spec.ts'
import { clusterTopic } from '../clusters/topics.ts'

/** A node of the traffic: a workload, a service in front of one, an app, or something unknown to the mesh. */
export const MeshNode = z.object({
  /** Unique within this answer. */
  id: z.string(),
  kind: z.enum(['workload', 'service', 'app', 'unknown']),
  /** Empty if it is hidden. */
  name: z.string(),
  namespace: z.string(),
  version: z.string(),
  /** It belongs to another team, or to the cluster: only its traffic is shown. */
  hidden: z.boolean(),
  /** Its service in this stack; null: none. */
  serviceId: z.number().nullable(),
  /** It is called only from outside the mesh. */
  root: z.boolean(),
})
export type MeshNode = z.infer<typeof MeshNode>

export const MeshEdge = z.object({
  from: z.string(),
  to: z.string(),
  /** http, grpc, tcp; empty without traffic. */
  protocol: z.string(),
  /** Requests per second; for tcp, bytes per second. */
  rate: z.number(),
  /** Failed requests in percent. */
  errors: z.number(),
  /** The 95th percentile of the request time in milliseconds; null if nothing was measured. */
  p95: z.number().nullable(),
  /** The percentage of the traffic that the mesh encrypts. */
  mtls: z.number(),
})
export type MeshEdge = z.infer<typeof MeshEdge>

export const Mesh = z.object({
  /** The cluster has no Kiali. */
  unset: z.boolean(),
  /** Why there is no data, in the caller's language. */
  notice: z.string(),
  nodes: z.array(MeshNode),
  edges: z.array(MeshEdge),
  /** The graph has more than can be drawn. */
  truncated: z.boolean(),
})
export type Mesh = z.infer<typeof Mesh>

/** The choices for the period of the traffic, in minutes. */
export const meshMinutes = [1, 5, 10, 30, 60, 360] as const

export const mesh = {
  graph: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/stacks/:stackName/mesh',
    access: { team: 'teamId', permission: ['stack_stack_view', 'stack_service_view'] },
    summary: 'The traffic in the service mesh to, from and within a stack, over the last minutes',
    params: z.strictObject({ teamId: id, envId: uuid, stackName: StackName }),
    query: z.strictObject({
      type: z.enum(['workload', 'versionedApp']).default('workload'),
      minutes: z.coerce
        .number()
        .refine((given) => meshMinutes.some((one) => one === given), 'tracing-minutes')
        .default(5),
    }),
    data: Mesh,
    topics: [clusterTopic],
  }),
}
