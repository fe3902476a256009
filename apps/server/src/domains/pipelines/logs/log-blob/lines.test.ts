import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineSplitter } from './lines.ts'

const pieces = fc.array(
  fc.string({ unit: fc.constantFrom('a', 'b', '\n') }).map((text) => Buffer.from(text)),
  { maxLength: 20 },
)

test('any chunks yield the same lines', () => {
  fc.assert(
    fc.property(pieces, (chunks) => {
      const splitter = lineSplitter(1000)
      const lines = [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()]
      const wanted = Buffer.concat(chunks).toString().split('\n')
      if (wanted.at(-1) === '') wanted.pop()
      expect(lines).toEqual(wanted.map((text) => ({ text, more: 0 })))
    }),
  )
})

test('a line without an end keeps its beginning, and counts the rest', () => {
  const splitter = lineSplitter(10)
  for (let turn = 0; turn < 100; turn++) expect(splitter.push(Buffer.from('12345'))).toEqual([])
  expect(splitter.full).toBe(true)
  splitter.pass(1000)
  expect(splitter.push(Buffer.from('6\nnext'))).toEqual([{ text: '1234512345', more: 1491 }])
  expect(splitter.full).toBe(false)
  expect(splitter.end()).toEqual([{ text: 'next', more: 0 }])
})
