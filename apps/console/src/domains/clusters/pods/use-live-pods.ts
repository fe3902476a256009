import { useQueryClient } from '@tanstack/react-query'
import { pods, podsTopic } from '@gantry/contract/clusters/pods'
import { type CallInput } from '../../../api/call.ts'
import { read } from '../../../api/hooks.ts'
import { useReadAgain } from '../../../api/read-again.ts'
import { usePush } from '../../../api/use-push.ts'
import { gatherMs, useScope } from './follow.ts'

/**
 * Keeps a page of pods up to date: a changed pod on it is updated, anything else causes one refetch per moment. If the
 * page is `ordered`, by a filter or a column, a change may also move the row.
 */
export function useLivePods(input: CallInput<typeof pods.list>, ordered: boolean): void {
  const client = useQueryClient()
  const scope = useScope()
  const environment = input.params?.env
  const { queryKey } = read(pods.list, input)
  const readAgain = useReadAgain([pods.list.method, pods.list.path], gatherMs)

  usePush([podsTopic], environment ? { env: environment, scope } : undefined, (change) => {
    if (!change || !('pod' in change)) return readAgain()
    const { pod } = change
    const shown = client.getQueryData(queryKey)
    const there = shown?.items.some(({ uid }) => uid === pod.uid) ?? false
    if (shown && there)
      client.setQueryData(queryKey, {
        ...shown,
        items: shown.items.map((row) => (row.uid === pod.uid ? pod : row)),
      })
    // A pending answer may be from before the change.
    if (!there || ordered || client.isFetching({ queryKey }) > 0) readAgain()
  })
}
