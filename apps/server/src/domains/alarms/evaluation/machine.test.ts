import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fresh, type Round, type Message, type AlarmProgress, step } from './machine.ts'

const minute = 60_000

/** One round per minute: `1` the condition holds, `0` it does not, `-` no figure. */
function run(rounds: string, look: Partial<Round> = {}, change: Record<number, Partial<Round>> = {}) {
  let standing: AlarmProgress = fresh(0)
  const states: string[] = []
  const said: string[] = []
  ;[...rounds].forEach((round, at) => {
    const holds = round === '-' ? null : round === '1'
    const done = step(standing, {
      now: (at + 1) * minute,
      holds,
      forMs: 0,
      repeatMs: 0,
      silenced: false,
      ...look,
      ...change[at],
    })
    standing = done.after
    states.push({ ok: 'o', pending: 'p', firing: 'F', 'no-data': 'n' }[standing.state])
    if (done.happened) said.push(`${at}:${done.happened}`)
    if (done.tell) said.push(`${at}:tell ${done.tell}`)
  })
  return { states: states.join(''), said, standing }
}

describe('a condition', () => {
  test.for([
    ['fires at once without a duration', '01', 0, 'oF', ['1:fired', '1:tell fired']],
    ['fires once it has held for long enough', '1111', 2, 'ppFF', ['2:fired', '2:tell fired']],
    ['that holds too briefly is not reported', '110110', 3, 'ppoppo', []],
    [
      'resolves at the second round in which it does not hold',
      '11001',
      0,
      'FFFoF',
      ['0:fired', '0:tell fired', '3:resolved', '3:tell resolved', '4:fired', '4:tell fired'],
    ],
    ['that flaps keeps firing', '1010101', 0, 'FFFFFFF', ['0:fired', '0:tell fired']],
    ['is unknown after three rounds without a figure', '0---0', 0, 'ooono', ['3:no-data', '4:back']],
    ['keeps firing over a gap', '1--1', 0, 'FFFF', ['0:fired', '0:tell fired']],
    [
      'that was firing before a gap fires on and is not reported twice',
      '1---1',
      0,
      'FFFnF',
      ['0:fired', '0:tell fired', '3:no-data', '4:back'],
    ],
    [
      'that was firing before a gap resolves as usual',
      '1---00',
      0,
      'FFFnFo',
      ['0:fired', '0:tell fired', '3:no-data', '4:back', '5:resolved', '5:tell resolved'],
    ],
    ['that was pending keeps its duration over a gap', '1---1', 4, 'pppnF', ['3:no-data', '4:fired', '4:tell fired']],
  ] as const)('%s', ([, rounds, minutes, states, said]) => {
    expect(run(rounds, { forMs: minutes * minute })).toMatchObject({ states, said })
  })

  test('is reported again while it fires, unless somebody acknowledged it', () => {
    expect(run('11111', { repeatMs: 2 * minute }).said).toEqual([
      '0:fired',
      '0:tell fired',
      '2:tell reminded',
      '4:tell reminded',
    ])
    const { standing } = run('1', { repeatMs: minute })
    const later = { now: 60 * minute, holds: true, forMs: 0, repeatMs: minute, silenced: false }
    expect(step({ ...standing, acknowledged: true }, later).tell).toBeUndefined()
    expect(step(standing, later).tell).toBe('reminded')
  })

  test('that fires while silenced is reported when the silence ends, if it still fires', () => {
    const silenced = { silenced: true }
    expect(run('111', {}, { 0: silenced, 1: silenced }).said).toEqual(['0:fired', '2:tell fired'])
    expect(run('1100', silenced).said).toEqual(['0:fired', '3:resolved'])
    expect(run('1100', {}, { 1: silenced, 2: silenced, 3: silenced }).said).toContain('3:tell resolved')
  })
})

test('a resolved message always follows a fired one, and neither is sent twice', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ holds: fc.option(fc.boolean()), silenced: fc.boolean() }), { maxLength: 60 }),
      fc.integer({ min: 0, max: 4 }),
      (rounds, minutes) => {
        let standing = fresh(0)
        let open = false
        rounds.forEach(({ holds, silenced }, at) => {
          const look = { now: (at + 1) * minute, holds, silenced, forMs: minutes * minute, repeatMs: 0 }
          const { after, tell } = step(standing, look)
          standing = after
          const expected: Partial<Record<Message, boolean>> = { fired: false, resolved: true }
          if (tell) expect(open).toBe(expected[tell])
          if (tell) open = tell === 'fired'
          if (after.state === 'ok' || after.state === 'pending') expect(open).toBe(false)
        })
      },
    ),
  )
})
