import { protocol } from '@gantry/contract/agents/protocol'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTimes, writeTimes } from './log-times.ts'

const time = fc.record({
  byte: fc.nat(4 * 1024 * 1024),
  at: fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 }),
})

test('encoded times decode to the same times, and are valid in a request', () => {
  fc.assert(
    fc.property(fc.array(time, { minLength: 1, maxLength: 20 }), (times) => {
      const text = writeTimes(times)
      expect(protocol.log.query.parse({ attempt: 1, offset: 0, times: text }).times).toBe(text)
      expect(readTimes(text)).toEqual(times)
    }),
  )
  expect(readTimes('')).toEqual([])
})
