import { expect, test } from 'vitest'
import { ChartProblem } from './chart-index.ts'
import { inThread } from './worker.ts'

const never = new AbortController().signal

test('a document that takes too long ends with its thread, and later ones are read', async () => {
  // a pattern that backtracks through every division of a text
  const schema = JSON.stringify({ properties: { name: { pattern: '^(a+)+$' } } })
  const hostile = { kind: 'values', text: `name: ${'a'.repeat(60)}!`, schema, beneath: '' } as const
  // as many as may run at once
  const ended = await Promise.allSettled([0, 1].map(() => inThread(hostile, never, { cpuMs: 200 })))
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  for (const one of ended) expect(one).toMatchObject({ reason: expect.any(ChartProblem) as ChartProblem })
  expect(await inThread({ ...hostile, text: 'name: a' }, never)).toEqual([])
})

test('an aborted read ends its thread', async () => {
  const bytes = Buffer.from('apiVersion: v1\nentries: {}\n')
  const gone = AbortSignal.abort(new Error('gone'))
  await expect(inThread({ kind: 'index', bytes }, gone)).rejects.toThrow('gone')
  expect(await inThread({ kind: 'index', bytes }, never)).toEqual([])
})
