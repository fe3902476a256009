import { describe, expect, test } from 'vitest'
import { Matrix } from '../definition.ts'
import { combinations, countCombinations } from './matrix.ts'

const values = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`)
const axes = (...lengths: number[]) =>
  Object.fromEntries(lengths.map((length, at) => [`A${at}`, values(length)] as const))
const problems = (matrix: unknown) =>
  Matrix.safeParse(matrix).error?.issues.map(({ path, message }) => [path.join('.'), message])

/** A list whose length may be read, but not its values. */
const closed = (count: number): string[] =>
  new Proxy(values(count), {
    get(list, key) {
      if (key !== 'length') throw new Error(`read ${String(key)}`)
      return list.length
    },
  })

describe('combinations', () => {
  test('come in the order of the axes, the last one changing first', () => {
    expect(combinations({ axes: { OS: ['a', 'b'], NODE: ['1', '2'] }, exclude: [] })).toEqual([
      { OS: 'a', NODE: '1' },
      { OS: 'a', NODE: '2' },
      { OS: 'b', NODE: '1' },
      { OS: 'b', NODE: '2' },
    ])
  })

  test.for([
    ['one value of one axis', [{ A0: 'v0' }], 8],
    ['one combination', [{ A0: 'v1', A1: 'v2', A2: 'v0' }], 11],
    ['what overlaps', [{ A0: 'v0' }, { A1: 'v1' }], 6],
    ['the same twice', [{ A0: 'v0' }, { A0: 'v0' }], 8],
    ['a value that there is none of', [{ A0: 'v9' }], 12],
    ['an axis that there is none of', [{ A0: 'v0', B: 'v0' }], 12],
    ['all of them', [{}], 0],
  ] as const)('are counted correctly, without %s', ([, exclude, count]) => {
    const matrix = { axes: axes(3, 2 * 2, 1), exclude: exclude.map((one) => ({ ...one })) as Record<string, string>[] }
    expect([countCombinations(matrix), combinations(matrix).length]).toEqual([count, count])
  })

  test('may have axes that are named like a method', () => {
    const matrix = { axes: { toString: ['a', 'b'], OS: ['c'] }, exclude: [{ OS: 'c', toString: 'a' }] }
    expect(combinations(matrix)).toEqual([{ toString: 'b', OS: 'c' }])
  })

  test('above the limit are counted by the lengths of the axes alone, and never built', () => {
    const large = {
      axes: Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`A${at}`, closed(100)])),
      exclude: [{ A0: 'v0' }],
    }
    expect(countCombinations(large)).toBe(Infinity)
    expect(() => combinations(large)).toThrow(RangeError)
  })
})

describe('a matrix', () => {
  test.for([
    ['of 100 jobs', { axes: axes(10, 10) }],
    ['of 1000 combinations that leaves most out', { axes: axes(10, 100), exclude: values(91).map((A1) => ({ A1 })) }],
  ] as const)('%s is accepted', ([, matrix]) => {
    expect(problems(matrix)).toBeUndefined()
  })

  test('excludes combinations by numbers and booleans too', () => {
    const taken = Matrix.parse({ axes: { A: ['1', 'true', 'c'] }, exclude: [{ A: 1 }, { A: true }] })
    expect(combinations(taken)).toEqual([{ A: 'c' }])
  })

  test.for([
    ['a list', ['A0']],
    ['a text', 'A0=v0'],
    ['nothing', null],
    ['a list as a value', { A0: ['v0'] }],
    ['a long text', { A0: 'v'.repeat(256) }],
    ['eleven axes', Object.fromEntries(values(11).map((axis) => [axis, 'v0']))],
  ])('refuses to exclude %s', ([, one]) => {
    expect(problems({ axes: axes(2), exclude: [one] })).toEqual([['exclude.0', 'matrix-exclusion']])
  })

  test.for(['B', 'toString'])('refuses to exclude by the axis %s, which it lacks', (axis) => {
    expect(problems({ axes: axes(2), exclude: [{ [axis]: 'v0' }] })).toEqual([['exclude', 'matrix-axis-unknown']])
  })

  test.for([
    ['of 101 jobs', { axes: axes(100, 2), exclude: values(99).map((A0) => ({ A0, A1: 'v0' })) }],
    ['of no job', { axes: axes(2), exclude: [{}] }],
    ['of ten axes with a hundred values each', { axes: axes(...Array.from({ length: 10 }, () => 100)) }],
  ] as const)('%s is refused with one problem', ([, matrix]) => {
    expect(problems(matrix)).toEqual([['axes', 'matrix-too-large']])
  })

  test('is not counted if it has another problem', () => {
    expect(problems({ axes: { A0: ['a', 'a'] }, exclude: [{}] })).toEqual([['axes', 'matrix-values-unique']])
  })
})

test('an axis without values makes no job', () => {
  const matrix = { axes: { a: ['1', '2'], b: [] }, exclude: [{ a: '1' }] }
  expect([countCombinations(matrix), combinations(matrix)]).toEqual([0, []])
})
