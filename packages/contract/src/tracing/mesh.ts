import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { StackName } from '../stacks/spec.ts'
import { clusterTopic } from '../clusters/topics.ts'

/** What takes part in the traffic: a workload, a service in front of one, an app, or what the mesh does not know. */
export const MeshNode = z.object({
  /** Within this answer. */
  id: z.string(),
  kind: z.enum(['workload', 'service', 'app', 'unknown']),
  /** Empty where it is hidden. */
  name: z.string(),
  namespace: z.string(),
  version: z.string(),
  /** Of another team, or of the cluster: only its part in the traffic is told. */
  hidden: z.boolean(),
  /** The service of this stack that it is; null: none. */
  serviceId: z.number().nullable(),
  /** Nothing calls it but what is outside of the mesh. */
  root: z.boolean(),
})
export type MeshNode = z.infer<typeof MeshNode>

export const MeshEdge = z.object({
  from: z.string(),
  to: z.string(),
  /** http, grpc, tcp; empty where there was no traffic. */
  protocol: z.string(),
  /** Requests per second; of tcp bytes per second. */
  rate: z.number(),
  /** Failed requests, in percent of all. */
  errors: z.number(),
  /** 95 of 100 requests took no longer, in milliseconds; null where nothing was measured. */
  p95: z.number().nullable(),
  /** How much of it is encrypted by the mesh, in percent. */
  mtls: z.number(),
})
export type MeshEdge = z.infer<typeof MeshEdge>

export const Mesh = z.object({
  /** The cluster has no Kiali. */
  unset: z.boolean(),
  /** Why there is nothing, in the caller's language. */
  notice: z.string(),
  nodes: z.array(MeshNode),
  edges: z.array(MeshEdge),
  /** There is more than can be drawn. */
  truncated: z.boolean(),
})
export type Mesh = z.infer<typeof Mesh>

/** How far back traffic counts. */
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
