/**
 * The state machine of a reflector, pure. It lists all pages, then watches from the list's version; a version that the
 * cluster no longer knows (gone) causes a new list. After a failure it pauses, longer each time, until a watch has been
 * open for long enough: no fault causes a storm of requests.
 */
export type Activity = { at: 'listing'; after: string | undefined; limit: number } | { at: 'watching'; version: string }

export type Stage = Activity | { at: 'resting'; wait: number; next: Activity }

export interface ReflectorState {
  stage: Stage
  /** Failures since the last watch that `lived`. */
  failures: number
}

/** `lived`: the watch was open for long enough to trust the cluster again. */
export type ReflectorEvent =
  | { is: 'page'; next: string | undefined; version: string }
  /** The page exceeds the limit of one read. */
  | { is: 'heavy' }
  /** The watch ended normally; `version` is its position. */
  | { is: 'ended'; version: string; lived: boolean }
  | { is: 'gone'; lived: boolean }
  | { is: 'failed'; version: string | undefined; lived: boolean; retryAfter: number | undefined }
  | { is: 'rested' }

export const pageLimit = 500
const smallestPage = 5

const listing = (limit = pageLimit): Activity => ({ at: 'listing', after: undefined, limit })

export const initialState: ReflectorState = { stage: listing(), failures: 0 }

const longestRest = 30_000

/** Half fixed, half random, so that reflectors that failed together do not retry together. */
const rest = (failures: number, random: number): number =>
  Math.min(longestRest, 1000 * 2 ** (failures - 1)) * (0.5 + random / 2)

/** `random` is in [0, 1). */
export function nextState(state: ReflectorState, what: ReflectorEvent, random: number): ReflectorState {
  const { stage } = state
  const failed = (lived: boolean) => (lived ? 0 : state.failures) + 1
  switch (what.is) {
    case 'page':
      if (what.next !== undefined)
        return {
          ...state,
          stage: { at: 'listing', after: what.next, limit: stage.at === 'listing' ? stage.limit : pageLimit },
        }
      return { ...state, stage: { at: 'watching', version: what.version } }
    case 'heavy': {
      const limit = stage.at === 'listing' ? stage.limit : pageLimit
      if (limit <= smallestPage) break
      const after = stage.at === 'listing' ? stage.after : undefined
      return { ...state, stage: { at: 'listing', after, limit: Math.max(smallestPage, Math.floor(limit / 5)) } }
    }
    case 'ended': {
      const next = { at: 'watching', version: what.version } as const
      if (what.lived) return { stage: next, failures: 0 }
      const failures = failed(false)
      return { failures, stage: { at: 'resting', wait: rest(failures, random), next } }
    }
    case 'gone': {
      const failures = failed(what.lived)
      return { failures, stage: { at: 'resting', wait: rest(failures, random), next: listing() } }
    }
    case 'failed': {
      const failures = failed(what.lived)
      const wait = Math.max(rest(failures, random), (what.retryAfter ?? 0) * 1000 * (1 + random / 4))
      // an interrupted list starts again, because its pages must be of one moment
      const next = what.version === undefined ? listing() : ({ at: 'watching', version: what.version } as const)
      return { failures, stage: { at: 'resting', wait, next } }
    }
    case 'rested':
      return stage.at === 'resting' ? { ...state, stage: stage.next } : state
  }
  const failures = failed(false)
  return { failures, stage: { at: 'resting', wait: rest(failures, random), next: listing() } }
}
