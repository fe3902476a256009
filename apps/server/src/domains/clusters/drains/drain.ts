import type { Reason } from '../../../kernel/phrase.ts'

/** A pod that cannot go yet, and why. */
export interface Waiting {
  namespace: string
  pod: string
  reason: Reason
}

export interface Drain {
  state: 'draining' | 'done' | 'stopped' | 'failed'
  /** Pods that were there when it began, and that have to go still. */
  total: number
  remaining: number
  waiting: Waiting[]
  /** Why it failed or was stopped by what happened in the cluster; while it drains: why the cluster was not asked. */
  reason: Reason | null
  /** Rounds in a row that got nowhere. */
  stalled: number
}

export type DrainEvent =
  /** Somebody wants the host drained, once more perhaps. */
  | { is: 'asked' }
  /** A round: what has to go and is still there, and whether one of them was told to go just now. */
  | { is: 'looked'; remaining: number; waiting: Waiting[]; moved: boolean }
  /** The cluster did not answer, or not as it should: asking again may help. */
  | { is: 'unanswered'; reason: Reason }
  /** The cluster refuses the product what it needs. */
  | { is: 'refused'; reason: Reason }
  /** The node is not there any more, or another one of its name is. */
  | { is: 'gone' }
  /** Somebody let pods start on it again, beside us. */
  | { is: 'uncordoned' }
  /** Somebody ends the maintenance. */
  | { is: 'stopped' }

const begun: Drain = { state: 'draining', total: 0, remaining: 0, waiting: [], reason: null, stalled: 0 }

const ended = (drain: Drain, state: 'stopped' | 'failed', reason: Reason | null): Drain => ({
  ...drain,
  state,
  reason,
  waiting: [],
  stalled: 0,
})

/** What a drain comes to. What does not fit its state leaves it as it is: a late round changes nothing of what was ended. */
export function nextDrain(drain: Drain | undefined, event: DrainEvent): Drain | undefined {
  if (event.is === 'asked') return drain?.state === 'draining' ? drain : begun
  if (!drain) return drain
  // Both let pods start there again, so the maintenance is over, however far it was.
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

/** Ms until the next round: at once again while pods go, longer each time while they wait. */
export const pauseOf = ({ stalled }: Pick<Drain, 'stalled'>): number => Math.min(longestPause, 1000 * 2 ** stalled)

interface Toleration {
  key?: string | undefined
  operator?: string | undefined
  value?: string | undefined
  effect?: string | undefined
}

/** Whether a pod starts on cordoned hosts, too. */
export const toleratesCordon = (tolerations: readonly Toleration[]): boolean =>
  tolerations.some(
    ({ key = '', operator = 'Equal', value = '', effect = '' }) =>
      (key === 'node.kubernetes.io/unschedulable' || (key === '' && operator === 'Exists')) &&
      (operator === 'Exists' || value === '') &&
      (effect === '' || effect === 'NoSchedule'),
  )

/** What of a pod a drain has to know. */
export interface DrainPod {
  /** Of a DaemonSet, which starts it again on a cordoned node too; or of a file on the node. */
  bound: boolean
  finished: boolean
  /** It was started on the cordoned host, whose cordon it tolerates: once evicted it would come back. */
  back: boolean
  deleting: boolean
  /** Something starts another one elsewhere. */
  controlled: boolean
}

/**
 * What a drain does with a pod. `stays`: it is none of the drain's. `ends`: it is told already. `alone`: nothing would
 * start it elsewhere, so that whoever it belongs to has to decide (kubectl evicts these with --force alone).
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
