import { describe, expect, test } from 'vitest'
import { initialState, nextState } from './reflector-state.ts'
import type { Activity, ReflectorState, ReflectorEvent, Stage } from './reflector-state.ts'

const list = (after?: string, limit = 500): Activity => ({ at: 'listing', after, limit })
const watchFrom = (version: string): Activity => ({ at: 'watching', version })
const at = (stage: Stage, failures = 0): ReflectorState => ({ stage, failures })
const page = (next?: string): ReflectorEvent => ({ is: 'page', next, version: '7' })
const failed = (version?: string, retryAfter?: number, lived = false): ReflectorEvent => ({
  is: 'failed',
  version,
  retryAfter,
  lived,
})

describe('the next state of a reflector', () => {
  test.each<[string, ReflectorState, ReflectorEvent, ReflectorState]>([
    ['lists the next page', initialState, page('a'), at(list('a'))],
    ['watches from the last page on', at(list('a')), page(), at(watchFrom('7'))],
    ['keeps counting failures while it lists', at(list(), 2), page(), at(watchFrom('7'), 2)],
    ['asks for smaller pages, in place', at(list('a')), { is: 'heavy' }, at(list('a', 100))],
    ['keeps the smaller size', at(list('a', 100)), page('b'), at(list('b', 100))],
    [
      'watches on at once after an orderly end',
      at(watchFrom('7'), 3),
      { is: 'ended', version: '9', lived: true },
      at(watchFrom('9')),
    ],
    [
      'rests after a watch that ended too soon',
      at(watchFrom('7')),
      { is: 'ended', version: '9', lived: false },
      at({ at: 'resting', wait: 750, next: watchFrom('9') }, 1),
    ],
    [
      'lists anew, once, after a rest, when the version is gone',
      at(watchFrom('7')),
      { is: 'gone', lived: false },
      at({ at: 'resting', wait: 750, next: list() }, 1),
    ],
    [
      'rests longer where the new list did not help',
      at(watchFrom('7'), 3),
      { is: 'gone', lived: false },
      at({ at: 'resting', wait: 6000, next: list() }, 4),
    ],
    [
      'counts from one where the watch had lived',
      at(watchFrom('7'), 3),
      { is: 'gone', lived: true },
      at({ at: 'resting', wait: 750, next: list() }, 1),
    ],
    [
      'goes on from its version after a failure of the watch',
      at(watchFrom('7')),
      failed('8'),
      at({ at: 'resting', wait: 750, next: watchFrom('8') }, 1),
    ],
    [
      'begins a list that broke off anew',
      at(list('a', 100)),
      failed(),
      at({ at: 'resting', wait: 750, next: list() }, 1),
    ],
    ['obeys Retry-After', at(list()), failed(undefined, 8), at({ at: 'resting', wait: 9000, next: list() }, 1)],
    [
      'does what it rested for',
      at({ at: 'resting', wait: 1, next: watchFrom('7') }, 2),
      { is: 'rested' },
      at(watchFrom('7'), 2),
    ],
    [
      'gives up on a page that is too large at its smallest, as on a failure',
      at(list('a', 5)),
      { is: 'heavy' },
      at({ at: 'resting', wait: 750, next: list() }, 1),
    ],
  ])('%s', (_, before, what, after) => {
    expect(nextState(before, what, 0.5)).toEqual(after)
  })

  test('retries a cluster that keeps failing every 15 to 30 s', () => {
    let state = initialState
    const waits: number[] = []
    for (let i = 0; i < 40; i++) {
      state = nextState(state, failed(), i % 2 ? 0 : 0.999)
      if (state.stage.at === 'resting') waits.push(state.stage.wait)
      state = nextState(state, { is: 'rested' }, 0)
    }
    expect(waits).toHaveLength(40)
    expect(Math.min(...waits.slice(5))).toBeGreaterThanOrEqual(15_000)
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000)
  })

  test('lists less and less often if a server reports every version as expired', () => {
    let state = initialState
    let rested = 0
    for (let lists = 0; lists < 10; lists++) {
      state = nextState(state, page(), 0)
      state = nextState(state, { is: 'gone', lived: false }, 0)
      if (state.stage.at === 'resting') rested += state.stage.wait
      state = nextState(state, { is: 'rested' }, 0)
    }
    expect(rested).toBeGreaterThan(60_000)
  })
})
