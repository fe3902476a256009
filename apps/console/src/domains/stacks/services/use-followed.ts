import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { CallInput } from '../../../api/call.ts'
import { read } from '../../../api/hooks.ts'
import { type LiveEndpoint, type ParamsOf, useReadAgainOnPush } from '../../../api/use-push.ts'

/** While something is under way and the push channel may be down. */
const unsettledMs = 5000
/** A rollout says much at once; it is read again so often at the most. */
const gatherMs = 400

/** Reads, and reads again when one of the read's topics speaks; at least every 5 s until it has settled. */
export function useFollowed<E extends LiveEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  params: ParamsOf<E>,
  isSettled: (data: z.output<E['data']>) => boolean,
  options: { enabled?: boolean } = {},
) {
  const query = useQuery({
    ...read(endpoint, input),
    enabled: options.enabled ?? true,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isSettled(data) ? false : unsettledMs),
  })
  useReadAgainOnPush(endpoint, input, params, query.data, { gatherMs })
  return query
}
