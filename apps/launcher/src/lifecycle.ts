/**
 * One part of the product, seen from outside: what to do next when something happens to it. Pure; supervisor.ts does what
 * this decides.
 */
export interface Lifecycle {
  phase: 'down' | 'starting' | 'up' | 'pausing' | 'stopping'
  /** Ends in a row without a steady run between them. */
  failures: number
  /** It has answered at least once since the launcher started. */
  everUp: boolean
}

export type Occurrence =
  | 'start'
  | 'ready'
  /** It has been up for long enough that earlier failures are forgotten. */
  | 'steady'
  /** It ended with an exit code: by its own decision. */
  | 'left'
  /** A signal ended it, or it could not be spawned. */
  | 'killed'
  | 'pause-over'
  | 'stop'

export type Command =
  { do: 'spawn' } | { do: 'pause'; ms: number } | { do: 'ask-to-end' } | { do: 'ended' } | { do: 'give-up' }

export const initialLifecycle: Lifecycle = { phase: 'down', failures: 0, everUp: false }

/** 0.1 s after the first end, doubled each time, at most 15 s. */
export const pauseAfter = (failures: number): number => Math.min(100 * 2 ** failures, 15_000)

/**
 * `mustStart`: a part without which there is no product. When it leaves by its own decision before it was ever up, it has
 * said why, and trying again would only bury that.
 */
export const next = (state: Lifecycle, occurrence: Occurrence, mustStart: boolean): [Lifecycle, Command?] => {
  switch (occurrence) {
    case 'start':
      return state.phase === 'down' ? [{ ...state, phase: 'starting' }, { do: 'spawn' }] : [state]
    case 'ready':
      return state.phase === 'starting' ? [{ ...state, phase: 'up', everUp: true }] : [state]
    case 'steady':
      return state.phase === 'up' ? [{ ...state, failures: 0 }] : [state]
    case 'left':
    case 'killed':
      if (state.phase === 'stopping') return [{ ...state, phase: 'down' }, { do: 'ended' }]
      if (state.phase !== 'starting' && state.phase !== 'up') return [state]
      if (mustStart && !state.everUp && occurrence === 'left') return [{ ...state, phase: 'down' }, { do: 'give-up' }]
      return [
        { ...state, phase: 'pausing', failures: state.failures + 1 },
        { do: 'pause', ms: pauseAfter(state.failures) },
      ]
    case 'pause-over':
      return state.phase === 'pausing' ? [{ ...state, phase: 'starting' }, { do: 'spawn' }] : [state]
    case 'stop':
      if (state.phase === 'starting' || state.phase === 'up')
        return [{ ...state, phase: 'stopping' }, { do: 'ask-to-end' }]
      if (state.phase === 'pausing') return [{ ...state, phase: 'down' }, { do: 'ended' }]
      return [state]
  }
}
