import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { maxCores, maxGib } from '../stacks/amounts.ts'
import { stacksTopic } from '../stacks/topics.ts'
import { quotasTopic } from './topics.ts'

/** CPU in cores, memory in GiB; null = no limit. */
export const Amount = z.strictObject({
  cpu: z.number().min(0, 'quota-negative').max(maxCores, 'cpu-maximum').nullable(),
  memory: z.number().min(0, 'quota-negative').max(maxGib, 'memory-maximum').nullable(),
})
export type Amount = z.infer<typeof Amount>

export const Quota = z.object({
  envUuid: z.string(),
  envName: z.string(),
  /** The team's quota. */
  hard: Amount,
  /** The sum of its stacks' shares. */
  allocated: z.object({ cpu: z.number(), memory: z.number() }),
  /** The present usage of its pods, as the cluster counts it; null while the cluster cannot be reached. */
  used: z.object({ cpu: z.number(), memory: z.number() }).nullable(),
})
export type Quota = z.infer<typeof Quota>

/** A namespace of a team with its share of the quota, as the cluster counts it. */
export const TeamNamespace = z.object({
  name: z.string(),
  envUuid: z.string(),
  envName: z.string(),
  stack: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  hard: Amount,
  used: z.object({ cpu: z.number(), memory: z.number() }).nullable(),
})
export type TeamNamespace = z.infer<typeof TeamNamespace>

/** A percentage, as specified: 0 when used or total is missing or used is negative, otherwise rounded. */
export const percentOf = (used: number | null | undefined, total: number | null | undefined): number =>
  !total || used === null || used === undefined || !(used >= 0) ? 0 : Math.round((used / total) * 100)

/** A bar above this percentage is red. */
export const quotaWarning = 80

/** A label by which a service can be bound to something: a zone's network, a storage driver. */
const Label = z.object({ name: z.string(), label: z.string() })

export const quotas = {
  all: endpoint({
    method: 'GET',
    path: '/resource-manager/api/quotas/tenants',
    access: { system: 'system_quota_view' },
    summary: 'The quotas of all teams on all clusters that they may use',
    query: listQuery({ pageSize: 10 }).extend({ envUuid: uuid.optional() }),
    data: listOf(Quota.extend({ team: z.object({ id: z.number().int(), name: z.string() }) })),
    topics: [quotasTopic],
  }),
  namespaces: endpoint({
    method: 'GET',
    path: '/resource-manager/api/namespaces/tenants/:teamId',
    access: { team: 'teamId', permission: 'quota_namespace_view' },
    summary: "A team's namespaces on all its clusters",
    params: z.strictObject({ teamId: id }),
    data: z.array(TeamNamespace),
    topics: [quotasTopic],
  }),
  networkLabels: endpoint({
    method: 'GET',
    path: '/resource-manager/api/networks/environments/:envUuid/labels',
    access: { owner: 'environment', by: 'envUuid', permission: 'resource_cluster_view' },
    summary: 'Networks of a cluster that a service can be put on: its zones',
    params: z.strictObject({ envUuid: uuid }),
    data: z.array(Label),
  }),
  storageLabels: endpoint({
    method: 'GET',
    path: '/resource-manager/api/storage/environments/:envUuid/labels',
    access: { owner: 'environment', by: 'envUuid', permission: 'resource_cluster_view' },
    summary: 'Storage of a cluster that a service can ask for: its drivers',
    params: z.strictObject({ envUuid: uuid }),
    data: z.array(Label),
  }),
  ofTeam: endpoint({
    method: 'GET',
    path: '/resource-manager/api/quotas/tenants/:teamId',
    access: { team: 'teamId' },
    summary: "A team's quota on each of its clusters",
    params: z.strictObject({ teamId: id }),
    data: z.array(Quota),
    topics: [stacksTopic, quotasTopic],
  }),
  onEnvironment: endpoint({
    method: 'GET',
    path: '/resource-manager/api/quotas/tenants/:teamId/environments/:envId',
    access: { team: 'teamId' },
    summary: "A team's quota on one cluster",
    params: z.strictObject({ teamId: id, envId: uuid }),
    data: Quota,
    topics: [stacksTopic, quotasTopic],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/resource-manager/api/quotas/tenants/:tenant',
    access: 'admin',
    audit: 'quota.set',
    summary: "Set a team's quota on a cluster; never below what its stacks have",
    params: z.strictObject({ tenant: id }),
    body: z.strictObject({ envUuid: uuid, hard: Amount }),
    data: Quota,
    topics: [quotasTopic],
  }),
}
