import { expect, test } from 'vitest'
import { layersOf, mergeValues, stackValues } from './layers.ts'

test('merges mappings by key, replaces everything else, and removes a key by null', () => {
  const below = { web: { replicas: 1, ports: [80, 443] }, cache: { size: 1 }, name: 'a' }
  const above = { web: { ports: [8080] }, cache: null, name: { first: 'b' } }
  expect(mergeValues(below, above)).toEqual({ web: { replicas: 1, ports: [8080] }, name: { first: 'b' } })
})

test('keeps null in values that are merged again, so that it removes the chart’s own value', () => {
  const chart = { cache: { size: 1, age: 2 }, name: 'a' }
  const given = stackValues({ cache: { size: 3 } }, { cache: { age: null }, name: null })
  expect(given).toEqual({ cache: { size: 3, age: null }, name: null })
  expect(mergeValues(chart, given)).toEqual({ cache: { size: 3 } })
})

test('takes each value from the uppermost layer that names it, and omits removed ones', () => {
  const chart = { web: { replicas: 1, host: '' }, cache: { size: 1 }, name: 'a' }
  const last = { web: { host: 'shop.test' }, cache: null }
  const yours = { web: { replicas: 2 }, extra: {} }
  expect(layersOf(chart, last, yours).map(({ path, value, layer }) => [path.join('.'), value, layer])).toEqual([
    ['web', undefined, 'yours'],
    ['web.replicas', 2, 'yours'],
    ['web.host', 'shop.test', 'last'],
    ['name', 'a', 'chart'],
    ['extra', {}, 'yours'],
  ])
})
