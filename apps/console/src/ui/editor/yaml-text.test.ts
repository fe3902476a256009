import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { offsetOf, readDocument, readDocuments } from './yaml-text.ts'

const schema = z.strictObject({ name: z.string(), limits: z.strictObject({ max: z.number(), min: z.number() }) })

test.each([
  ['name: 5\nlimits: {max: 1, min: 1}', '5'],
  ['name: a\nnope: 1\nlimits: {max: 1, min: 1}', 'nope'],
  ['name: a\nlimits:\n  min: 1\n  max: x', 'x'],
  ['name: a\nlimits:\n  min: 1\n  max: 1\n  odd: 1', 'odd'],
  // a missing field has no position: its parent has
  ['name: a\nlimits:\n  max: 1', 'max: 1'],
  ['limits: {max: 1, min: 1}', 'limits'],
])('%j has an error at %j', (text, at) => {
  const document = parseDocument(text)
  const issue = schema.safeParse(document.toJS()).error?.issues[0]
  if (!issue) throw new Error('nothing is wrong')
  expect(text.slice(offsetOf(document, issue))).toMatch(new RegExp(`^${at}`))
})

test('a duplicate key of a map is an error at its second occurrence, at any depth, in any document', () => {
  const text = 'a: 1\nb: {c: 1, c: 2}\n---\na: 1\n1: x\n"1": y\na: 2\n'
  const errors = readDocuments(text).map((document) => document.errors.map(({ code, pos }) => [code, pos[0]]))
  expect(errors).toEqual([[['DUPLICATE_KEY', text.indexOf('c: 2')]], [['DUPLICATE_KEY', text.lastIndexOf('a: 2')]]])
  expect(readDocument('a: 1\nb: 1\n').errors).toEqual([])
})
