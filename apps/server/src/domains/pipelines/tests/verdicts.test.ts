import { expect, test } from 'vitest'
import { verdictOf } from './verdicts.ts'

/** Newest first: `4a-` means build 4 of commit a, failed; `3b+` build 3 of commit b, passed; `2+` has no commit. */
const runs = (text: string) =>
  text.split(' ').flatMap((one) => {
    const [, number, commit = '', sign] = /^(\d+)([a-z]?)([+-])$/.exec(one) ?? []
    return number === undefined ? [] : [{ number: Number(number), commit, failed: sign === '-' }]
  })

test.each([
  ['', false, false],
  ['4a+', false, false],
  ['4a-', false, false],
  ['4b- 3a+', true, false],
  ['4b- 3a- 2a+', false, true],
  ['4b+ 3a-', false, false],
  ['4a- 3a+', true, true],
  ['4a- 3a- 2b+ 1b-', false, true],
  ['4- 3+', true, false],
  // it did not run in the build in question
  ['3b- 2a+', false, false],
])('%j: newly failing %s, flaky %s', (text, newlyFailing, flaky) => {
  expect(verdictOf(runs(text), 4)).toEqual({ newlyFailing, flaky })
})
