import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { rarestPart } from './rare-part.ts'

const urls = Array.from({ length: 2_000 }, (_, n) =>
  n % 2 === 0 ? `/api/v2/pipelines/${n}/trigger` : `/api/users/${n}`,
)

test('the part that the fewest samples contain is looked up, if it is rare', () => {
  expect(rarestPart(urls, 'Pipelines/98765/').share).toBe(0)
  expect(rarestPart(urls, 'pipelines/users').share).toBe(0)
  expect(rarestPart(urls, 'pipelines/users').part).toHaveLength(8)
})

test('a text with only common parts, or a short one, is looked up as a whole', () => {
  expect(rarestPart(urls, 'pipelines')).toEqual({ part: 'pipelines', share: 0.5 })
  expect(rarestPart(urls, 'zzzz')).toEqual({ part: 'zzzz', share: 0 })
  expect(rarestPart(urls, '/api/v2/pipelines').part).toBe('/api/v2/pipelines')
})

test('the looked-up part is contained in the text, in lower case or unchanged', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 3, maxLength: 40 }), (text) => {
      const { part } = rarestPart(urls, text)
      expect(part === text || text.toLowerCase().includes(part)).toBe(true)
    }),
  )
})
