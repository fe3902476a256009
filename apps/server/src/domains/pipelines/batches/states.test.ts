import { BatchState } from '@gantry/contract/batch-edits/batches'
import { describe, expect, test } from 'vitest'
import { type BatchEvent, nextBatch } from './states.ts'

const none = { waiting: 0, changed: 0, unchanged: 0, failed: 0, restoring: 0, restored: 0, left: 0 }
const cases = {
  'all changed': { ...none, changed: 2 },
  'nothing to change': { ...none, unchanged: 2 },
  'some failed': { ...none, changed: 1, failed: 1 },
  'only what is unchanged did not fail': { ...none, unchanged: 1, failed: 1 },
  'all failed': { ...none, failed: 2 },
  'all restored': { ...none, restored: 2 },
  'some left': { ...none, restored: 1, left: 1 },
}

/** The next state for each state and event; any other event is refused. */
const table: [BatchState, BatchEvent, keyof typeof cases, BatchState][] = [
  ['EDITING', 'ended', 'all changed', 'SUCCESS'],
  ['EDITING', 'ended', 'nothing to change', 'SUCCESS'],
  ['EDITING', 'ended', 'some failed', 'PARTIAL_SUCCESS'],
  ['EDITING', 'ended', 'only what is unchanged did not fail', 'PARTIAL_SUCCESS'],
  ['EDITING', 'ended', 'all failed', 'FAILURE'],
  ['EDITING', 'ended', 'all restored', 'SUCCESS'],
  ['EDITING', 'ended', 'some left', 'SUCCESS'],
  ...Object.keys(cases).map(
    (name) =>
      ['RESTORING', 'ended', name, name === 'some left' ? 'RESTORE_FAILURE' : 'RESTORE_SUCCESS'] as [
        BatchState,
        BatchEvent,
        keyof typeof cases,
        BatchState,
      ],
  ),
  ...(Object.keys(cases) as (keyof typeof cases)[]).flatMap((name): typeof table => [
    ['PARTIAL_SUCCESS', 'retry', name, 'EDITING'],
    ['FAILURE', 'retry', name, 'EDITING'],
    ['RESTORE_FAILURE', 'retry', name, 'RESTORING'],
    ['RESTORE_FAILURE', 'restore', name, 'RESTORING'],
  ]),
  ['SUCCESS', 'restore', 'all changed', 'RESTORING'],
  ['SUCCESS', 'restore', 'some failed', 'RESTORING'],
  ['PARTIAL_SUCCESS', 'restore', 'all changed', 'RESTORING'],
  ['PARTIAL_SUCCESS', 'restore', 'some failed', 'RESTORING'],
]

describe.each(BatchState.options)('a batch that is %s', (state) => {
  test.each(['ended', 'retry', 'restore'] as const)('follows the table of states on %s', (event) => {
    for (const [name, counts] of Object.entries(cases)) {
      const [, , , expected] = table.find(([from, on, which]) => from === state && on === event && which === name) ?? []
      expect([name, nextBatch(state, event, counts)]).toEqual([name, expected])
    }
  })
})
