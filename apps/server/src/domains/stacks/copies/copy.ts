import { copyDemand, GrayBy, GrayHeader, GrayRule, GrayStep, splitOf } from '@gantry/contract/stacks/copies/copy'
import type { Demand } from '@gantry/contract/stacks/demand'
import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import { z } from 'zod'
import type { PodRow } from '../../../adapters/kube/rows/pod-row.ts'
import { type Reason, StoredReason } from '../../../kernel/phrase.ts'

/** What the pods of a service are made of besides its specification: with the same values they stay as they are. */
const PodsBefore = z.object({
  podRevision: z.number().int(),
  podDigest: z.string(),
  restartedAt: z.string().nullable(),
  podDedicated: z.boolean(),
})
export type PodsBefore = z.infer<typeof PodsBefore>

/** What the ways in of the stack are to make of the service's name while its copy is there. */
const Directions = z.object({
  /** The one revision that it means; null: all pods. */
  only: z.number().int().nullable(),
  /** The percentage of the requests that goes to the copy instead; null: none, a header does not help either. */
  weight: z.number().int().nullable(),
  /** Whether the services that open the ways have been asked to follow. */
  told: z.boolean(),
})
export type Directions = z.infer<typeof Directions>

/** The copy of a service beside it, as it is stored; what it runs is the service's specification. */
export const StoredCopy = z.object({
  type: z.enum(['bluegreen', 'gray']),
  /** What the pods of the service itself were made of. */
  before: PodsBefore,
  by: GrayBy.default('instances'),
  header: GrayHeader.nullable().default(null),
  steps: z.array(GrayStep),
  rule: GrayRule,
  /** Null: nothing was asked of any way in. */
  directions: Directions.nullable().default(null),
  step: z.number().int(),
  /** Since when the instances of the step have all been ready; null: they are not yet. */
  since: z.string().nullable(),
  /** Somebody has ended the pause. */
  goOn: z.boolean(),
  /** Why it is taken back by its rule. */
  why: StoredReason.nullable(),
  /** Null while it is there, or on its way in or out. */
  ended: z.enum(['confirmed', 'returned', 'taken-back']).nullable(),
})
export type StoredCopy = z.infer<typeof StoredCopy>

export const isOpen = (copy: StoredCopy | null): copy is StoredCopy => copy !== null && copy.ended === null

export const readCopy = (stored: unknown): StoredCopy | null => (stored === null ? null : StoredCopy.parse(stored))

/** Names of services do not end so: it is the name of a copy. */
export const suffix = '-next'
export const copyName = (service: string): string => `${service}${suffix}`

/** The part of the step that is going on. */
export const weightOf = ({ steps, step }: Pick<StoredCopy, 'steps' | 'step'>): number => steps[step]?.weight ?? 100

/** Whether ways in tell its pods from those of the service; where instances are divided, they are all one service's. */
export const isTold = ({ type, by }: Pick<StoredCopy, 'type' | 'by'>): boolean =>
  type === 'bluegreen' || by === 'requests'

/** How many instances are old and new in the step that is going on. */
export const divided = (copy: StoredCopy, before: number, after: number): { old: number; new: number } =>
  copy.type === 'bluegreen' ? { old: before, new: after } : splitOf(before, after, weightOf(copy), copy.by)

/** The most that the copy itself may use. */
export const besides = ({ steps }: StoredCopy, spec: ServiceSpec): Demand => copyDemand(steps, spec)

/**
 * What of the rule of a step does not hold for the new instances. `hopeless`: why they will not get ready. `use`: what each
 * of them uses, in percent of its limit.
 */
export function broken(
  copy: StoredCopy,
  pods: readonly PodRow[],
  hopeless: Reason | null,
  use: readonly number[] = [],
): Reason | undefined {
  const { restarts, unready, metric } = copy.rule
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
  if (unready === undefined) return undefined
  const ill = pods.filter((pod) => !pod.serving).length
  if (hopeless || (copy.since !== null && ill >= unready))
    return { key: 'stacks-gray-unready', vars: { step, count: Math.max(ill, 1) } }
  return undefined
}

/** When the pause of the step ends by itself; null where it waits for somebody. */
export function endOfPause({ steps, step, since }: StoredCopy): Date | null {
  const pause = steps[step]?.pauseSeconds ?? null
  return since === null || pause === null ? null : new Date(Date.parse(since) + pause * 1000)
}

/** A step that is ready, and does not go on by itself. After the last one the service waits for its decision. */
export const waitsForPerson = (copy: StoredCopy): boolean =>
  isOpen(copy) && copy.since !== null && !copy.goOn && copy.step < copy.steps.length - 1 && endOfPause(copy) === null

/** What a step that is ready comes to at a time: `wait` in its pause, the `next` one, or the end of the `last`. */
export function turnOf(copy: StoredCopy, now: Date): 'wait' | 'next' | 'last' {
  const end = endOfPause(copy)
  const isLast = copy.step >= copy.steps.length - 1
  // after the last step the service waits for its decision; a pause of it is the time in which the rule is watched
  const isOver = copy.goOn || (end === null ? isLast : end <= now)
  return isOver ? (isLast ? 'last' : 'next') : 'wait'
}
