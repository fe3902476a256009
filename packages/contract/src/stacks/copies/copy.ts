import { z } from 'zod'
import { type Demand, demandOf, type Sized } from '../demand.ts'
import { mostInstances } from '../scaling/autoscaling.ts'

/** A part of the instances for a while: with no pause, until somebody goes on. */
export const GrayStep = z.strictObject({
  weight: z.number('gray-weight').int('gray-weight').min(1, 'gray-weight').max(100, 'gray-weight'),
  pauseSeconds: z
    .number('gray-pause')
    .int('gray-pause')
    .min(1, 'gray-pause')
    .max(604_800, 'gray-pause')
    .nullable()
    .default(null),
})
export type GrayStep = z.infer<typeof GrayStep>

/** What takes a step back by itself, while it is going on. */
export const GrayRule = z.strictObject({
  /** So many new instances that have been ready and are no more, or that never become ready. */
  unready: z.number('gray-rule').int('gray-rule').min(1, 'gray-rule').max(1000, 'gray-rule').optional(),
  /** So many restarts of all new instances together. */
  restarts: z.number('gray-rule').int('gray-rule').min(1, 'gray-rule').max(1000, 'gray-rule').optional(),
})
export type GrayRule = z.infer<typeof GrayRule>

export const GrayPlan = z
  .array(GrayStep)
  .min(1, 'gray-steps')
  .max(20, 'gray-steps')
  .refine((steps) => steps.every(({ weight }, at) => at === 0 || weight > (steps[at - 1]?.weight ?? 0)), 'gray-rising')

export const usualRule: GrayRule = { unready: 1, restarts: 3 }

/**
 * How instances are divided so that the new ones are about that part of all: never none of either before the last step,
 * and no more of the old ones than there were.
 */
export function splitOf(before: number, after: number, weight: number): { old: number; new: number } {
  const fresh = Math.max(1, Math.round((after * weight) / 100))
  return {
    new: fresh,
    old: weight === 100 ? 0 : Math.max(1, Math.min(before, Math.round((before * (100 - weight)) / 100))),
  }
}

/** The most that a copy itself may use: it is made once, and is never rolled. Without steps it is as large as the service. */
export function copyDemand(steps: readonly GrayStep[], spec: Sized): Demand {
  const most = mostInstances(spec)
  const sizes = steps.map(({ weight }) => splitOf(most, most, weight).new)
  const replicas = steps.length === 0 ? most : Math.max(...sizes)
  // how many there are of it is not changed while it is there
  return demandOf({ ...spec, replicas, autoscaling: undefined, rollout: { type: 'recreate' } })
}

/** The copy of a service beside it, while an upgrade that made it is open; and how the last one ended. */
export const ServiceCopy = z.object({
  type: z.enum(['bluegreen', 'gray']),
  /** Where the copy answers in the cluster, whatever the requests to the service go to. */
  addresses: z.array(z.string()),
  steps: z.array(GrayStep),
  rule: GrayRule,
  /** Which of the steps is going on, from 0. */
  step: z.number().int(),
  instances: z.object({ old: z.number().int(), new: z.number().int() }),
  /** When the next step begins by itself; null where it waits for its instances, or for somebody. */
  until: z.string().nullable(),
  /** Whether the next step waits for somebody. */
  waits: z.boolean(),
  ended: z.enum(['confirmed', 'returned', 'taken-back']).nullable(),
  /** Why it was taken back; empty where it was not. */
  why: z.string(),
})
export type ServiceCopy = z.infer<typeof ServiceCopy>
