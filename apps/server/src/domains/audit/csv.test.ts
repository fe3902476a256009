import * as fc from 'fast-check'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { csvLine } from './export.service.ts'

test.each([
  [['a', 'b,c', 'd"e', '', 5, -5], 'a,"b,c","d""e",,5,-5\r\n'],
  [['f\ng', 'h\ri', 'j\r\nk'], '"f\ng","h\ri","j\r\nk"\r\n'],
])('%j is one row', (cells, line) => {
  expect(csvLine(cells)).toBe(line)
})

test.each(['=1', '+1', '-1', '@x', '\tx', '\rx', '＝1', '＋1', '－1', '＠x'])('%j is not read as a formula', (cell) => {
  expect(parse(csvLine([cell]))).toEqual([[`'${cell}`]])
})

test('every cell is read back as it was written, except the prefix of a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 5 }), (cells) => {
      const line = csvLine(cells)
      const expected = cells.map((cell) => (/^[=+\-@\t\r＝＋－＠]/.test(cell) ? `'${cell}` : cell))
      expect(parse(line, { record_delimiter: '\r\n' })).toEqual([expected])
    }),
  )
})
