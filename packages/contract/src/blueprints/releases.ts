import { z } from 'zod'
import { decisionsTopic } from '../decisions/topics.ts'
import { endpoint } from '../endpoint.ts'
import { id, idOrUuid, uuid } from '../ids.ts'
import { Amount } from '../quotas/quotas.ts'
import { ServiceState } from '../stacks/states.ts'
import { Stack } from '../stacks/stacks.ts'
import { StackName, ServiceType } from '../stacks/spec.ts'
import { stacksTopic, serviceTopic } from '../stacks/topics.ts'
import { dictionary, text } from '../validators.ts'

const Demand = z.object({ cpu: z.number(), memory: z.number() })

/** A field of a document before and after, on one line, secrets masked; null if it has no value. */
const Difference = z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })

const Planned = z.object({
  name: z.string(),
  type: ServiceType,
  requires: z.array(z.string()),
  /** Position in the start order, from 1: services of the same turn start together. */
  turn: z.number().int(),
  image: z.string(),
  replicas: z.number().int(),
})

/** What a deployment or an upgrade will do; shown before it is done. */
export const ReleasePlan = z.object({
  /** Null for a preset service, and for a promotion, which copies another stack. */
  blueprint: z.object({ id: z.number().int(), version: z.string() }).nullable(),
  made: z.array(Planned),
  changed: z.array(Planned.extend({ fields: z.array(Difference) })),
  /** Services whose pods are replaced. */
  restarted: z.array(z.string()),
  /** Services to remove; they run until the release is confirmed. */
  removed: z.array(z.string()),
  same: z.array(z.string()),
  /** The most that the stack may use of its share. Before a deployment: zero. */
  share: z.object({ before: Demand, after: Demand, quota: Amount }),
  outputs: z.array(z.object({ name: z.string(), description: z.string(), value: z.string() })),
  /** Why it cannot be done now, in the caller's language; empty if it can. */
  refusals: z.array(z.string()),
})
export type ReleasePlan = z.infer<typeof ReleasePlan>

/** A blueprint or another stack's services, deployed to a stack: its actions, its user and its progress. */
export const Release = z.object({
  id: z.number().int(),
  blueprintId: z.number().int().nullable(),
  /** The version of a preset service. */
  templateId: z.number().int().nullable(),
  /** For a promotion: the source stack and its cluster. */
  version: z.string(),
  action: z.enum(['deploy', 'upgrade', 'promote']),
  /** open: waits to be confirmed or undone; confirmed; returned: cancelled or rolled back. */
  state: z.enum(['open', 'confirmed', 'returned']),
  /** For an open one: its services are ready, so it can be confirmed or rolled back. Otherwise it can be cancelled. */
  ready: z.boolean(),
  made: z.array(z.string()),
  changed: z.array(z.string()),
  removed: z.array(z.string()),
  services: z.array(z.object({ name: z.string(), state: ServiceState, message: z.string() })),
  /** Secrets are masked. */
  inputs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  by: z.string(),
  createdAt: z.string(),
})
export type Release = z.infer<typeof Release>

const Inputs = dictionary(z.string().max(60), z.union([z.string().max(32_768), z.number(), z.boolean()]), 200).default(
  {},
)

const istio = z.strictObject({ istio: z.enum(['true', 'false']).optional() })

/** Exactly one: a version of a product, or of a preset service. */
const source = { blueprintId: idOrUuid.optional(), templateId: id.optional() }

const deployment = z.strictObject({
  ...source,
  envId: uuid,
  stackName: StackName,
  description: text(1000, 'description-too-long').default(''),
  quota: Amount.default({ cpu: null, memory: null }),
  inputs: Inputs,
})

const upgrade = z.strictObject({
  ...source,
  /** Secret inputs without a value keep the present one. */
  inputs: Inputs,
})

const ofStack = z.strictObject({ teamId: id, envId: uuid, stackName: StackName })
const onStack = (rest: string) => `/orchestration/api/:teamId/env/:envId/stacks/:stackName/${rest}` as const

const deploys = ['product_blueprint_view', 'stack_stack_create', 'stack_service_create'] as const
const upgrades = [
  'product_blueprint_view',
  'stack_service_create',
  'stack_service_edit',
  'stack_service_delete',
] as const
/** Decides between the release and the previous state; confirming deletes the services that the release removes. */
const decides = ['stack_service_operate', 'stack_service_delete'] as const

/** Undoing a promotion that created its stack deletes the stack. */
const undoesStack = ['stack_stack_delete'] as const

export const releases = {
  deploy: endpoint({
    method: 'POST',
    path: '/orchestration/api/:teamId/blueprint/deploy',
    access: { team: 'teamId', permission: deploys },
    audit: 'blueprint.deploy',
    summary: 'Deploy a blueprint as a new stack; services start in the order of their requirements',
    params: z.strictObject({ teamId: id }),
    query: istio,
    body: deployment,
    data: Stack,
    topics: [stacksTopic],
  }),
  /** Not in the specification: the same check for a deployment. */
  deployCheck: endpoint({
    method: 'POST',
    path: '/orchestration/api/:teamId/blueprint/deployCheck',
    access: { team: 'teamId', permission: deploys },
    audit: 'blueprint.check-deployment',
    summary: 'What a deployment would make, and take of the quota',
    params: z.strictObject({ teamId: id }),
    query: istio,
    body: deployment,
    data: ReleasePlan,
    topics: [],
  }),
  check: endpoint({
    method: 'POST',
    path: onStack('upgradeWithBlueprintCheck'),
    access: { team: 'teamId', permission: upgrades },
    audit: 'stack.check-upgrade',
    summary: 'What an upgrade with a blueprint would make, change, remove and restart',
    params: ofStack,
    body: upgrade,
    data: ReleasePlan,
    topics: [],
  }),
  upgrade: endpoint({
    method: 'POST',
    path: onStack('upgradeWithBlueprint'),
    access: { team: 'teamId', permission: upgrades },
    audit: 'stack.upgrade',
    summary: 'Upgrade a stack with a blueprint: one release, which is confirmed, cancelled or rolled back whole',
    params: ofStack,
    body: upgrade,
    data: Release,
    topics: [stacksTopic, serviceTopic],
  }),
  /** Not in the specification; like the call for a service. */
  confirm: endpoint({
    method: 'POST',
    path: onStack('upgradeWithBlueprint'),
    action: 'confirm',
    access: { team: 'teamId', permission: decides },
    audit: 'stack.confirm',
    summary: 'Keep what a release brought, and delete the services that it removes',
    params: ofStack,
    data: Release,
    topics: [stacksTopic, serviceTopic, decisionsTopic],
  }),
  cancel: endpoint({
    method: 'POST',
    path: onStack('upgradeWithBlueprint'),
    action: 'cancel',
    access: { team: 'teamId', permission: decides },
    asks: undoesStack,
    audit: 'stack.cancel',
    summary: 'End a release that is under way or failed, and return to what ran before it',
    params: ofStack,
    data: Release,
    topics: [stacksTopic, serviceTopic, decisionsTopic],
  }),
  rollBack: endpoint({
    method: 'POST',
    path: onStack('upgradeWithBlueprint'),
    action: 'rollBack',
    access: { team: 'teamId', permission: decides },
    asks: undoesStack,
    audit: 'stack.roll-back',
    summary: 'Return from a release that waits to be confirmed to what ran before it',
    params: ofStack,
    data: Release,
    topics: [stacksTopic, serviceTopic, decisionsTopic],
  }),
  /** Not in the specification: the last release, or null. */
  latest: endpoint({
    method: 'GET',
    path: onStack('release'),
    access: { team: 'teamId', permission: 'stack_stack_view' },
    summary: "A stack's last release, if there was one",
    params: ofStack,
    data: Release.nullable(),
    topics: [stacksTopic],
  }),
}
