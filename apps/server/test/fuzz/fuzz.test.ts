import { callOf } from '@gantry/contract/endpoint'
import { expect, test } from 'vitest'
import { findEndpoints } from '../../src/kernel/find.ts'
import { isFull } from '../full.ts'
import { outOfReach, told, walk } from './walk.ts'

/**
 * `npm test` walks the same way each time, so that a finding is the change's own. The full run takes the day's seed and
 * goes further; GANTRY_FUZZ_SEED walks another way, or the same again; GANTRY_FUZZ_MINUTES walks on, each time with the
 * next seed.
 */
const today = Math.floor(Date.now() / 86_400_000)
const first = Number(process.env['GANTRY_FUZZ_SEED'] ?? (isFull ? today : 1))
const minutes = Number(process.env['GANTRY_FUZZ_MINUTES'] ?? 0)

const steps = minutes > 0 || isFull ? 3_000 : 120
/** Of all calls, that a full walk must reach: what is out of reach counts against it. */
const share = isFull ? 0.95 : 0

test(
  'calls of every kind, by everybody, bent in every way, meet no failure, no wait, no foreign byte and no secret',
  { timeout: (minutes + 10) * 60_000 },
  async () => {
    const until = Date.now() + minutes * 60_000
    let seed = first
    do {
      const walked = await walk({ seed, steps })
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
