import { expect, test } from 'vitest'
import { filled } from './variables.ts'

test('an empty value of a variable is a value', () => {
  expect(filled([{ name: 'A' }, { name: 'B', value: 'x', secret: true }])).toEqual([
    { name: 'A', value: '', secret: false },
    { name: 'B', value: 'x', secret: true },
  ])
  expect(filled(undefined)).toEqual([])
})
