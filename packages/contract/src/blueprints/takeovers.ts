import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { Amount } from '../quotas/quotas.ts'
import { StackName } from '../stacks/spec.ts'
import { Stack } from '../stacks/stacks.ts'
import { serviceTopic, stacksTopic } from '../stacks/topics.ts'
import { dnsLabel, text } from '../validators.ts'
import { ReleasePlan } from './releases.ts'

/** A namespace of a cluster that belongs to no stack. */
export const FoundNamespace = z.object({
  name: z.string(),
  /** The number of workloads that can become services. */
  workloads: z.number().int(),
  createdAt: z.string(),
})
export type FoundNamespace = z.infer<typeof FoundNamespace>

/** The service that a workload would become. All texts are in the caller's language. */
export const FoundWorkload = z.object({
  name: z.string(),
  kind: z.enum(['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob']),
  /** The number of its running pods. */
  pods: z.number().int(),
  /** The service's document as YAML, secrets masked; empty if it cannot become a service. */
  document: z.string(),
  /** Why it cannot be taken over as it is. */
  wrong: z.array(z.string()),
  /** Settings that a document cannot express: they stay until the first change of the service, and are lost then. */
  lost: z.array(z.string()),
  /** Settings that change their form with that first change. */
  notes: z.array(z.string()),
})
export type FoundWorkload = z.infer<typeof FoundWorkload>

/** What taking over a namespace would do; shown before it is done. */
export const TakeoverPlan = z.object({
  namespace: z.string(),
  workloads: z.array(FoundWorkload),
  /** The workloads to take over: the requested ones, or all that lose nothing. */
  take: z.array(z.string()),
  /** Other objects of the namespace, and what happens to them. */
  stays: z.array(z.string()),
  /** Null if nothing would be taken over. */
  plan: ReleasePlan.nullable(),
})
export type TakeoverPlan = z.infer<typeof TakeoverPlan>

const takeoverFields = {
  envId: uuid,
  namespace: dnsLabel(),
  stackName: StackName,
  description: text(1000, 'description-too-long').default(''),
  quota: Amount.default({ cpu: null, memory: null }),
}
const names = z.array(z.string().max(253, 'name-too-long')).max(1000, 'list-too-long')

/** `none`: a stack without a product. */
const params = z.strictObject({ t: id, appId: z.union([z.literal('none'), id]) })
const path = '/orchestration/api/tenants/:t/applications/:appId/sync/stack' as const

export const takeovers = {
  namespaces: endpoint({
    method: 'GET',
    path: '/orchestration/api/:teamId/env/:envId/stack/sync/k8s',
    access: 'admin',
    summary: "The namespaces of a cluster that are no stack's, and how many workloads run there",
    params: z.strictObject({ teamId: id, envId: uuid }),
    query: listQuery({ pageSize: 10 }).extend({ search: z.string().max(200).optional() }),
    data: listOf(FoundNamespace),
    topics: [stacksTopic],
  }),
  check: endpoint({
    method: 'POST',
    path: `${path}Check`,
    access: 'admin',
    audit: 'stack.check-take-over',
    summary: 'What the workloads of a namespace would become as services of a stack, and what of them has no place',
    params,
    body: z.strictObject({ ...takeoverFields, take: names.optional() }),
    data: TakeoverPlan,
    topics: [],
  }),
  takeOver: endpoint({
    method: 'PUT',
    path,
    access: 'admin',
    audit: 'stack.take-over',
    summary: "Hand a namespace of a cluster to a team: its workloads become a stack's services, and no pod restarts",
    params,
    body: z.strictObject({ ...takeoverFields, take: names.min(1, 'takeovers-take-required') }),
    data: Stack,
    topics: [stacksTopic, serviceTopic],
  }),
}
