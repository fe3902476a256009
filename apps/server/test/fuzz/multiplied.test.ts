import { dictionary } from '@gantry/contract/validators'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { schemaOf } from '../../src/http/openapi/openapi.ts'
import { growths } from './multiplied.ts'
import { openRandom } from './random.ts'

/** Axes of values, and axes that refer to others, which are slow for a rule that compares all with all. */
const body = z.strictObject({
  name: z.string().max(20),
  axes: dictionary(z.string().max(20), z.array(z.string().max(20)).max(100), 5_000),
})

const grown = (bytes: number) => {
  let named = 0
  const source = {
    random: openRandom(1),
    known: () => undefined,
    fresh: () => `name-${named++}`,
    secret: () => 'secret',
    optional: 0,
  }
  return growths(schemaOf(body, 'input')).map(({ place, grow }) => ({ place, body: grow(source, bytes) }))
}

test('every list and dictionary of a body grows as far as the body allows, with names that never repeat', () => {
  expect(grown(900_000).map(({ place }) => place)).toEqual(['', 'axes', 'axes.*'])
  for (const one of grown(900_000).filter(({ place }) => place !== 'axes.*')) {
    const { axes } = body.parse(one.body)
    const names = Object.keys(axes)
    expect(names.length).toBeGreaterThan(100)
    expect(names.length).toBeLessThanOrEqual(5_000)
    expect(Object.values(axes).flat().length).toBeGreaterThan(10_000)
  }
})

test('a body is about as long as requested', () => {
  for (const { place, body } of grown(60_000).filter(({ place }) => place !== 'axes.*')) {
    const { length } = JSON.stringify(body)
    expect({ place, fits: length > 30_000 && length < 120_000 }).toEqual({ place, fits: true })
  }
})
