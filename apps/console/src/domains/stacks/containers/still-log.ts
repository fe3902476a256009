import type { LogFeed } from '../../../ui/log/log-feed.ts'

/** A log that does not grow, as a log view takes it. */
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
