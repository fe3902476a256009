import { existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Fails as long as its mark is not there, and leaves it. */
const mark = process.env['GANTRY_PLANTED'] ?? ''

test('passes at the second try', () => {
  const before = existsSync(mark)
  writeFileSync(mark, '')
  expect(before).toBe(true)
})
