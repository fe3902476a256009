import { describe, expect, test } from 'vitest'
import { ServiceState } from '@gantry/contract/stacks/states'
import { allows, hasOpenUpgrade, isDegraded, isSettled, type ServiceAction } from './service-states.ts'

const asks: readonly ServiceAction[] = ['upgrade', 'confirm', 'cancel', 'rollBack', 'scale', 'restart', 'remove']

const taken: Record<ServiceState, string> = {
  deploying: 'upgrade remove',
  stable: 'upgrade scale restart remove',
  restarting: 'remove',
  stopped: 'upgrade scale remove',
  upgrading: 'cancel remove',
  upgraded: 'confirm rollBack remove',
  confirming: 'remove',
  cancelling: 'remove',
  'rolling-back': 'remove',
  failed: 'upgrade cancel scale restart remove',
  deleting: '',
}

test.each(ServiceState.options)('the actions that %s accepts', (state) => {
  expect(asks.filter((ask) => allows(state, ask)).join(' ')).toBe(taken[state])
})

test('without a revision to return to, a failed service cannot be cancelled', () => {
  expect(allows('failed', 'cancel', false)).toBe(false)
  expect(allows('failed', 'upgrade', false)).toBe(true)
})

test('an upgrade is open until it is confirmed, cancelled or rolled back', () => {
  const open = ServiceState.options.filter((state) => hasOpenUpgrade({ state, previous: {} }))
  expect(open).toEqual(['upgrading', 'upgraded', 'confirming', 'cancelling', 'rolling-back', 'failed'])
  expect(hasOpenUpgrade({ state: 'failed', previous: null })).toBe(false)
})

const live = { state: 'live', since: null } as const
const whole = { state: 'stable', ready: 2, replicas: 2, live } as const

describe('a service', () => {
  test('is settled when its last request is completely done', () => {
    expect(isSettled(whole)).toBe(true)
    expect(isSettled({ ...whole, ready: 1 })).toBe(false)
    expect(isSettled({ ...whole, state: 'upgrading' })).toBe(false)
    expect(isSettled({ ...whole, live: { state: 'loading', since: null } })).toBe(false)
    expect(isSettled({ ...whole, state: 'failed', ready: 0 })).toBe(true)
  })

  test('is degraded if it has settled without all of its pods, as far as known', () => {
    expect(isDegraded(whole)).toBe(false)
    expect(isDegraded({ ...whole, ready: 1 })).toBe(true)
    expect(isDegraded({ ...whole, state: 'upgrading', ready: 1 })).toBe(false)
    expect(isDegraded({ ...whole, ready: 0, live: { state: 'stale', since: null } })).toBe(false)
  })
})
