import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Endpoint } from '@gantry/contract/endpoint'
import type { CallInput } from '../../api/call.ts'
import { read } from '../../api/hooks.ts'
import { useReadAgain } from '../../api/read-again.ts'
import { usePush } from '../../api/use-push.ts'

/** While something is under way and the push channel may be down. */
const unsettledMs = 5000
/** The server tells of pods for two minutes after somebody looked: looking keeps it telling. */
const settledMs = 45_000
/** A rollout says much at once; it is read again so often at the most. */
const gatherMs = 400

/** Reads, and reads again when the topic speaks; at least every 5 s until it has settled. */
export function useFollowed<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  topic: string,
  isSettled: (data: z.output<E['data']>) => boolean,
  options: { enabled?: boolean } = {},
) {
  usePush(topic, useReadAgain([endpoint.method, endpoint.path, input], gatherMs))
  return useQuery({
    ...read(endpoint, input),
    enabled: options.enabled ?? true,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isSettled(data) ? settledMs : unsettledMs),
  })
}
