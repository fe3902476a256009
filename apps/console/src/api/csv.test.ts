import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

const one = (text: string): string => csvOf([[text]])

test.for(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('%j does not become a formula', (text) => {
  expect(one(text)).toBe(`\uFEFF'${text}\r\n`)
})

test('a formula behind a quotation mark stays in one cell, prefixed with an apostrophe', () => {
  expect(one('=HYPERLINK("http://x.test","y")')).toBe(`\uFEFF"'=HYPERLINK(""http://x.test"",""y"")"\r\n`)
})

test('cells keep their texts', () => {
  expect(csvOf([['小明', 'a,b', 'two\nlines', '']])).toBe('\uFEFF小明,"a,b","two\nlines",\r\n')
})
