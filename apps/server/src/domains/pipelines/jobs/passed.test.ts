import { expect, test } from 'vitest'
import { type EndedStep, passedSteps } from './passed.ts'

const states = { s: 'success', f: 'failed', a: 'aborted', n: 'not_built' } as const

/** Stages are separated by spaces, a step is a letter; a capital letter means that it passed in an earlier attempt. */
const stepsOf = (text: string): EndedStep[] =>
  text
    .split(' ')
    .flatMap((stage, stageIndex) => [...stage].map((letter) => ({ stageIndex, letter })))
    .map(({ stageIndex, letter }, index) => ({
      index,
      stageIndex,
      state: states[letter.toLowerCase() as keyof typeof states],
      passedIn: letter === letter.toUpperCase() ? 1 : null,
    }))

test.each([
  ['the last of three stages failed', 's ss f', [0, 1, 2]],
  ['one in the middle failed', 's f n', [0]],
  ['the first failed', 'sf s n', []],
  ['a step passed before the one that failed, in its stage', 's sf n', [0]],
  ['a step ran after the failure, as it always does', 's fs s', [0]],
  ['a stage was left out by its condition', 'n s f', [0, 1]],
  ['it was stopped in a stage', 's a n', [0]],
  ['it was stopped between two stages', 's n n', []],
  ['it failed before its first step', 'n n n', []],
  ['it failed once all had passed', 's s s', []],
  ['a retry failed at the same stage', 'S SS f', [0, 1, 2]],
  ['a retry came further', 'S s f', [0, 1]],
  ['a retry was stopped before it began', 'S SS n', [0, 1, 2]],
])('%s', (_what, steps, passed) => {
  expect(passedSteps(stepsOf(steps))).toEqual(passed)
})
