import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { offsetOf } from './yaml-place.ts'

const schema = z.strictObject({ name: z.string(), limits: z.strictObject({ max: z.number(), min: z.number() }) })

test.each([
  ['name: 5\nlimits: {max: 1, min: 1}', '5'],
  ['name: a\nnope: 1\nlimits: {max: 1, min: 1}', 'nope'],
  ['name: a\nlimits:\n  min: 1\n  max: x', 'x'],
  ['name: a\nlimits:\n  min: 1\n  max: 1\n  odd: 1', 'odd'],
  // what is missing has no place: what should hold it has
  ['name: a\nlimits:\n  max: 1', 'max: 1'],
  ['limits: {max: 1, min: 1}', 'limits'],
])('%j is wrong at %j', (text, at) => {
  const document = parseDocument(text)
  const issue = schema.safeParse(document.toJS()).error?.issues[0]
  if (!issue) throw new Error('nothing is wrong')
  expect(text.slice(offsetOf(document, issue))).toMatch(new RegExp(`^${at}`))
})
