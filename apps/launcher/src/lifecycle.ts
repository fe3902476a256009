/**
 * The state of one part of the product, seen from outside. Pure functions decide what to do when something happens to
 * the part; supervisor.ts does it.
 */
export interface Lifecycle {
  phase: 'down' | 'starting' | 'up' | 'pausing' | 'stopping'
  /** Consecutive ends without a steady run between them. */
  failures: number
  /** The part has been ready at least once since the launcher started. */
  everUp: boolean
}

export type Occurrence =
  | 'start'
  | 'ready'
  /** The part has been up for so long that earlier failures no longer count. */
  | 'steady'
  /** The part exited with an exit code, so by its own decision. */
  | 'left'
  /** A signal ended the part, or it could not be spawned. */
  | 'killed'
  | 'pause-over'
  | 'stop'

export type Command =
  | { do: 'spawn' }
  | { do: 'pause'; ms: number }
  | { do: 'ask-to-end' }
  | { do: 'ended' }
  | { do: 'give-up' }

export const initialLifecycle: Lifecycle = { phase: 'down', failures: 0, everUp: false }

/** 0.1 s after the first failure, then doubled each time up to 15 s. */
export const pauseAfter = (failures: number): number => Math.min(100 * 2 ** failures, 15_000)

/**
 * `mustStart`: the product cannot run without this part. If it exits by its own decision before it was ever up, it has
 * printed the reason, and more attempts would only bury that.
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
