import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'

export interface LogLine {
  /** Its number in the whole log, from 1. */
  n: number
  text: string
  at?: number | string | null
}

/** What a log view needs: numbered lines, some of them loaded, perhaps with more to come. */
export interface LogFeed {
  /** The first line that can still be shown; earlier ones were dropped. */
  first: number
  /** The last existing line; 0 for none. */
  last: number
  /** A loaded line; undefined while it is being fetched. */
  line: (n: number) => LogLine | undefined
  /** Reports the visible lines, so that they are fetched. */
  want: (from: number, to: number) => void
  /** More lines may come. */
  live: boolean
  /** Nothing has arrived yet. */
  loading: boolean
  error?: unknown
}

export interface LogPart {
  lines: readonly LogLine[]
  /** The number of lines so far. */
  total: number
  /** No line will be added. */
  complete: boolean
}

export type ReadLog = (offset: number, limit: number) => Promise<LogPart>

/** A feed outside React: its present state, and a way to subscribe. */
interface Source<F extends LogFeed> {
  get: () => F
  subscribe: (listener: () => void) => () => void
}

function source<F extends LogFeed>(initial: F): Source<F> & { put: (next: F) => void } {
  let now = initial
  const listeners = new Set<() => void>()
  return {
    get: () => now,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    put(next) {
      now = next
      for (const listener of listeners) listener()
    },
  }
}

export const logBlock = 500
/** The number of most recently used blocks that are kept: 30,000 lines. */
const keptBlocks = 60
const pollMs = 2000

/** The blocks of a log that is stored on the server. See usePagedLog. */
export function pagedLog(read: ReadLog): Source<LogFeed> & { wake: () => void } {
  const blocks = new Map<number, readonly LogLine[]>()
  const asking = new Set<number>()
  let total = 0
  let complete = false
  let answered = false
  let quietUntil = 0
  let following = false
  /** Lines were written after the last request. */
  let behind = false
  const blockOf = (n: number): number => Math.floor((n - 1) / logBlock)
  const line = (n: number): LogLine | undefined => blocks.get(blockOf(n))?.[(n - 1) % logBlock]

  function take(part: LogPart): void {
    total = Math.max(total, part.total)
    complete = part.complete
    answered = true
    for (const one of part.lines) {
      // the last line of an answer that a later one has overtaken may have grown since
      if (one.n === part.total && one.n < total && !part.complete) continue
      const at = blockOf(one.n)
      const lines = [...(blocks.get(at) ?? [])]
      lines[(one.n - 1) % logBlock] = one
      // Setting it again makes a block the newest: the map's order is the order of use.
      blocks.delete(at)
      blocks.set(at, lines)
    }
    for (const at of blocks.keys()) {
      if (blocks.size <= keptBlocks) break
      blocks.delete(at)
    }
  }
  async function ask(at: number, offset: number): Promise<void> {
    if (Date.now() < quietUntil) return
    asking.add(at)
    let error: unknown
    try {
      take(await read(offset, logBlock))
    } catch (thrown) {
      // After a failure nothing is requested for a while, however often the view renders.
      error = thrown
      quietUntil = Date.now() + pollMs
    }
    asking.delete(at)
    tell(error)
  }
  function want(from: number, to: number): void {
    // Every line is checked, because a block has gaps if the log grew faster than it was read.
    for (let n = Math.max(1, from); n <= Math.min(to, total); n += 1) {
      if (line(n) === undefined && !asking.has(blockOf(n))) void ask(blockOf(n), blockOf(n) * logBlock)
    }
  }
  /** The last line is requested again, because it may have grown, or been overwritten, since it was read. */
  async function follow(): Promise<void> {
    if (following) {
      behind = true
      return
    }
    following = true
    behind = false
    await ask(-1, total === 0 ? -1 : total - 1)
    following = false
    if (behind) wake()
  }
  function wake(): void {
    if (!complete) void follow()
  }

  const feed = (error?: unknown): LogFeed => ({
    first: 1,
    last: total,
    live: !complete,
    loading: !answered && error === undefined,
    line,
    want,
    ...(answered || error === undefined ? {} : { error }),
  })
  const { get, subscribe, put } = source(feed())
  const tell = (error: unknown): void => put(feed(error))
  return { get, subscribe, wake }
}

/** A stable reader whose implementation can be replaced. */
function exchangeable(read: ReadLog): { read: ReadLog; exchange: (next: ReadLog) => void } {
  let now = read
  return {
    read: (offset, limit) => now(offset, limit),
    exchange: (next) => {
      now = next
    },
  }
}

/**
 * A log stored on the server: any part is fetched when it becomes visible, so that a million lines open at their end at
 * once. `read(offset, limit)` returns lines from an offset that counts from 0, -1 for the last ones. While the log
 * grows, `wake` (a push message) fetches more, as does a poll every two seconds; the last line is read again. Another
 * `key` is another log.
 */
export function usePagedLog(key: string, read: ReadLog): LogFeed & { wake: () => void } {
  const [reader] = useState(() => exchangeable(read))
  useEffect(() => reader.exchange(read))
  const log = useMemo(() => ({ key, ...pagedLog(reader.read) }), [key, reader])
  const feed = useSyncExternalStore(log.subscribe, log.get)
  useEffect(() => {
    log.wake()
    const timer = setInterval(log.wake, pollMs)
    return () => clearInterval(timer)
  }, [log])
  return useMemo(() => ({ ...feed, wake: log.wake }), [feed, log])
}

/** The last `limit` lines of a stream. See useStreamLog. */
export function streamLog(limit: number) {
  let lines: LogLine[] = []
  let last = 0
  let live = true
  let answered = false
  let telling: ReturnType<typeof setTimeout> | undefined
  const feed = (): LogFeed => ({
    first: last - lines.length + 1,
    last,
    live,
    loading: !answered,
    line: (n) => lines[n - (last - lines.length + 1)],
    want: () => undefined,
  })
  const { get, subscribe, put } = source(feed())
  return {
    get,
    subscribe,
    append(added: readonly Omit<LogLine, 'n'>[]): void {
      answered = true
      for (const one of added) lines.push({ ...one, n: ++last })
      // Dropped in batches, because shifting the whole array for every line would dominate the cost.
      if (lines.length > limit * 1.2) lines = lines.slice(-limit)
      // A burst of a thousand messages is rendered once.
      telling ??= setTimeout(() => {
        telling = undefined
        put(feed())
      }, 50)
    },
    clear(): void {
      lines = []
      last = 0
      live = true
      answered = false
      put(feed())
    },
    end(): void {
      live = false
      answered = true
      put(feed())
    },
  }
}

export type StreamLog = LogFeed & Pick<ReturnType<typeof streamLog>, 'append' | 'clear' | 'end'>

/** A stream that is not stored: the last `limit` lines are kept, older ones are dropped and counted. */
export function useStreamLog(limit = 20_000): StreamLog {
  const [log] = useState(() => streamLog(limit))
  const feed = useSyncExternalStore(log.subscribe, log.get)
  return useMemo(() => ({ ...feed, append: log.append, clear: log.clear, end: log.end }), [feed, log])
}
