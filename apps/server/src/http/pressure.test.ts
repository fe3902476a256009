import { eventually } from '@gantry/waiting/eventually'
import { expect, test } from 'vitest'
import { openPressure } from './pressure.ts'

test('calls beyond the server’s concurrency are refused until others end', () => {
  const pressure = openPressure(2)
  const leave = pressure.enter('GET /a')
  pressure.enter('GET /b')
  expect(() => pressure.enter('GET /c')).toThrow('server-busy')
  leave()
  expect(() => pressure.enter('GET /c')).not.toThrow()
  pressure.close()
})

test('a blocked event loop is reported with the calls of that second', async () => {
  const pressure = openPressure()
  const reports: { blockedMs: number; calls: string[] }[] = []
  pressure.watch((second) => reports.push(second))
  // the first report shows that the watch has begun
  await eventually(() => expect(reports.length).toBeGreaterThan(0))
  const leave = pressure.enter('GET /heavy')
  const until = performance.now() + 400
  while (performance.now() < until);
  leave()
  await eventually(() =>
    expect(reports.some(({ blockedMs, calls }) => blockedMs >= 200 && calls.includes('GET /heavy'))).toBe(true),
  )
  pressure.close()
})

test('a block that is known to come while nobody waits does not count', async () => {
  const pressure = openPressure()
  const reports: number[] = []
  pressure.watch(({ blockedMs }) => reports.push(blockedMs))
  await eventually(() => expect(reports.length).toBeGreaterThan(0))
  let until = 0
  pressure.apart(() => {
    until = performance.now() + 3_000
    while (performance.now() < until);
  })
  const known = reports.length
  await eventually(() => expect(reports.length).toBeGreaterThan(known))
  expect(reports[known]).toBeLessThan(2_500)
  pressure.close()
})
