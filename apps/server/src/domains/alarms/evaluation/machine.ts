/** State of one condition of one rule for one service. */
export type State = 'ok' | 'pending' | 'firing' | 'no-data'

export interface AlarmProgress {
  state: State
  /** When this state began; epoch milliseconds. */
  since: number
  /** The state before `no-data`, restored when there are figures again. */
  behind: Exclude<State, 'no-data'> | null
  behindSince: number
  /** Consecutive rounds in which a firing condition did not hold. */
  clear: number
  /** Consecutive rounds without a figure. */
  missing: number
  /** When it was last reported as firing; null if it was not reported. */
  toldAt: number | null
  acknowledged: boolean
}

export interface Round {
  now: number
  /** Whether the condition holds; null: there is no figure. */
  holds: boolean | null
  forMs: number
  /** 0: it is reported once. */
  repeatMs: number
  silenced: boolean
}

/** What is recorded in the history. */
export type Transition = 'fired' | 'resolved' | 'no-data' | 'back'
/** What is sent to the channels. */
export type Message = 'fired' | 'reminded' | 'resolved'

export interface Step {
  after: AlarmProgress
  happened?: Transition
  tell?: Message
}

/**
 * One or two missing figures mean nothing: a sample may be late, a server may restart. After three rounds the state is
 * unknown.
 */
export const missingRounds = 3

/**
 * One round below the threshold does not resolve an alarm: a figure that swings about the threshold would send a
 * message each minute. Two consecutive rounds do.
 */
export const clearRounds = 2

export const fresh = (now: number): AlarmProgress => ({
  state: 'ok',
  since: now,
  behind: null,
  behindSince: now,
  clear: 0,
  missing: 0,
  toldAt: null,
  acknowledged: false,
})

/** An alarm that fired while silenced is sent when the silence ends. An acknowledged alarm sends nothing more. */
function messageOf({ toldAt, acknowledged }: AlarmProgress, { now, silenced, repeatMs }: Round): Message | undefined {
  if (silenced) return undefined
  if (toldAt === null) return acknowledged ? undefined : 'fired'
  return repeatMs > 0 && !acknowledged && now - toldAt >= repeatMs ? 'reminded' : undefined
}

function firing(before: AlarmProgress, look: Round, happened?: Transition): Step {
  const tell = messageOf(before, look)
  const after = { ...before, clear: 0, missing: 0, ...(tell && { toldAt: look.now }) }
  return { after, ...(happened && { happened }), ...(tell && { tell }) }
}

const fires = (before: AlarmProgress, look: Round): Step =>
  firing({ ...before, state: 'firing', since: look.now, toldAt: null, acknowledged: false }, look, 'fired')

/** Whoever was notified that it fires is notified that it resolved, silenced or not. */
const resolves = ({ toldAt }: AlarmProgress, { now }: Round): Step => ({
  after: fresh(now),
  happened: 'resolved',
  ...(toldAt !== null && { tell: 'resolved' as const }),
})

function withoutFigure(before: AlarmProgress, { now }: Round): Step {
  const missing = before.missing + 1
  if (before.state === 'no-data' || missing < missingRounds) return { after: { ...before, missing } }
  const { state: behind, since: behindSince } = before
  return { after: { ...before, missing, state: 'no-data', since: now, behind, behindSince }, happened: 'no-data' }
}

/** The state before the gap; the time of the gap counts towards the duration of a pending condition. */
const awake = (before: AlarmProgress): AlarmProgress => ({
  ...before,
  state: before.behind ?? 'ok',
  since: before.behindSince,
  behind: null,
})

/** The next state, with what to record and what to send. */
export function step(before: AlarmProgress, look: Round): Step {
  const { holds, now, forMs } = look
  if (holds === null) return withoutFigure(before, look)
  if (before.state === 'no-data') {
    const then = step({ ...awake(before), missing: 0 }, look)
    return { ...then, happened: then.happened ?? 'back' }
  }
  const known = { ...before, missing: 0 }
  switch (before.state) {
    case 'ok':
      if (!holds) return { after: known }
      return forMs === 0 ? fires(known, look) : { after: { ...known, state: 'pending', since: now } }
    case 'pending':
      if (!holds) return { after: fresh(now) }
      return now - known.since >= forMs ? fires(known, look) : { after: known }
    case 'firing': {
      if (holds) return firing(known, look)
      const clear = known.clear + 1
      return clear >= clearRounds ? resolves(known, look) : { after: { ...known, clear } }
    }
  }
}
