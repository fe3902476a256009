/** Of one condition of one rule about one service. */
export type State = 'ok' | 'pending' | 'firing' | 'no-data'

export interface AlarmProgress {
  state: State
  /** Since when it is in its state; of `firing`, since when it fires. Epoch milliseconds. */
  since: number
  /** What it was before there was no data, and is again when there is. */
  behind: Exclude<State, 'no-data'> | null
  behindSince: number
  /** Rounds in a row at which a firing one did not hold. */
  clear: number
  /** Rounds in a row without a figure. */
  missing: number
  /** When it was last told that it fires; null: nobody has been told. */
  toldAt: number | null
  acknowledged: boolean
}

export interface Round {
  now: number
  /** Whether the condition holds; null: there is no figure. */
  holds: boolean | null
  forMs: number
  /** 0: it is told once. */
  repeatMs: number
  silenced: boolean
}

/** What the history is told. */
export type Transition = 'fired' | 'resolved' | 'no-data' | 'back'
/** What the channels are told. */
export type Message = 'fired' | 'reminded' | 'resolved'

export interface Step {
  after: AlarmProgress
  happened?: Transition
  tell?: Message
}

/**
 * A figure that is missed once or twice says nothing: a sample may be late, a server may start. After three rounds
 * nobody knows.
 */
export const missingRounds = 3

/**
 * One round below the threshold is no end: figures that swing about it would tell of it each minute. It ends at the
 * second in a row.
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

/** Whatever fires and has told nobody, because it was silenced, is told late. Who acknowledged it is not reminded. */
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

/** Whoever was told of the beginning is told of the end, silenced or not. */
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

/** What it is as soon as there are figures again; how long they were away counts for a condition that held. */
const awake = (before: AlarmProgress): AlarmProgress => ({
  ...before,
  state: before.behind ?? 'ok',
  since: before.behindSince,
  behind: null,
})

/** The next standing, and what there is to say about it. */
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
