import type { BatchState, ItemOutcome } from '@gantry/contract/batch-edits/batches'

type Counts = Readonly<Record<ItemOutcome, number>>

/** `ended`: no item is waiting any longer. `retry` and `restore`: somebody requests it. */
export type BatchEvent = 'ended' | 'retry' | 'restore'

/** The next state of a batch with these outcomes; undefined where the event does not apply. */
export function nextBatch(state: BatchState, event: BatchEvent, counts: Counts): BatchState | undefined {
  switch (event) {
    case 'ended':
      if (state === 'EDITING') return edited(counts)
      if (state === 'RESTORING') return counts.left === 0 ? 'RESTORE_SUCCESS' : 'RESTORE_FAILURE'
      return undefined
    case 'retry':
      if (state === 'PARTIAL_SUCCESS' || state === 'FAILURE') return 'EDITING'
      return state === 'RESTORE_FAILURE' ? 'RESTORING' : undefined
    case 'restore':
      if (state === 'RESTORE_FAILURE') return 'RESTORING'
      return (state === 'SUCCESS' || state === 'PARTIAL_SUCCESS') && counts.changed > 0 ? 'RESTORING' : undefined
  }
}

const edited = ({ changed, unchanged, failed }: Counts): BatchState => {
  if (failed === 0) return 'SUCCESS'
  return changed + unchanged === 0 ? 'FAILURE' : 'PARTIAL_SUCCESS'
}

export const isWorking = (state: BatchState): boolean => state === 'EDITING' || state === 'RESTORING'
