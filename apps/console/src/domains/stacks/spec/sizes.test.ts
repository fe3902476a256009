import type { Series } from '@gantry/contract/monitoring/metrics'
import { expect, test } from 'vitest'
import { misfits, sizesFor, usedBy } from './sizes.ts'

const hour = 3_600_000
const series = (values: (number | null)[], container = 'web'): Series => ({
  name: '',
  type: '',
  metric: { container, pod: 'web-1' },
  dps: values.map((value, at) => [at * hour, value]),
})
const now = { cpu: '0.5', memory: '256Mi', cpuRequest: '0.05', memoryRequest: '32Mi' }

test('usage is that of the main containers of all pods, without gaps and side containers', () => {
  const values = Array.from({ length: 99 }, () => 0.1)
  const used = usedBy([series([...values, 0.4]), series([null, null]), series([9, 9], 'proxy')], 'web')
  expect(used).toEqual({ usual: 0.1, most: 0.4, hours: 99 })
  expect(usedBy([series([null])], 'web')).toBeUndefined()
  expect(usedBy([], 'web')).toBeUndefined()
})

test('requests follow the usual usage, limits the maximum, with a margin', () => {
  const sizes = sizesFor(
    { usual: 0.1, most: 0.4, hours: 168 },
    { usual: 100 * 2 ** 20, most: 128 * 2 ** 20, hours: 168 },
  )
  expect(sizes).toEqual({ cpuRequest: '0.11', cpu: '0.6', memoryRequest: '112Mi', memory: '192Mi' })
  expect(misfits(now, sizes)).toEqual(['cpuRequest', 'memoryRequest', 'memory'])
  expect(misfits(now, now)).toEqual([])
})

test('an idle service still gets what a process needs to start', () => {
  const idle = { usual: 0, most: 0, hours: 168 }
  expect(sizesFor(idle, idle)).toEqual({ cpuRequest: '0.01', cpu: '0.01', memoryRequest: '16Mi', memory: '16Mi' })
})
