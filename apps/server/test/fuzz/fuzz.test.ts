import { callOf } from '@gantry/contract/endpoint'
import { expect, test } from 'vitest'
import { findEndpoints } from '../../src/kernel/find.ts'
import { isFull } from '../full.ts'
import { outOfReach, told, walk } from './walk.ts'

/**
 * `npm test` uses the same seed each time, so that a finding is due to the change. The full suite uses the day's seed
 * and more steps; GANTRY_FUZZ_SEED sets another one, or repeats a run; GANTRY_FUZZ_MINUTES goes on with the next seeds.
 */
const today = Math.floor(Date.now() / 86_400_000)
const first = Number(process.env['GANTRY_FUZZ_SEED'] ?? (isFull ? today : 1))
const minutes = Number(process.env['GANTRY_FUZZ_MINUTES'] ?? 0)

const steps = minutes > 0 || isFull ? 3_000 : 120
/** The share of all calls that a full run may leave unreached, beside those listed as out of reach. */
const allowed = isFull ? 0.05 : 1

test(
  'calls of every kind, by every role and mutated in every way, cause no error, hang or leak of foreign data or secrets',
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
      expect(unreached.length <= allowed * calls ? [] : unreached).toEqual([])
      seed += 1
    } while (Date.now() < until)
  },
)

test('every call listed as out of reach exists', async () => {
  const calls = (await findEndpoints()).map(({ value }) => callOf(value))
  expect(Object.keys(outOfReach).filter((call) => !calls.includes(call))).toEqual([])
})
