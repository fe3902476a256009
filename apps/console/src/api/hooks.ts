import { keepPreviousData, QueryClient, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Endpoint } from '@gantry/contract/endpoint'
import type { Topic } from '@gantry/contract/topic'
import { call, CallError, callingTeam, type CallInput } from './call.ts'
import { isPhrase, t, withWords, type PhraseKey } from './language.ts'
import { toast } from './notices.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { topics?: readonly Topic[] }
  }
}

type DataOf<E extends Endpoint> = z.output<E['data']>

/** Longer waits are told: who looks at a page would take it for broken. */
const mostWaitMs = 5000

/**
 * A refusal is final; without an answer, or after a server error, the read is retried twice, and so it is where the
 * server is overloaded and asks for a little time.
 */
const worthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 &&
  error instanceof CallError &&
  (error.retryAfterMs ?? 0) <= mostWaitMs &&
  (error.status === 0 || error.status >= 502 || (error.status === 429 && error.retryAfterMs !== undefined))

/** As long as the server asks for, and a little more, so that not every console returns at the same moment. */
const retryDelay = (failures: number, error: Error): number => {
  const asked = error instanceof CallError ? error.retryAfterMs : undefined
  return asked === undefined ? 1000 * 2 ** failures : asked + Math.random() * 500
}

/** How long an answer counts as fresh. */
export const freshMs = 3000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: worthRetrying,
      retryDelay,
      staleTime: freshMs,
      // A page that was read ahead shows its refusal, and does not ask for another.
      retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > freshMs,
      networkMode: 'always',
    },
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
      // a GET with an action is a write, whatever is read at its path
      endpoints.some((e) => e.method === method && e.path === path && e.action === undefined) ||
      (meta?.topics?.some((topic) => changed.has(topic)) ?? false),
  })
}

/** The toasts of the specification that name their object. */
const naming = [
  'delete-success',
  'add-success',
  'update-success',
  'option-success',
  'save-success',
  'create-success',
  'upgrade-success',
  'restart-success',
  'manual-trigger-success',
  'stop-success',
  'cancel-success',
  'add-success-role',
  'update-success-role',
  'delete-success-role',
] as const satisfies readonly PhraseKey[]
type Naming = (typeof naming)[number]

const isNaming = (key: PhraseKey): key is Naming => naming.some((one) => one === key)

type Named<E extends Endpoint> = z.input<E['body']> extends { name: string } | { projectName: string } ? true : false

/**
 * What a write is called with. Where its toast names the object and the body does not, the caller does: empty for what
 * there is once, such as a setting.
 */
type WriteInput<E extends Endpoint, O> = CallInput<E> &
  (O extends { done: Naming } ? (Named<E> extends true ? { named?: string } : { named: string }) : { named?: string })

const nameOf = ({ named, body }: { named?: string; body?: unknown }): string => {
  const { name, projectName } = (body ?? {}) as { name?: string; projectName?: string }
  return named ?? projectName ?? name ?? ''
}

/** An object as its toast names it: `Pipeline web`. Its noun is that of the audit name, or of its first part. */
function objectOf({ audit = '' }: Endpoint, name: string): string {
  const noun = [`noun-${audit}`, `noun-${audit.split('.')[0] ?? ''}`].find(isPhrase)
  return [noun ? t(noun) : '', name].filter((part) => part !== '').join(' ')
}

export interface WriteOptions<E extends Endpoint> {
  /** Reads that this write invalidates, besides those of its topics. */
  refreshes?: readonly Endpoint[]
  /** The toast on success. */
  done?: PhraseKey | ((data: DataOf<E>, input: CallInput<E> & { named?: string }) => string)
  /** The caller shows the error itself (as a Form does). */
  quiet?: boolean
}

function doneWords<E extends Endpoint>(
  endpoint: E,
  done: NonNullable<WriteOptions<E>['done']>,
  data: DataOf<E>,
  input: CallInput<E> & { named?: string },
): string {
  if (typeof done === 'function') return done(data, input)
  return isNaming(done) ? t(done, { object: objectOf(endpoint, nameOf(input)) }) : t(done)
}

/** A write. Success refreshes what it changes and shows `done`; an error shows as a toast unless `quiet`. */
export function useWrite<E extends Endpoint, const O extends WriteOptions<E> = WriteOptions<E>>(
  endpoint: E,
  options?: O,
) {
  return useMutation({
    mutationFn: (input: WriteInput<E, O>): Promise<DataOf<E>> => call(endpoint, input),
    onSuccess: async (data, input) => {
      const done = options?.done
      if (done !== undefined) {
        // Without them the toast says what was done, and not to what.
        await withWords('nouns', () => Promise.resolve()).catch(() => undefined)
        toast.ok(doneWords(endpoint, done, data, input as CallInput<E> & { named?: string }))
      }
      await refreshReads([endpoint, ...(options?.refreshes ?? [])])
    },
    onError: (error) => {
      if (!options?.quiet) toast.error(error)
    },
  })
}
