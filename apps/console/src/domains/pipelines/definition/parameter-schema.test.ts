import { Parameter } from '@gantry/contract/pipelines/parameters'
import { mask } from '@gantry/contract/validators'
import { expect, test } from 'vitest'
import { matcherFor, parameterValues } from './parameter-schema.ts'

const declared = [
  { name: 'NOTE' },
  { name: 'TARGET', required: true, pattern: String.raw`v\d+(\.\d+)*` },
  { name: 'COUNT', kind: 'number' as const },
  { name: 'WHERE', kind: 'choice' as const, values: ['quay', 'pier'] },
  { name: 'CODE', kind: 'secret' as const, required: true, pattern: '[a-z]+' },
].map((one) => Parameter.parse(one))

const good = { NOTE: '', TARGET: 'v1.2', COUNT: '-0.5', WHERE: 'pier', CODE: mask }

test.each<[string, Record<string, string | undefined>, Record<string, string>]>([
  ['what fits is accepted, and a mask for a stored secret', {}, {}],
  [
    'what is required is missing',
    { TARGET: undefined, CODE: undefined },
    { TARGET: 'parameter-required', CODE: 'parameter-required' },
  ],
  ['a pattern holds for the whole value', { TARGET: 'v1.2-beta' }, { TARGET: 'parameter-pattern' }],
  ['a number is one', { COUNT: '1e3' }, { COUNT: 'parameter-number' }],
  ['a choice is one of its values', { WHERE: 'dock' }, { WHERE: 'parameter-choice' }],
  ['an optional one may be empty', { COUNT: '', WHERE: '' }, {}],
])('for a build’s parameters %s', async (_, change, problems) => {
  const schema = parameterValues(declared, await matcherFor(declared))
  const { error } = schema.safeParse({ ...good, ...change })
  expect(Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path[0], message]))).toEqual(problems)
})

test('reports a required value that a form omits', () => {
  const [target] = declared.filter(({ required }) => required)
  const schema = parameterValues(target ? [target] : [], () => true)
  expect(schema.safeParse({}).error?.issues).toMatchObject([{ path: ['TARGET'], message: 'parameter-required' }])
})

test('evaluates at once a pattern that would take a backtracking engine forever', async () => {
  const [evil] = [Parameter.parse({ name: 'A', pattern: '(a+)+b' })]
  const schema = parameterValues([evil], await matcherFor([evil]))
  expect(schema.safeParse({ A: 'a'.repeat(4_000) }).success).toBe(false)
})
