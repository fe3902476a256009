import type { Span } from '@gantry/contract/tracing/traces'
import { expect, test } from 'vitest'
import { criticalPath, rowsOf } from './waterfall.ts'

const span = (id: string, parent: string | null, offset = 0, duration = 1): Span => ({
  id,
  parent,
  offset,
  duration,
  hidden: false,
  service: '',
  operation: '',
  namespace: '',
  pod: '',
  error: false,
  tags: [],
  process: [],
  logs: [],
  place: null,
})
const outline = (spans: Span[], closed: string[] = []) =>
  rowsOf(spans, new Set(closed)).map(({ span: { id }, depth, children }) => `${id} ${depth} ${children}`)

test('callers are above the spans that they call, and a missing caller makes a root', () => {
  const spans = [span('a', null), span('b', 'a'), span('c', 'b'), span('d', 'a'), span('e', 'gone')]
  expect(outline(spans)).toEqual(['a 0 2', 'b 1 1', 'c 2 0', 'd 1 0', 'e 0 0'])
  expect(outline(spans, ['b'])).toEqual(['a 0 2', 'b 1 1', 'd 1 0', 'e 0 0'])
})

test('spans that call themselves, or share an id, are shown once', () => {
  expect(outline([span('a', 'a'), span('a', null), span('b', 'a')])).toEqual(['a 0 1', 'b 1 0'])
})

test('the critical path follows the child that ends last', () => {
  const spans = [span('a', null, 0, 10), span('b', 'a', 1, 3), span('c', 'a', 2, 7), span('d', 'c', 3, 1)]
  expect([...criticalPath(spans)]).toEqual(['a', 'c', 'd'])
  expect(criticalPath([]).size).toBe(0)
})
