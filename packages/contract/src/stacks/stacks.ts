import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { madeOn, Revision } from '../revision.ts'
import { confirmation, text } from '../validators.ts'
import { Amount } from '../quotas/quotas.ts'
import { StackName } from './spec.ts'
import { StackState } from './states.ts'
import { stacksTopic } from './topics.ts'

export const Stack = z.object({
  id: z.number().int(),
  uuid: z.string(),
  teamId: z.number().int(),
  name: z.string(),
  description: z.string(),
  envId: z.string(),
  envName: z.string(),
  namespace: z.string(),
  productId: z.number().int().nullable(),
  productName: z.string(),
  /** The blueprint from which it was deployed, or last upgraded. */
  blueprintId: z.number().int().nullable(),
  blueprintVersion: z.string(),
  /** The preset service from which it was deployed, or last upgraded, and its version. */
  catalogId: z.number().int().nullable(),
  catalogName: z.string(),
  templateId: z.number().int().nullable(),
  templateVersion: z.string(),
  /** Whether it has a release that waits for a decision. */
  inRelease: z.boolean(),
  state: StackState,
  /** Why it is not running, in the caller's language. */
  message: z.string(),
  /** Its share of the team's quota. */
  quota: Amount,
  /** The sum of its services' limits, surge included. */
  used: z.object({ cpu: z.number(), memory: z.number() }),
  serviceNum: z.number().int(),
  /** The number of stable services with all their instances. */
  healthyNum: z.number().int(),
  /** The number of services changed in the cluster by something other than the platform. */
  driftNum: z.number().int(),
  createdAt: z.string(),
  /** The revision of its description and product. */
  revision: Revision,
})
export type Stack = z.infer<typeof Stack>

/** The choices for a kubeconfig's validity, in hours. */
export const kubeconfigHours = [1, 8, 24] as const

/** `all`: every cluster of the team. */
const envOrAll = z.union([z.literal('all'), uuid])
const inTeam = z.strictObject({ teamId: id })
const one = z.strictObject({ teamId: id, envId: uuid, stackId: idOrUuid })
const filters = listQuery({ pageSize: 10 }).extend({ search: z.string().max(200).optional() })

export const stacks = {
  list: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/stacks',
    access: { team: 'teamId', permission: 'stack_stack_view' },
    summary: "A team's stacks on a cluster, or (env `all`) on all",
    params: z.strictObject({ teamId: id, envId: envOrAll }),
    query: filters,
    data: listOf(Stack),
    topics: [stacksTopic],
  }),
  all: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/stack',
    access: { team: 'teamId', permission: 'stack_stack_view' },
    summary: "A team's stacks on a cluster in one answer, as far as the server's cap goes",
    params: z.strictObject({ teamId: id, envId: envOrAll }),
    query: listQuery({ pageSize: -1 }),
    data: listOf(Stack),
    topics: [stacksTopic],
  }),
  byName: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/stacks/:name',
    access: { team: 'teamId', permission: 'stack_stack_view' },
    summary: 'One stack by its name',
    params: z.strictObject({ teamId: id, envId: uuid, name: StackName }),
    data: Stack,
    topics: [stacksTopic],
  }),
  ofProduct: endpoint({
    method: 'GET',
    path: '/orchestration/api/:team/application/:productId/stack',
    access: { team: 'team', permission: 'stack_stack_view' },
    summary: "A product's stacks",
    params: z.strictObject({ team: id, productId: id }),
    query: listQuery({ pageSize: 10 }).extend({
      /** Everything in one answer, up to the server's cap. */
      queryAll: z.enum(['true', 'false']).optional(),
    }),
    data: listOf(Stack),
    topics: [stacksTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/orchestration/api/:teamId/stack',
    access: { team: 'teamId', permission: 'stack_stack_create' },
    audit: 'stack.create',
    summary: 'Create a stack: a namespace with its share of the quota, apart from other teams',
    params: inTeam,
    body: z.strictObject({
      name: StackName,
      description: text(1000, 'description-too-long').default(''),
      envId: uuid,
      productId: id.nullable().default(null),
      quota: Amount.default({ cpu: null, memory: null }),
    }),
    data: Stack,
    topics: [stacksTopic],
  }),
  get: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/stack/:stackId',
    access: { team: 'teamId', permission: 'stack_stack_view' },
    summary: 'One stack',
    params: one,
    data: Stack,
    topics: [stacksTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/orchestration/api/:teamId/stack/:stackId',
    access: { team: 'teamId', permission: 'stack_stack_edit' },
    audit: 'stack.update',
    summary: "Change a stack's description or product",
    params: z.strictObject({ teamId: id, stackId: idOrUuid }),
    body: z.strictObject({
      description: text(1000, 'description-too-long').default(''),
      productId: id.nullable().default(null),
      ...madeOn,
    }),
    data: Stack,
    topics: [stacksTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/orchestration/api/:teamId/env/:envId/stack/:stackId',
    access: { team: 'teamId', permission: ['stack_stack_delete', 'stack_service_delete'] },
    audit: 'stack.delete',
    summary: 'Delete a stack with everything in its namespace; deleteFore also forgets it when its cluster is gone',
    params: one,
    query: z.strictObject({ confirm: confirmation, deleteFore: z.enum(['true', 'false']).optional() }),
    data: z.null(),
    topics: [stacksTopic],
  }),
  setQuota: endpoint({
    method: 'PUT',
    path: '/orchestration/api/:teamId/env/:envId/stacks/:stackName/quotas',
    access: { team: 'teamId', permission: 'stack_stack_edit' },
    audit: 'stack.set-quota',
    summary: "Set a stack's hard share; never below what runs in it, never above what the team has left",
    params: z.strictObject({ teamId: id, envId: uuid, stackName: StackName }),
    query: z.strictObject({ tenantName: z.string().max(100).optional(), stackUUID: uuid.optional() }),
    body: Amount,
    data: Stack,
    topics: [stacksTopic],
  }),
  kubeconfig: endpoint({
    method: 'POST',
    path: '/orchestration/api/:teamId/env/:envId/stack/:stackId/kubeconfig',
    access: { team: 'teamId', permission: 'stack_kubeconfig_execute' },
    audit: 'stack.kubeconfig',
    summary: "A kubeconfig for a stack's namespace, with what the team may do there, for a limited time",
    params: one,
    body: z.strictObject({ hours: z.union(kubeconfigHours.map((hours) => z.literal(hours))) }),
    data: z.object({ kubeconfig: z.string(), until: z.string() }),
    topics: [],
  }),
  yaml: endpoint({
    method: 'GET',
    path: '/orchestration/api/stack/:id/k8syaml',
    access: { owner: 'stack', by: 'id', permission: ['stack_stack_view', 'stack_service_view'] },
    summary: "A stack's Kubernetes objects as YAML, secrets masked",
    params: z.strictObject({ id: idOrUuid }),
    data: z.object({ yaml: z.string() }),
    topics: [stacksTopic],
  }),
}
