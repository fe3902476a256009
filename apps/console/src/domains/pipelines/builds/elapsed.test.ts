import { describe, expect, test } from 'vitest'
import { useConsole } from '../../../../test/app.tsx'
import { elapsed } from './elapsed.ts'

useConsole()

describe('how long something takes', () => {
  const start = '2026-01-01T00:00:00.000Z'
  const after = (ms: number) => Date.parse(start) + ms
  test.each([
    ['nothing before it starts', null, null, 0, ''],
    ['whole seconds while it runs', start, null, 3900, '3 s'],
    ['nothing where the clocks disagree', start, null, -5000, '0 s'],
    ['minutes and seconds', start, null, 65_900, '1 min 5 s'],
    ['its exact length when it has ended', start, '2026-01-01T00:00:00.250Z', 99_000, '250 ms'],
  ])('%s', (_, from, to, ms, text) => {
    expect(elapsed(from, to, after(ms))).toBe(text)
  })
})
