import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { displayName, text } from '../validators.ts'

/** An environment is a Kubernetes cluster (the specification's word). */
export const Environment = z.object({
  uuid: z.string(),
  name: z.string(),
  description: z.string(),
  server: z.string(),
  /** The product's simulated cluster. */
  sandbox: z.boolean(),
  version: z.string(),
  /** unknown until it was asked. */
  health: z.enum(['healthy', 'unreachable', 'credentials', 'unknown']),
  /** Why it is not healthy, in the caller's language. */
  healthMessage: z.string(),
  nodeNum: z.number().int(),
  teams: z.array(z.object({ id: z.number().int(), name: z.string() })),
  createdAt: z.string(),
})
export type Environment = z.infer<typeof Environment>

const one = z.strictObject({ uuid })

export const environments = {
  list: endpoint({
    method: 'GET',
    path: '/resource-manager/api/environments',
    access: { system: 'system_cluster_view' },
    summary: 'Clusters',
    query: listQuery({ pageSize: 10 }),
    data: listOf(Environment),
  }),
  ofTeam: endpoint({
    method: 'GET',
    path: '/resource-manager/api/environments/tenants/:teamId',
    access: { team: 'teamId', permission: 'resource_cluster_view' },
    summary: 'Clusters that are assigned to a team',
    params: z.strictObject({ teamId: id }),
    data: z.array(Environment),
  }),
  create: endpoint({
    method: 'POST',
    path: '/resource-manager/api/environments',
    access: 'admin',
    audit: 'environment.create',
    summary: 'Add a cluster by kubeconfig; it is reached, its version and the rights are checked before it is saved',
    body: z.strictObject({
      name: displayName(30),
      description: text(1000, 'description-too-long').default(''),
      kubeconfig: z.string().min(1, 'kubeconfig-required').max(1_000_000, 'kubeconfig-too-large'),
      context: z.string().max(255).optional(),
      teamIds: z.array(z.number().int()).max(1000, 'list-too-long').default([]),
    }),
    data: Environment,
  }),
  get: endpoint({
    method: 'GET',
    path: '/resource-manager/api/environments/:uuid',
    access: 'user',
    asks: ['resource_cluster_view'],
    forTokens: true,
    summary:
      'One cluster, for administrators and for members of a team that may use it (permission resource_cluster_view)',
    params: one,
    data: Environment,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/resource-manager/api/environments/:uuid',
    access: 'admin',
    audit: 'environment.update',
    summary: 'Rename a cluster, or replace its kubeconfig',
    params: one,
    body: z.strictObject({
      name: displayName(30),
      description: text(1000, 'description-too-long').default(''),
      kubeconfig: z.string().max(1_000_000, 'kubeconfig-too-large').optional(),
      context: z.string().max(255).optional(),
    }),
    data: Environment,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/resource-manager/api/environments/:uuid',
    access: 'admin',
    audit: 'environment.delete',
    summary: 'Forget a cluster on which no stack is; nothing in the cluster is touched',
    params: one,
    query: z.strictObject({ action: z.enum(['complete']).optional() }),
    data: z.null(),
  }),
  assign: endpoint({
    method: 'PUT',
    path: '/resource-manager/api/environments/:env/assigned',
    access: 'admin',
    audit: 'environment.assign',
    summary: 'Let a team use a cluster, or (assigned=false) no longer',
    params: z.strictObject({ env: uuid }),
    query: z.strictObject({ tenant: id, assigned: z.enum(['true', 'false']).default('true') }),
    data: z.null(),
  }),
}
