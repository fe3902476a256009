import type { Reason } from '../../../kernel/phrase.ts'

/** A pod that cannot be evicted yet, and why. */
export interface Waiting {
  namespace: string
  pod: string
  reason: Reason
}

export interface Drain {
  state: 'draining' | 'done' | 'stopped' | 'failed'
  /** Pods that were there when the drain began and have to go. */
  total: number
  remaining: number
  waiting: Waiting[]
  /** Why it failed or was ended by an event in the cluster; while draining: why the cluster does not answer. */
  reason: Reason | null
  /** Consecutive rounds without progress. */
  stalled: number
}

export type DrainEvent =
  /** Somebody starts the drain, or restarts it. */
  | { is: 'asked' }
  /** A round found so many pods still to go; `moved`: one of them was just evicted. */
  | { is: 'looked'; remaining: number; waiting: Waiting[]; moved: boolean }
  /** The cluster did not answer, or answered wrongly: a retry may help. */
  | { is: 'unanswered'; reason: Reason }
  /** The cluster refuses the product a permission that it needs. */
  | { is: 'refused'; reason: Reason }
  /** The node no longer exists, or is another one of the same name. */
  | { is: 'gone' }
  /** Somebody else uncordoned it. */
  | { is: 'uncordoned' }
  /** Somebody ends the maintenance. */
  | { is: 'stopped' }

const initialDrain: Drain = { state: 'draining', total: 0, remaining: 0, waiting: [], reason: null, stalled: 0 }

const ended = (drain: Drain, state: 'stopped' | 'failed', reason: Reason | null): Drain => ({
  ...drain,
  state,
  reason,
  waiting: [],
  stalled: 0,
})

/**
 * The next state of a drain. An event that does not fit leaves it unchanged: a late round changes nothing of an ended
 * drain.
 */
export function nextDrain(drain: Drain | undefined, event: DrainEvent): Drain | undefined {
  if (event.is === 'asked') return drain?.state === 'draining' ? drain : initialDrain
  if (!drain) return drain
  // Both let pods start there again, so the maintenance is over, whatever its progress.
  if (event.is === 'stopped')
    return drain.state === 'draining' || drain.state === 'done' ? ended(drain, 'stopped', null) : drain
  if (drain.state !== 'draining') return drain
  switch (event.is) {
    case 'looked': {
      const { remaining, waiting, moved } = event
      const total = Math.max(drain.total, remaining)
      if (remaining === 0) return { state: 'done', total, remaining, waiting: [], reason: null, stalled: 0 }
      const ahead = moved || remaining < drain.remaining
      return { state: 'draining', total, remaining, waiting, reason: null, stalled: ahead ? 0 : drain.stalled + 1 }
    }
    case 'unanswered':
      return { ...drain, reason: event.reason, stalled: drain.stalled + 1 }
    case 'refused':
      return ended(drain, 'failed', event.reason)
    case 'gone':
      return ended(drain, 'failed', { key: 'hosts-drain-gone', vars: {} })
    case 'uncordoned':
      return ended(drain, 'stopped', { key: 'hosts-drain-uncordoned', vars: {} })
  }
}

const longestPause = 30_000

/** Milliseconds until the next round: short while pods go, longer each time while nothing moves. */
export const pauseOf = ({ stalled }: Pick<Drain, 'stalled'>): number => Math.min(longestPause, 1000 * 2 ** stalled)

interface Toleration {
  key?: string | undefined
  operator?: string | undefined
  value?: string | undefined
  effect?: string | undefined
}

/** Whether a pod also starts on cordoned hosts. */
export const toleratesCordon = (tolerations: readonly Toleration[]): boolean =>
  tolerations.some(
    ({ key = '', operator = 'Equal', value = '', effect = '' }) =>
      (key === 'node.kubernetes.io/unschedulable' || (key === '' && operator === 'Exists')) &&
      (operator === 'Exists' || value === '') &&
      (effect === '' || effect === 'NoSchedule'),
  )

/** What a drain needs to know of a pod. */
export interface DrainPod {
  /** Belongs to a DaemonSet, which restarts it on a cordoned node too, or to a file on the node. */
  bound: boolean
  finished: boolean
  /** It started on the cordoned host although that is cordoned; once evicted it would come back. */
  back: boolean
  deleting: boolean
  /** A controller starts another one elsewhere. */
  controlled: boolean
}

/**
 * What a drain does with a pod. `stays`: it does not concern the drain. `ends`: it is terminating already. `alone`:
 * nothing would start it elsewhere, so its owner has to decide (kubectl evicts these only with --force).
 */
export function partOf({
  bound,
  finished,
  back,
  deleting,
  controlled,
}: DrainPod): 'stays' | 'ends' | 'alone' | 'evict' {
  if (bound || finished || back) return 'stays'
  if (deleting) return 'ends'
  return controlled ? 'evict' : 'alone'
}
