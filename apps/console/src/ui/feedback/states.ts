/** The appearance of a state: each tone is a shape and a colour of `StateBadge`. */
export type StateTone = 'ok' | 'bad' | 'warn' | 'busy' | 'wait' | 'idle'

/**
 * Every state of the product, once, so that it looks the same on every screen. A word with two meanings needs two
 * states.
 */
const tones: Record<StateTone, readonly string[]> = {
  ok: [
    'success completed succeeded finished done stable running ready healthy active normal passed online',
    'bound available deployed enabled on sent created allowed restore-success confirmed changed restored',
    'valid ok',
  ],
  bad: [
    'failed failure error unhealthy lost rejected refused crashed restore-failure unreachable credentials expired',
    'disabled not-ready missing failing firing',
  ],
  // A finished upgrade waits for a decision, so it is not simply fine.
  warn: [
    'aborted degraded locked uncompleted partial-success expiring upgraded cordoned released duplicate needs-approval needs-start warning',
    'partly-ready lacking open left no-data',
  ],
  busy: [
    'building started deploying upgrading cancelling rolling-back restarting confirming deleting terminating creating editing',
    'recovering restoring starting stopping draining writing removing cleaning uninstalling',
  ],
  wait: [
    'queued pending inqueue waiting approve unapproved maintenance new unknown never',
    'schedulinggated containercreating podinitializing',
  ],
  idle: [
    'skipped not-built offline paused stopped off inactive terminated manual auto usual cancelled unchanged returned idle',
  ],
}

const toneOfState = new Map(
  Object.entries(tones).flatMap(([tone, lines]) =>
    lines.flatMap((line) => line.split(' ')).map((state) => [state, tone as StateTone] as const),
  ),
)

/** A state's key in the table and in its phrase: lower case with hyphens; `unknown` if it is empty. */
export const stateKey = (state: string | null | undefined): string =>
  (state || 'unknown').toLowerCase().replaceAll(/[ _]/g, '-')

/** The tone of a state, if it is one of the product's. */
export const toneOf = (state: string | null | undefined): StateTone | undefined => toneOfState.get(stateKey(state))

/** The tone of a pod's or container's state in Kubernetes' words: unknown words are bad. */
export function kubernetesTone(word: string, isReady: boolean): StateTone {
  if (word.toLowerCase() === 'running' && !isReady) return 'warn'
  if (/^Init:\d+\/\d+$/.test(word)) return 'wait'
  return toneOf(word) ?? 'bad'
}
