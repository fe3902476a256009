import type { LogFeed } from '../../../ui/log/log-feed.ts'

/** Adapts a log that does not grow to the log view. */
export const feedOf = (lines: readonly { at: string; text: string }[], loading: boolean, error: unknown): LogFeed => ({
  first: 1,
  last: lines.length,
  line: (n) => {
    const line = lines[n - 1]
    return line && { n, at: line.at, text: line.text }
  },
  want: () => undefined,
  live: false,
  loading,
  ...(error ? { error } : {}),
})
