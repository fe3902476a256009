import { Work } from '@gantry/contract/agents/work'
import { expect, test } from 'vitest'
import { script, work } from '../test/works.ts'
import { environmentOf, outputsOf } from './outputs.ts'

test('a step sees the outputs of its own job instead of those of an earlier job with the same names', () => {
  const outputs = { 'a.make.KEY': 'theirs', 'make.KEY': 'theirs' }
  const given = Work.parse(work([script('true', { name: 'make' })], { outputs }))
  expect(Object.fromEntries(outputsOf(given, { events: [] }))).toEqual(outputs)
  const own = outputsOf(given, { events: [{ type: 'output', step: 0, values: { KEY: 'own' } }] })
  expect(Object.fromEntries(own)).toEqual({ 'a.make.KEY': 'theirs', 'make.KEY': 'own' })
  expect(environmentOf(own)).toContainEqual({ name: 'GANTRY_OUTPUT_MAKE_KEY', value: 'own' })
})
