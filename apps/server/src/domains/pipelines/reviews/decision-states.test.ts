import { describe, expect, test } from 'vitest'
import { type DecisionEvent, decisionEvent, gateAfter, reviewAfter } from './decision-states.ts'
import { type Obstacle, obstacleOf, requestersOf } from './deciders.ts'

const events: DecisionEvent[] = ['pass', 'lastPass', 'reject', 'expire', 'end', 'retry']
/** `-`: the event is ignored or refused. */
const outcomes = (of: Partial<Record<DecisionEvent, string | null>>) =>
  events.map((event) => of[event] ?? (event in of ? 'forgotten' : '-')).join(' ')

describe('the results of pass, last pass, reject, expire, end and retry for', () => {
  test.for<[keyof typeof reviewAfter, string]>([
    ['waiting', 'waiting passed rejected - cancelled cancelled'],
    ['passed', '- - - - - -'],
    ['rejected', '- - - - - -'],
    ['cancelled', '- - - - - -'],
  ])('a review that is %s', ([state, expected]) => {
    expect(outcomes(reviewAfter[state])).toBe(expected)
  })

  test.for<[keyof typeof gateAfter, string]>([
    ['waiting', 'waiting passed rejected expired over -'],
    ['passed', '- - - - - forgotten'],
    ['rejected', '- - - - - forgotten'],
    ['expired', '- - - - - forgotten'],
    ['over', '- - - - - forgotten'],
  ])('a gate that is %s', ([state, expected]) => {
    expect(outcomes(gateAfter[state])).toBe(expected)
  })

  test.for<[boolean, number, number, DecisionEvent]>([
    [true, 0, 1, 'lastPass'],
    [true, 0, 2, 'pass'],
    [true, 1, 2, 'lastPass'],
    [true, 2, 2, 'lastPass'],
    [false, 0, 1, 'reject'],
    [false, 1, 2, 'reject'],
  ])('pass %s, after %i of %i agreed, is %s', ([pass, agreed, needed, event]) => {
    expect(decisionEvent(pass, agreed, needed)).toBe(event)
  })
})

describe('a decision', () => {
  const named = { users: [1], roles: [7] }
  const question = { waits: true, named: null, requesters: [], decided: [] }
  const may = { id: 1, roleId: null, holds: true }
  test.for<[string, Parameters<typeof obstacleOf>, Obstacle | undefined]>([
    ['is allowed with the permission if nobody is named', [question, may], undefined],
    ['is allowed to a named user', [{ ...question, named }, may], undefined],
    [
      'is allowed to a named role',
      [
        { ...question, named },
        { ...may, id: 2, roleId: 7 },
      ],
      undefined,
    ],
    [
      'is refused to another role',
      [
        { ...question, named },
        { ...may, id: 2, roleId: 8 },
      ],
      'unnamed',
    ],
    ['is refused if the only name is nobody’s', [{ ...question, named: { users: [], roles: [] } }, may], 'unnamed'],
    [
      'is refused without the permission',
      [
        { ...question, named },
        { ...may, holds: false },
      ],
      'lacking',
    ],
    ['is refused to a named user who caused the build', [{ ...question, named, requesters: [3, 1] }, may], 'own'],
    ['is refused to a user who has decided already', [{ ...question, decided: [null, 1] }, may], 'twice'],
    ['is refused once nothing waits any more', [{ ...question, waits: false, decided: [1] }, may], 'over'],
  ])('%s', ([, args, expected]) => {
    expect(obstacleOf(...args)).toBe(expected)
  })

  test('excludes the users who triggered, pushed and retried, each once', () => {
    expect(requestersOf({ userId: 4, requesters: [5, 4] })).toEqual([4, 5])
    expect(requestersOf({ userId: null, requesters: [5] })).toEqual([5])
  })
})
