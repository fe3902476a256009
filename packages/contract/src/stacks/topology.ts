import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { ServiceClaim, ServiceSummary } from './services.ts'
import { StackName } from './spec.ts'
import { Stack } from './stacks.ts'
import { stacksTopic, stackTopic } from './topics.ts'

/**
 * How two things are connected. `requires`: starts after it, according to its blueprint. `routes`: leads requests to
 * it. `calls`: one of its variables names the other. `mounts`: a volume. `opens`: an address outside the cluster.
 */
export const LinkKind = z.enum(['requires', 'routes', 'calls', 'mounts', 'opens'])
export type LinkKind = z.infer<typeof LinkKind>

export const TopologyLink = z.object({
  kind: LinkKind,
  /** The name of a service. */
  from: z.string(),
  /** The name of a service; for `mounts` the name of a claim, for `opens` an address. */
  to: z.string(),
  /** The variable or the rule that makes the connection; may be empty. */
  by: z.string(),
})
export type TopologyLink = z.infer<typeof TopologyLink>

/** A volume according to the documents. */
export const TopologyClaim = z.object({
  /** For a StatefulSet, whose instances have one claim each, with `*` in place of the instance. */
  name: z.string(),
  /** Empty for a claim that existed before. */
  size: z.string(),
})

export const Topology = z.object({
  stack: Stack,
  services: z.array(ServiceSummary),
  claims: z.array(TopologyClaim),
  links: z.array(TopologyLink),
  /** There are more services than the server's cap. */
  truncated: z.boolean(),
})
export type Topology = z.infer<typeof Topology>

/** A claim in the namespace of a stack. */
export const StackClaim = ServiceClaim.extend({
  /** The names of the services that mount it; empty: its service was deleted, or it is not a service's. */
  usedBy: z.array(z.string()),
  /** What happens to its storage when the stack is deleted, as far as the cluster tells. */
  withStack: z.enum(['deleted', 'kept', 'unknown']),
  /** It is being deleted, and kept by these finalizers, and by the pods that use it; null: it is not being deleted. */
  held: z.object({ by: z.array(z.string()), pods: z.array(z.string()) }).nullable(),
})
export type StackClaim = z.infer<typeof StackClaim>

const onEnv = (rest: string) => `/orchestration/api/:teamId/env/:envId/${rest}` as const

export const topology = {
  get: endpoint({
    method: 'GET',
    path: onEnv('stacks/:stackName/topology'),
    access: { team: 'teamId', permission: ['stack_stack_view', 'stack_service_view'] },
    summary: "A stack's services with their live state, and what depends on what",
    params: z.strictObject({ teamId: id, envId: uuid, stackName: StackName }),
    data: Topology,
    topics: [stacksTopic, stackTopic],
  }),
  claims: endpoint({
    method: 'GET',
    path: onEnv('stack/:name/pvcs'),
    access: { team: 'teamId', permission: ['stack_stack_view', 'stack_service_view'] },
    summary: 'The claims in the namespace of a stack, with who uses them and what becomes of them',
    params: z.strictObject({ teamId: id, envId: uuid, name: StackName }),
    query: listQuery({ pageSize: 50 }),
    data: listOf(StackClaim),
    topics: [stacksTopic, stackTopic],
  }),
}
