import {
  copyDemand,
  fewestRequests,
  GrayBy,
  GrayHeader,
  GrayRule,
  GrayStep,
  splitOf,
} from '@gantry/contract/stacks/copies/copy'
import type { Demand, Sized } from '@gantry/contract/stacks/demand'
import { z } from 'zod'
import type { PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import { type Reason, StoredReason } from '../../../kernel/phrase.ts'

/** What determines the pods of a service besides its specification: with the same values the pods are not replaced. */
const PodsBefore = z.object({
  podRevision: z.number().int(),
  podDigest: z.string(),
  restartedAt: z.string().nullable(),
  podDedicated: z.boolean(),
})
export type PodsBefore = z.infer<typeof PodsBefore>

/** How the stack's ways in are to treat the name of a service while it has a copy. */
const Directions = z.object({
  /** The only revision that gets its requests; null for all pods. */
  only: z.number().int().nullable(),
  /** The percentage of the requests that goes to the copy instead; null for none, not even by a header. */
  weight: z.number().int().nullable(),
  /** Whether the services that open these ways in have been made to follow. */
  told: z.boolean(),
})
export type Directions = z.infer<typeof Directions>

/** The stored state of a service's copy; the copy runs the service's new specification. */
export const StoredCopy = z.object({
  type: z.enum(['bluegreen', 'gray']),
  /** What the service's own pods were made of. */
  before: PodsBefore,
  by: GrayBy.default('instances'),
  header: GrayHeader.nullable().default(null),
  steps: z.array(GrayStep),
  rule: GrayRule,
  /** Null while no way in has been changed. */
  directions: Directions.nullable().default(null),
  step: z.number().int(),
  /** Since when all instances of the step have been ready; null if they are not yet. */
  since: z.string().nullable(),
  /** Whether somebody has ended the pause. */
  goOn: z.boolean(),
  /** Why its rule rolled it back. */
  why: StoredReason.nullable(),
  /** Null while the copy exists, starts or is being removed. */
  ended: z.enum(['confirmed', 'returned', 'taken-back']).nullable(),
})
export type StoredCopy = z.infer<typeof StoredCopy>

export const isOpen = (copy: StoredCopy | null): copy is StoredCopy => copy !== null && copy.ended === null

export const readCopy = (stored: unknown): StoredCopy | null => (stored === null ? null : StoredCopy.parse(stored))

/** The suffix of a copy's name; no service's name ends so. */
export const suffix = '-next'
export const copyName = (service: string): string => `${service}${suffix}`

/** The percentage of the current step. */
export const weightOf = ({ steps, step }: Pick<StoredCopy, 'steps' | 'step'>): number => steps[step]?.weight ?? 100

/** Whether ways in distinguish its pods from the service's; if instances are divided, one address has them all. */
export const isDistinct = ({ type, by }: Pick<StoredCopy, 'type' | 'by'>): boolean =>
  type === 'bluegreen' || by === 'requests'

/** The number of old and new instances in the current step. */
export const divided = (copy: StoredCopy, before: number, after: number): { old: number; new: number } =>
  copy.type === 'bluegreen' ? { old: before, new: after } : splitOf(before, after, weightOf(copy), copy.by)

/** The most resources that the copy itself may use. */
export const besides = ({ steps }: StoredCopy, spec: Sized): Demand => copyDemand(steps, spec)

/** Requests that the new instances answered, and those of them that failed. */
export interface Requests {
  answered: number
  failed: number
}

/**
 * The reason why the new instances break the rule of a step. `hopeless`: why they will never be ready. `use`: what each
 * of them uses, in percent of its limit. `requests`: what they answered during the step, as far as that is known.
 */
export function broken(
  copy: StoredCopy,
  pods: readonly PodRow[],
  hopeless: Reason | null,
  use: readonly number[] = [],
  requests: Requests = { answered: 0, failed: 0 },
): Reason | undefined {
  const { restarts, unready, metric, failed } = copy.rule
  const step = copy.step + 1
  const restarted = pods.flatMap((pod) => pod.containers).reduce((sum, container) => sum + container.restarts, 0)
  if (restarts !== undefined && restarted >= restarts)
    return { key: 'stacks-gray-restarts', vars: { step, count: restarted } }
  const most = Math.max(0, ...use)
  if (metric && most > metric.above)
    return {
      key: metric.name === 'cpu_percent' ? 'stacks-gray-cpu' : 'stacks-gray-memory',
      vars: { step, percent: Math.round(most), above: metric.above },
    }
  const percent = (requests.failed / requests.answered) * 100
  if (failed !== undefined && requests.answered >= fewestRequests && percent > failed)
    return {
      key: 'stacks-gray-failed',
      vars: { step, failed: requests.failed, answered: requests.answered, above: failed },
    }
  if (unready === undefined) return undefined
  const ill = pods.filter((pod) => !pod.serving).length
  if (hopeless || (copy.since !== null && ill >= unready))
    return { key: 'stacks-gray-unready', vars: { step, count: Math.max(ill, 1) } }
  return undefined
}

/** When the pause of the step ends by itself; null if it waits for a user. */
export function endOfPause({ steps, step, since }: StoredCopy): Date | null {
  const pause = steps[step]?.pauseSeconds ?? null
  return since === null || pause === null ? null : new Date(Date.parse(since) + pause * 1000)
}

/** Whether a step is ready but does not continue by itself. After the last one the service waits for its decision. */
export const waitsForPerson = (copy: StoredCopy): boolean =>
  isOpen(copy) && copy.since !== null && !copy.goOn && copy.step < copy.steps.length - 1 && endOfPause(copy) === null

/** What becomes of a ready step at a time: it waits in its pause (`wait`), the `next` begins, or the `last` ends. */
export function turnOf(copy: StoredCopy, now: Date): 'wait' | 'next' | 'last' {
  const end = endOfPause(copy)
  const isLast = copy.step >= copy.steps.length - 1
  // after the last step the service waits for its decision; its pause is only the time for which the rule is watched
  const isOver = copy.goOn || (end === null ? isLast : end <= now)
  return isOver ? (isLast ? 'last' : 'next') : 'wait'
}
