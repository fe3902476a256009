import { expect, test } from 'vitest'
import { collectWhenQuiet, quietSeconds } from './quiet.ts'

const silence = (seconds: number): string[][] => Array.from({ length: seconds }, () => [])

test.for([
  ['not while calls come', [...silence(quietSeconds - 1), ['GET /a'], ...silence(quietSeconds - 1)], 0],
  ['once after half a minute without one', silence(quietSeconds * 3), 1],
  ['again after the next calls', [...silence(quietSeconds), ['GET /a'], ...silence(quietSeconds)], 2],
] as const)('the heap is collected %s', ([_when, seconds, times]) => {
  let pass: (second: { blockedMs: number; calls: string[] }) => void = () => undefined
  const collected: unknown[] = []
  const collect = ((options: unknown) => void collected.push(options)) as NodeJS.GCFunction
  collectWhenQuiet({ watch: (watcher) => (pass = watcher), apart: (work) => work() }, collect)
  for (const calls of seconds) pass({ blockedMs: 0, calls: [...calls] })
  expect(collected).toHaveLength(times)
})
