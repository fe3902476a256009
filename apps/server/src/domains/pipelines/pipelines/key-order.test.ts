import { Definition } from '@gantry/contract/pipelines/definition'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { jsonb } from '../../../db/json.ts'
import { testApp } from '../../../../test/test-app.ts'
import { asStored, inOrder, orderOf } from './key-order.ts'

const app = await testApp()

const deploys = (name: string, inputs: Record<string, string>) => ({
  type: 'blueprint' as const,
  name,
  stackUuid: '5d0d6c3c-7a3b-4a39-9c58-0d7a53cf6d3a',
  blueprintId: 1,
  inputs,
})
const written = (steps: ReturnType<typeof deploys>[]) => Definition.parse({ stages: [{ name: 'build', steps }] })

/** A value as PostgreSQL returns it. */
async function throughStorage<V>(value: V): Promise<V> {
  const { rows } = await sql<{ kept: V }>`select ${jsonb(value)} as kept`.execute(app.db)
  return (rows as [{ kept: V }])[0].kept
}

test.each<[string, string[]]>([
  ['none', []],
  ['in the order of their lengths', ['a', 'bb', 'ccc']],
  ['in another', ['ccc', 'bb', 'a', 'B']],
  ['of several bytes each', ['zz', '中', 'é', 'a', '😀']],
  ['that look like paths', ['stages.0', 'a.b.c', 'a', 'a\na']],
])('keys %s are returned as they were written', async (_, keys) => {
  const definition = written([deploys('a', Object.fromEntries(keys.map((key) => [key, 'x']))), deploys('b', {})])
  const stored = await throughStorage({ definition, order: orderOf(definition) })
  expect(JSON.stringify(inOrder(Definition.parse(stored.definition), stored.order))).toBe(JSON.stringify(definition))
  const values = Object.fromEntries(keys.map((key) => [key, 'x']))
  expect(JSON.stringify(asStored(values))).toBe(JSON.stringify(await throughStorage(values)))
})

test('no order is stored for a definition that PostgreSQL returns in order', () => {
  expect(orderOf(written([deploys('a', { a: '1', bb: '2' })]))).toEqual({})
  expect(orderOf(written([deploys('a', { bb: '1', a: '2' })]))).toEqual({
    'stages.0.steps.0.inputs': ['bb', 'a'],
  })
})

test('keys that the order does not contain come last, and those that no longer exist are ignored', () => {
  const [definition, before] = [written([deploys('a', { a: '1', new: '2', z: '3' })]), ['z', 'gone', 'a']]
  const { stages } = inOrder(definition, { 'stages.0.steps.0.inputs': before, 'stages.7.steps': ['x'] })
  expect(JSON.stringify(stages[0]?.steps[0])).toContain('{"z":"3","a":"1","new":"2"}')
})
