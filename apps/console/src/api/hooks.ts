import { keepPreviousData, QueryClient, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Endpoint } from '@gantry/contract/endpoint'
import type { Topic } from '@gantry/contract/topic'
import { call, CallError, callingTeam, type CallInput } from './call.ts'
import { t, type PhraseKey } from './language.ts'
import { toast } from './notices.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { topics?: readonly Topic[] }
  }
}

type DataOf<E extends Endpoint> = z.output<E['data']>

/** A refusal is final; without an answer, or after a server error, the read is retried twice. */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && error instanceof CallError && (error.status === 0 || error.status >= 502)

/** How long an answer counts as fresh. */
export const freshMs = 3000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: worthRetrying, staleTime: freshMs, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/**
 * The endpoint is the query key, so nobody writes or repeats one. It ends in the team: the same request has another
 * answer for another team.
 */
export const read = <E extends Endpoint>(endpoint: E, input: CallInput<E> = {}) =>
  queryOptions({
    queryKey: [endpoint.method, endpoint.path, input, callingTeam()] as const,
    queryFn: ({ signal }): Promise<DataOf<E>> => call(endpoint, input, signal),
    meta: { topics: endpoint.topics },
  })

export interface ReadOptions {
  enabled?: boolean
  /** Refetches after this many milliseconds, while the page is visible. */
  every?: number | false
  /** Shows the last answer while another page or filter loads. Default: true. */
  keep?: boolean
  staleMs?: number
}

export const useRead = <E extends Endpoint>(endpoint: E, input: CallInput<E> = {}, options: ReadOptions = {}) =>
  useQuery({
    ...read(endpoint, input),
    enabled: options.enabled ?? true,
    refetchInterval: options.every ?? false,
    ...(options.keep === false ? {} : { placeholderData: keepPreviousData }),
    ...(options.staleMs === undefined ? {} : { staleTime: options.staleMs }),
  })

/** Invalidates these reads, and those that share a topic with these writes: they are read again. */
export const refreshReads = (endpoints: readonly Endpoint[]): Promise<unknown> => {
  const changed = new Set(endpoints.flatMap(({ method, topics }) => (method === 'GET' ? [] : topics)))
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [method, path], meta }) =>
      endpoints.some((e) => e.method === method && e.path === path) ||
      (meta?.topics?.some((topic) => changed.has(topic)) ?? false),
  })
}

export interface WriteOptions<E extends Endpoint> {
  /** Reads that this write invalidates, besides those of its topics. */
  refreshes?: readonly Endpoint[]
  /** The toast on success. */
  done?: PhraseKey | ((data: DataOf<E>, input: CallInput<E>) => string)
  /** The caller shows the error itself (as a Form does). */
  quiet?: boolean
}

/** A write. Success refreshes what it changes and shows `done`; an error shows as a toast unless `quiet`. */
export function useWrite<E extends Endpoint>(endpoint: E, options: WriteOptions<E> = {}) {
  return useMutation({
    mutationFn: (input: CallInput<E>): Promise<DataOf<E>> => call(endpoint, input),
    onSuccess: async (data, input) => {
      const { done } = options
      if (done !== undefined) toast.ok(typeof done === 'function' ? done(data, input) : t(done))
      await refreshReads([endpoint, ...(options.refreshes ?? [])])
    },
    onError: (error) => {
      if (!options.quiet) toast.error(error)
    },
  })
}
