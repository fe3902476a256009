import { expect, test } from 'vitest'
import { demandOf, worseOf } from './demand.ts'
import { ServiceSpec } from './spec.ts'

const { resources } = ServiceSpec.parse({ image: 'x', resources: { cpu: '500m', memory: '512Mi' } })

test.each([
  [0, { cpu: 0, memory: 0 }],
  [1, { cpu: 1, memory: 1 }],
  [3, { cpu: 2, memory: 2 }],
])('%i instances need their limits and those of one more', (replicas, demand) => {
  expect(demandOf({ replicas, resources })).toEqual(demand)
})

test('of two that must both fit the larger of each figure counts', () => {
  expect(worseOf({ cpu: 1, memory: 4 }, { cpu: 2, memory: 3 })).toEqual({ cpu: 2, memory: 4 })
})
