import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readList } from './list-body.ts'

async function* cut(text: string, sizes: number[]) {
  const bytes = Buffer.from(text)
  for (let from = 0, nth = 0; from < bytes.length; nth++) {
    const to = from + Math.max(1, sizes[nth % sizes.length] ?? 1)
    yield bytes.subarray(from, to)
    from = to
  }
}
const read = (text: string, sizes = [7], limit = 1e6) => readList<unknown>(cut(text, sizes), limit, 'cluster:6443')

test('the result equals that of JSON.parse, in any chunks', async () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
  const list = fc.record({
    kind: fc.constant('PodList'),
    metadata: fc.dictionary(fc.string(), fc.string({ unit: 'binary' })),
    items: fc.array(object, { maxLength: 8 }),
  })
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(list, sizes, fc.constantFrom(undefined, 1), async (value, sizes, indent) => {
      const text = JSON.stringify(value, undefined, indent)
      expect(await read(text, sizes)).toEqual(JSON.parse(text))
    }),
  )
})

test('an answer without objects yields an empty list', async () => {
  expect(await read('{"metadata":{"resourceVersion":"7"},"items":null}')).toEqual({
    metadata: { resourceVersion: '7' },
    items: [],
  })
  expect(await read('{"metadata":{},"items":[]}')).toEqual({ metadata: {}, items: [] })
})

test.for([
  '',
  '<html>',
  '"text"',
  'null',
  '{}',
  '{"items":"x"}',
  '{"items":[{"a":1}',
  '{"items":[{"a":1]}',
  '{"items":[{"a":}]}',
  ']',
  '[[[',
])('anything but a list is refused: %s', async (text) => {
  await expect(read(text)).rejects.toMatchObject({ kind: 'protocol' })
})

test('an answer beyond the limit is refused while it arrives', async () => {
  let given = 0
  async function* endless() {
    for (;;) yield Buffer.from(given++ === 0 ? '{"items":[' : '{"a":"b"},')
  }
  await expect(readList(endless(), 1000, 's')).rejects.toMatchObject({ kind: 'too-large' })
  expect(given).toBeLessThan(200)
})
