import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { Amount } from '../quotas/quotas.ts'
import { StackName } from '../stacks/spec.ts'
import { Stack } from '../stacks/stacks.ts'
import { serviceTopic, stacksTopic } from '../stacks/topics.ts'
import { serviceName, text } from '../validators.ts'
import { ReleasePlan } from './releases.ts'

/** Kinds of settings that belong to a place, so that they may differ between a stack and its promotion. */
export const SettingKind = z.enum([
  'replicas',
  'variable',
  'file',
  'claim',
  'class',
  'folder',
  'group',
  'host',
  'port',
  'address',
  'certificate',
  'key',
])
export type SettingKind = z.infer<typeof SettingKind>

/** A setting of a service that may differ. Secret values are masked. */
export const Setting = z.object({
  service: z.string(),
  /** The path of the setting in the service: `environment.URL`, `outward.hosts.0.host`. */
  key: z.string(),
  kind: SettingKind,
  secret: z.boolean(),
  /** The value at the source. */
  source: z.string(),
  /** The value at the target, which stays unless another is given; null if the target has none. */
  target: z.string().nullable(),
})
export type Setting = z.infer<typeof Setting>

const place = { envId: uuid, stackName: StackName }

const promotion = z.strictObject({
  ...place,
  /** Used if the stack is created. */
  description: text(1000, 'description-too-long').default(''),
  quota: Amount.default({ cpu: null, memory: null }),
  /** Without a value, a setting keeps the target's or, if the target has none, gets the source's, even a secret. */
  values: z
    .array(
      z.strictObject({
        service: serviceName,
        key: z.string().min(1, 'name-required').max(300, 'name-too-long'),
        value: z.string().max(262_144, 'value-too-long'),
      }),
    )
    .max(2000, 'list-too-long')
    .default([]),
  /** Delete services that only the target has, once the release is confirmed. */
  remove: z.boolean().default(false),
})

const ofStack = z.strictObject({ teamId: id, envId: uuid, stackName: StackName })
const path = '/orchestration/api/:teamId/env/:envId/stacks/:stackName/promotion' as const
const reads = ['stack_stack_view', 'stack_service_view'] as const
const promotes = [
  ...reads,
  'stack_stack_create',
  'stack_service_create',
  'stack_service_edit',
  'stack_service_delete',
] as const

export const promotions = {
  settings: endpoint({
    method: 'GET',
    path,
    access: { team: 'teamId', permission: reads },
    summary: 'What may differ between a stack and what is promoted from it, and whether the target is there',
    params: ofStack,
    query: z.strictObject({ targetEnv: uuid, targetName: StackName }),
    data: z.object({ exists: z.boolean(), settings: z.array(Setting) }),
    topics: [stacksTopic],
  }),
  check: endpoint({
    method: 'POST',
    path: `${path}Check`,
    access: { team: 'teamId', permission: promotes },
    audit: 'stack.check-promotion',
    summary: 'What a promotion would make, change, remove and restart, and take of the share',
    params: ofStack,
    body: promotion,
    data: ReleasePlan,
    topics: [],
  }),
  promote: endpoint({
    method: 'POST',
    path,
    access: { team: 'teamId', permission: promotes },
    audit: 'stack.promote',
    summary: 'Bring a stack to another cluster or name with the same digests: one release, confirmed or undone whole',
    params: ofStack,
    body: promotion,
    data: Stack,
    topics: [stacksTopic, serviceTopic],
  }),
}
