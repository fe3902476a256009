import { ServiceState } from '@gantry/contract/stacks/states'
import { expect, test } from 'vitest'
import { isUnsettled, nextServiceState, type ServiceEvent } from './states.ts'

test.for<[ServiceState, ServiceEvent, ServiceState | undefined]>([
  ['deploying', 'settled', 'stable'],
  ['deploying', 'gaveUp', 'failed'],
  ['deploying', 'confirm', undefined],
  ['stable', 'upgrade', 'upgrading'],
  ['stable', 'scale', 'deploying'],
  ['stable', 'confirm', undefined],
  ['stable', 'rollBack', undefined],
  ['upgrading', 'settled', 'upgraded'],
  ['upgrading', 'cancel', 'cancelling'],
  ['upgrading', 'rollBack', undefined],
  ['upgrading', 'upgrade', undefined],
  ['upgraded', 'confirm', 'confirming'],
  ['confirming', 'settled', 'stable'],
  ['confirming', 'emptied', 'stopped'],
  ['confirming', 'rollBack', undefined],
  ['upgraded', 'rollBack', 'rolling-back'],
  ['upgraded', 'cancel', undefined],
  ['upgraded', 'scale', undefined],
  ['cancelling', 'settled', 'stable'],
  ['rolling-back', 'settled', 'stable'],
  ['failed', 'cancel', 'cancelling'],
  ['failed', 'upgrade', 'deploying'],
  ['failed', 'settled', undefined],
  ['stable', 'lost', 'failed'],
  ['stable', 'edit', 'deploying'],
  ['stable', 'restart', 'restarting'],
  ['restarting', 'settled', 'stable'],
  ['restarting', 'scale', undefined],
  ['deploying', 'emptied', 'stopped'],
  ['stopped', 'scale', 'deploying'],
  ['stopped', 'upgrade', 'upgrading'],
  ['stopped', 'restart', undefined],
  ['upgrading', 'emptied', 'upgraded'],
  ['upgraded', 'edit', undefined],
  ['upgraded', 'lost', 'failed'],
  ['deploying', 'lost', undefined],
])('%s + %s → %s', ([from, event, to]) => {
  expect(nextServiceState(from, event)).toBe(to)
})

test('everything can be deleted unless it is being deleted, and then no other event is possible', () => {
  for (const state of ServiceState.options)
    expect(nextServiceState(state, 'remove')).toBe(state === 'deleting' ? undefined : 'deleting')
})

test('a state is unsettled exactly if the cluster may settle it or the service is being deleted', () => {
  expect(ServiceState.options.filter(isUnsettled)).toEqual([
    'deploying',
    'restarting',
    'upgrading',
    'confirming',
    'cancelling',
    'rolling-back',
    'deleting',
  ])
})
