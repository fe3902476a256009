import { beforeAll, describe, expect, test } from 'vitest'
import { demandOf } from '@gantry/contract/stacks/demand'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { loadLanguage } from '../../../api/language.ts'
import { afterChange, shortOf } from './share-after.tsx'
import { noShare, shareProblem } from './team-quota.tsx'

beforeAll(() => loadLanguage('en'))

const sized = (replicas: number, cpu = '1', memory = '1Gi') =>
  ServiceSpec.parse({ image: 'x', replicas, resources: { cpu, memory, cpuRequest: '0.1', memoryRequest: '32Mi' } })

describe("a stack's share after a change", () => {
  const stack = { used: { cpu: 5, memory: 5 } }
  const now = (spec: ServiceSpec, takes = demandOf(spec)) => ({ spec, takes })

  test('adds a new service, with one more instance for upgrades', () => {
    expect(afterChange(stack, { next: sized(2) })).toEqual({ cpu: 8, memory: 8 })
  })
  test('replaces the former size of a changed service', () => {
    expect(afterChange(stack, { now: now(sized(2)), next: sized(1) })).toEqual({ cpu: 4, memory: 4 })
  })
  test('while a change can be undone, or a larger version still runs, the larger size counts', () => {
    expect(afterChange(stack, { now: now(sized(2)), next: sized(1), undoable: true })).toEqual({ cpu: 5, memory: 5 })
    expect(afterChange(stack, { now: now(sized(1), { cpu: 4, memory: 4 }), next: sized(1) })).toEqual({
      cpu: 3,
      memory: 3,
    })
  })
  test('is undefined while the size is unknown', () => {
    expect(afterChange(stack, { next: undefined })).toBeUndefined()
  })
  test('refuses with what to free', () => {
    expect(shortOf({ cpu: 6, memory: null }, { cpu: 8.5, memory: 99 })).toContain('free 2.5 cores')
    expect(shortOf({ cpu: null, memory: 4 }, { cpu: 99, memory: 4.25 })).toContain('free 0.25 GiB')
    expect(shortOf({ cpu: 6, memory: 4 }, { cpu: 6, memory: 4 })).toBeUndefined()
  })
})

describe("a stack's share of the team's quota", () => {
  const quota = {
    envUuid: 'e',
    envName: 'production',
    hard: { cpu: 10, memory: null },
    allocated: { cpu: 8, memory: 64 },
    used: null,
  }

  test('may take the unallocated rest, and the stack’s present share', () => {
    expect(shareProblem(quota, noShare, { cpu: 2, memory: null })).toBeUndefined()
    expect(shareProblem(quota, { cpu: 3, memory: null }, { cpu: 5, memory: null })).toBeUndefined()
  })
  test('is refused with what to free', () => {
    expect(shareProblem(quota, noShare, { cpu: 3, memory: null })).toContain('free 1 core in')
  })
  test('is required if the team has a quota', () => {
    expect(shareProblem(quota, noShare, noShare)).toContain('2 cores are available')
  })
})
