import { constants } from 'node:os'

/** Ctrl+C reaches the launcher twice, from the terminal and from npm; both count as one signal. */
const oneWishMs = 500

const pollMs = 1_000

interface Ends {
  drain: () => Promise<void>
  atOnce: (exitCode: number) => void
}

/** The first signal drains, a second one ends at once. The end of the npm that started this counts as a signal. */
export const onEndSignals = ({ drain, atOnce }: Ends): void => {
  let first: number | undefined
  const wish = (signal: NodeJS.Signals): void => {
    const now = performance.now()
    if (first === undefined) {
      first = now
      void drain()
    } else if (now - first > oneWishMs) atOnce(128 + constants.signals[signal])
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => wish(signal))
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    wish('SIGTERM')
  }, pollMs)
}
