// Imported, not the globals: where a test mocks the clock, the waiting stays in real time.
import { clearTimeout, setTimeout } from 'node:timers'
import { inspect } from 'node:util'

/** Real time as well: captured before any test mocks the clock. */
const now = performance.now.bind(performance)

/** Enough to see what is missing, short enough to read. */
const shownChars = 2_000

interface Options {
  /** The limit in ms: a passing test waits much shorter, and only a failing one takes as long. */
  ms?: number
  /** The shortest pause; a pause lasts as long as the read took, if that was longer. */
  everyMs?: number
}

/**
 * The first value of `read` that `isThere` accepts. Until then `read` is called again and again; an exception counts as
 * not yet. After the limit it rejects with the last error's message, or with the last value.
 */
export function eventually<T, There extends T>(
  read: () => T | Promise<T>,
  isThere: (value: T) => value is There,
  options?: Options,
): Promise<There>
export function eventually<T>(
  read: () => T | Promise<T>,
  isThere?: (value: T) => boolean,
  options?: Options,
): Promise<T>
export async function eventually<T>(
  read: () => T | Promise<T>,
  isThere: (value: T) => boolean = () => true,
  { ms = 15_000, everyMs = 50 }: Options = {},
): Promise<T> {
  // Captured here: after the first wait, the stack no longer leads to the test.
  const caller = { stack: '' }
  Error.captureStackTrace(caller, eventually)

  let last: { value: T } | { error: unknown } | undefined
  const over = new AbortController()
  const look = async (): Promise<T | undefined> => {
    while (!over.signal.aborted) {
      const began = now()
      try {
        const value = await read()
        if (isThere(value)) return value
        last = { value }
      } catch (error) {
        last = { error }
      }
      // A slow read is not repeated at once: the awaited work needs the processor too.
      const pause = Math.max(everyMs, now() - began)
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }

  let limit: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(failure(last, ms, caller.stack)), ms)
  })
  try {
    return (await Promise.race([look(), tooLate])) as T
  } finally {
    over.abort()
    clearTimeout(limit)
  }
}

function failure(last: { value: unknown } | { error: unknown } | undefined, ms: number, stack: string): Error {
  const error =
    last && 'error' in last
      ? new Error(last.error instanceof Error ? last.error.message : formatValue(last.error), { cause: last.error })
      : new Error(
          last
            ? `Not so after ${ms} ms, but ${formatValue(last.value)}`
            : `Nothing was read within ${ms} ms: no call ended`,
        )
  error.stack = `Error: ${error.message}\n${stack.slice(stack.indexOf('\n') + 1)}`
  return error
}

function formatValue(value: unknown): string {
  const text = inspect(value, { depth: 6 })
  return text.length > shownChars ? `${text.slice(0, shownChars)}…` : text
}
