import { describe, expect, test } from 'vitest'
import { hitOf, partOf } from './log-part.ts'

describe('lines of a log', () => {
  const answer = {
    step: 0,
    steps: [{ step: 0, first: 0 }],
    lines: [{ n: 999_999, at: null, text: 'end' }],
    total: 1_000_000,
    complete: true,
    truncated: false,
  }
  test('count from 1 for people, from 0 on the wire', () => {
    expect(partOf(answer)).toEqual({
      lines: [{ n: 1_000_000, at: null, text: 'end' }],
      total: 1_000_000,
      complete: true,
    })
    expect(hitOf({ step: 3, n: 999_999, text: 'end' })).toEqual({ part: '3', line: 1_000_000 })
  })
})
