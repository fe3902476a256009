import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { figure, matrixOf, vectorOf } from './values.ts'

describe('figures in Prometheus’ notation', () => {
  test.each([
    ['1', 1],
    ['0.25', 0.25],
    ['1e+06', 1_000_000],
    ['-3', -3],
    ['NaN', null],
    ['+Inf', null],
    ['-Inf', null],
    ['', null],
    [' ', null],
    ['1;drop', null],
  ])('%s', (text, value) => {
    expect(figure(text)).toBe(value)
  })

  test('any figure is read back unchanged', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        // text has one zero, without a sign
        expect(figure(String(value))).toBe(value + 0)
      }),
    )
  })
})

test('an answer of any shape is parsed or refused', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('matrix', 'vector', 'scalar'), (result, resultType) => {
      const data = { resultType, result }
      for (const read of [() => matrixOf(data, 'host', 50), () => vectorOf(data, 'host')])
        try {
          for (const { metric } of read())
            expect(Object.values(metric).every((label) => typeof label === 'string')).toBe(true)
        } catch (error) {
          expect(error).toMatchObject({ key: 'outbound-not-json' })
        }
    }),
  )
})

test('a series', () => {
  const result = [
    {
      metric: { pod: 'a' },
      values: [
        [1.5, '2'],
        [2, 'NaN'],
      ],
    },
  ]
  expect(matrixOf({ resultType: 'matrix', result: [...result, ...result] }, 'host', 1)).toHaveLength(1)
  expect(matrixOf({ resultType: 'matrix', result }, 'host', 50)).toEqual([
    {
      metric: { pod: 'a' },
      points: [
        [1500, 2],
        [2000, null],
      ],
    },
  ])
})
