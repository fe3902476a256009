import { z } from 'zod'
import { type Demand, demandOf, type Sized } from '../demand.ts'
import { maxInstances } from '../scaling/autoscaling.ts'

/** A share of the requests for some time; without a pause, until a user continues. */
export const GrayStep = z.strictObject({
  weight: z.number('gray-weight').int('gray-weight').min(0, 'gray-weight').max(100, 'gray-weight'),
  pauseSeconds: z
    .number('gray-pause')
    .int('gray-pause')
    .min(1, 'gray-pause')
    .max(604_800, 'gray-pause')
    .nullable()
    .default(null),
})
export type GrayStep = z.infer<typeof GrayStep>

export const grayMetrics = ['cpu_percent', 'memory_percent'] as const

/** Conditions that automatically roll back the upgrade during a step. */
export const GrayRule = z.strictObject({
  /** This number of new instances that were ready and no longer are, or never become ready. */
  unready: z.number('gray-rule').int('gray-rule').min(1, 'gray-rule').max(1000, 'gray-rule').optional(),
  /** This number of restarts of all new instances together. */
  restarts: z.number('gray-rule').int('gray-rule').min(1, 'gray-rule').max(1000, 'gray-rule').optional(),
  /** The busiest new instance uses more than this percentage of its limit. */
  metric: z
    .strictObject({
      name: z.enum(grayMetrics),
      above: z.number('gray-rule').int('gray-rule').min(1, 'gray-rule').max(1000, 'gray-rule'),
    })
    .optional(),
  /** More than this percentage of the requests that the new instances answered during the step failed, with 5xx. */
  failed: z
    .number('gray-rule-failed')
    .int('gray-rule-failed')
    .min(0, 'gray-rule-failed')
    .max(99, 'gray-rule-failed')
    .optional(),
})
export type GrayRule = z.infer<typeof GrayRule>

/** Fewer requests than this do not break the rule by failed requests, because a single one would be a large part. */
export const fewestRequests = 20

export const GrayPlan = z
  .array(GrayStep)
  .min(1, 'gray-steps')
  .max(20, 'gray-steps')
  .refine((steps) => steps.every(({ weight }, at) => at === 0 || weight > (steps[at - 1]?.weight ?? 0)), 'gray-rising')

export const usualRule: GrayRule = { unready: 1, restarts: 3 }

/**
 * What is divided: instances, among which the cluster distributes requests evenly; or requests from outside, which the
 * controller of the stack's ways in distributes.
 */
export const GrayBy = z.enum(['instances', 'requests'])
export type GrayBy = z.infer<typeof GrayBy>

/** Requests with this header go to the new instances, whatever the share of the others is. */
export const GrayHeader = z.strictObject({
  name: z
    .string()
    .trim()
    .max(64, 'gray-header-name')
    .regex(/^[A-Za-z0-9-]+$/, 'gray-header-name'),
  value: z
    .string()
    .trim()
    .max(256, 'gray-header-value')
    .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, 'gray-header-value'),
})
export type GrayHeader = z.infer<typeof GrayHeader>

/** How the copy gets its share. */
export const grayWay = {
  by: GrayBy.default('instances'),
  header: GrayHeader.optional(),
  steps: GrayPlan.default([{ weight: 20, pauseSeconds: null }]),
  rule: GrayRule.default(usualRule),
}

export function mustDivide(
  {
    by,
    header,
    steps,
    rule,
  }: { by: GrayBy; header?: GrayHeader | undefined; steps: readonly GrayStep[]; rule: GrayRule },
  ctx: z.RefinementCtx,
): void {
  if (rule.failed !== undefined && by !== 'requests')
    ctx.addIssue({ code: 'custom', message: 'gray-rule-failed-by', path: ['rule', 'failed'] })
  if (header && by !== 'requests') ctx.addIssue({ code: 'custom', message: 'gray-header-by', path: ['header'] })
  // with a share of zero, only requests with the header reach the copy
  if (steps[0]?.weight === 0 && !header)
    ctx.addIssue({ code: 'custom', message: 'gray-weight-none', path: ['steps', 0, 'weight'] })
}

export const GrayWay = z.strictObject(grayWay).superRefine(mustDivide)

/**
 * The numbers of old and new instances so that the new ones are about this percentage. Before the last step there is at
 * least one of each, and never more old ones than before. If requests are divided, all old ones stay.
 */
export function splitOf(
  before: number,
  after: number,
  weight: number,
  by: GrayBy = 'instances',
): { old: number; new: number } {
  const fresh = Math.max(1, Math.round((after * weight) / 100))
  if (by === 'requests') return { new: fresh, old: before }
  return {
    new: fresh,
    old: weight === 100 ? 0 : Math.max(1, Math.min(before, Math.round((before * (100 - weight)) / 100))),
  }
}

/** The most that a copy itself may use: it is never rolled. Without steps it is as large as the service. */
export function copyDemand(steps: readonly GrayStep[], spec: Sized): Demand {
  const most = maxInstances(spec)
  const sizes = steps.map(({ weight }) => splitOf(most, most, weight).new)
  const replicas = steps.length === 0 ? most : Math.max(...sizes)
  // its number of instances does not change while it exists
  return demandOf({ ...spec, replicas, autoscaling: undefined, rollout: { type: 'recreate' } })
}

/** The second copy of a service during an upgrade that created it, and how the last one ended. */
export const ServiceCopy = z.object({
  type: z.enum(['bluegreen', 'gray']),
  /** The copy's own addresses in the cluster, independent of where the service's requests go. */
  addresses: z.array(z.string()),
  by: GrayBy,
  header: GrayHeader.nullable(),
  steps: z.array(GrayStep),
  rule: GrayRule,
  /** The present step, from 0. */
  step: z.number().int(),
  instances: z.object({ old: z.number().int(), new: z.number().int() }),
  /** When the next step begins by itself; null while it waits for its instances, or for a user. */
  until: z.string().nullable(),
  /** Whether the next step waits for a user. */
  waits: z.boolean(),
  ended: z.enum(['confirmed', 'returned', 'taken-back']).nullable(),
  /** Why it was rolled back automatically; otherwise empty. */
  why: z.string(),
})
export type ServiceCopy = z.infer<typeof ServiceCopy>
