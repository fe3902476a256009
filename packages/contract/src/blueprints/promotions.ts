import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id, uuid } from '../ids.ts'
import { Amount } from '../quotas/quotas.ts'
import { StackName } from '../stacks/spec.ts'
import { Stack } from '../stacks/stacks.ts'
import { serviceTopic, stacksTopic } from '../stacks/topics.ts'
import { serviceName, text } from '../validators.ts'
import { ReleasePlan } from './releases.ts'

/** What is a place's own, and so may differ between a stack and what is promoted from it. */
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

/** A value of a service that may differ. Secret values are masked. */
export const Setting = z.object({
  service: z.string(),
  /** Which value of the service: `environment.URL`, `outward.hosts.0.host`. */
  key: z.string(),
  kind: SettingKind,
  secret: z.boolean(),
  /** What it is where it comes from. */
  source: z.string(),
  /** What it is where it goes, which stays unless another is given; null where that says nothing of it. */
  target: z.string().nullable(),
})
export type Setting = z.infer<typeof Setting>

const place = { envId: uuid, stackName: StackName }

const promotion = z.strictObject({
  ...place,
  /** Of a stack that is made. */
  description: text(1000, 'description-too-long').default(''),
  quota: Amount.default({ cpu: null, memory: null }),
  /** What is not given is as it is at the target; what that does not say, as at the source, secrets included. */
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
  /** Services that only the target has go once the release is confirmed. */
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
