import { existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Fails as long as its mark is not there, and leaves it: then it skips its only test. */
const mark = process.env['GANTRY_PLANTED'] ?? ''

test.skipIf(existsSync(mark))('fails at first', () => {
  writeFileSync(mark, '')
  expect(1 + 1).toBe(3)
})
