import { existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The first run finds no mark, creates it and fails. */
const mark = process.env['GANTRY_PLANTED'] ?? ''

test('passes at the second try', () => {
  const before = existsSync(mark)
  writeFileSync(mark, '')
  expect(before).toBe(true)
})
