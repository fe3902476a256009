import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Endpoint } from '@gantry/contract/endpoint'
import { call, type CallInput } from './call.ts'
import { isPhrase, t, withWords, type PhraseKey } from './language.ts'
import { toast } from './notices.ts'
import { type DataOf, read, refreshReads } from './queries.ts'
import { type Following, useFollow } from './use-push.ts'

type Every = number | false

export interface ReadOptions<E extends Endpoint> extends Following<E> {
  enabled?: boolean
  /** Refetches after this many milliseconds, while the page is visible. */
  every?: Every | ((data: DataOf<E> | undefined) => Every)
  /** Shows the last answer while another page or filter loads. Default: true. */
  keep?: boolean
  staleMs?: number
}

/** A read that is repeated when one of its topics makes the answer outdated. */
export function useRead<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}, options: ReadOptions<E> = {}) {
  const { enabled = true, every = false, keep, staleMs } = options
  const query = useQuery({
    ...read(endpoint, input),
    enabled,
    refetchInterval: typeof every === 'function' ? ({ state }) => every(state.data) : every,
    ...(keep === false ? {} : { placeholderData: keepPreviousData }),
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
  })
  useFollow(enabled ? endpoint : { ...endpoint, topics: [] }, input, query.data, options)
  return query
}

/** The specification's toasts that name their object. */
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
 * The input of a write. If its toast names the object and the body does not, the caller must: empty for objects that
 * exist only once, such as settings.
 */
type WriteInput<E extends Endpoint, O> = CallInput<E> &
  (O extends { done: Naming } ? (Named<E> extends true ? { named?: string } : { named: string }) : { named?: string })

const nameOf = ({ named, body }: { named?: string; body?: unknown }): string => {
  const { name, projectName } = (body ?? {}) as { name?: string; projectName?: string }
  return named ?? projectName ?? name ?? ''
}

/** An object as its toast names it: `Pipeline web`. The noun is that of the audit name, or of its first part. */
function objectOf({ audit = '' }: Endpoint, name: string): string {
  const noun = [`noun-${audit}`, `noun-${audit.split('.')[0] ?? ''}`].find(isPhrase)
  return [noun ? t(noun) : '', name].filter((part) => part !== '').join(' ')
}

export interface WriteOptions<E extends Endpoint> {
  /** The toast on success. */
  done?: PhraseKey | ((data: DataOf<E>, input: CallInput<E> & { named?: string }) => string)
  /** The caller shows the error itself, as a Form does. */
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

/** A write. On success it refreshes the affected reads and shows `done`; on error a toast, unless `quiet`. */
export function useWrite<E extends Endpoint, const O extends WriteOptions<E> = WriteOptions<E>>(
  endpoint: E,
  options?: O,
) {
  return useMutation({
    mutationFn: (input: WriteInput<E, O>): Promise<DataOf<E>> => call(endpoint, input),
    onSuccess: async (data, input) => {
      const done = options?.done
      if (done !== undefined) {
        // Without the nouns the toast names the action but not the object.
        await withWords('nouns', () => Promise.resolve()).catch(() => undefined)
        toast.ok(doneWords(endpoint, done, data, input as CallInput<E> & { named?: string }))
      }
      await refreshReads([endpoint], input)
    },
    onError: (error) => {
      if (!options?.quiet) toast.error(error)
    },
  })
}
