import { callOf } from '@gantry/contract/endpoint'
import { expect, test } from 'vitest'
import { findEndpoints } from '../../src/kernel/find.ts'
import { outOfReach, told, walk } from './walk.ts'

/**
 * `npm test` walks once, by the day's seed: whoever lands second on a day is not stopped by what the first did not see.
 * GANTRY_FUZZ_SEED walks another way, or the same again; GANTRY_FUZZ_MINUTES walks on, each time with the next seed.
 */
const today = Math.floor(Date.now() / 86_400_000)
const first = Number(process.env['GANTRY_FUZZ_SEED'] ?? today)
const minutes = Number(process.env['GANTRY_FUZZ_MINUTES'] ?? 0)

const steps = minutes > 0 ? 3_000 : 700
const withinMs = minutes > 0 ? 300_000 : 45_000
/** Of all calls, that a walk must reach: what is out of reach counts against it. */
const share = 0.95

test(
  'calls of every kind, by everybody, bent in every way, meet no failure, no wait, no foreign byte and no secret',
  { timeout: (minutes + 10) * 60_000 },
  async () => {
    const until = Date.now() + minutes * 60_000
    let seed = first
    do {
      const walked = await walk({ seed, steps, withinMs })
      const { findings, reached, calls, sent, statuses, unreached } = walked
      process.stdout.write(
        `fuzz: seed ${seed}, ${sent} requests, ${reached} of ${calls} calls reached, ${JSON.stringify(statuses)}\n`,
      )
      expect(told(seed, findings)).toBe('')
      expect(reached / calls >= share ? [] : unreached).toEqual([])
      seed += 1
    } while (Date.now() < until)
  },
)

test('what is said to be out of reach is there', async () => {
  const calls = (await findEndpoints()).map(({ value }) => callOf(value))
  expect(Object.keys(outOfReach).filter((call) => !calls.includes(call))).toEqual([])
})
