export interface LogEntry {
  /** RFC 3339 with up to nine digits of a second; empty where the cluster gave none. */
  at: string
  text: string
}

/** A timestamp that compares as text: the cluster omits trailing zeros of the fraction. */
export function stampOf(at: string): string {
  const [, whole = at, fraction = ''] = /^([^.Z]+)(?:\.(\d+))?Z$/.exec(at) ?? []
  return `${whole}.${fraction.padEnd(9, '0')}`
}

/** The position in one container's log, so that a reopened connection delivers no line twice. */
export function logCursor() {
  let last = ''
  let atLast = 0
  let until = ''
  let skip = 0
  return {
    /** A new connection: its first lines are the last ones of before. */
    begin(): void {
      until = last
      skip = atLast
    },
    /** The lines that are new. */
    take(lines: readonly LogEntry[]): LogEntry[] {
      return lines.filter(({ at }) => {
        if (at === '') return true
        const stamp = stampOf(at)
        if (stamp < until) return false
        if (stamp === until && skip > 0) {
          skip -= 1
          return false
        }
        if (stamp > last) {
          last = stamp
          atLast = 1
        } else if (stamp === last) atLast += 1
        return true
      })
    },
  }
}

/** Merges lines of several containers: those that arrive together are sorted by time. */
export const inOrder = <L extends LogEntry>(lines: readonly L[]): L[] =>
  lines
    .map((line) => ({ line, stamp: stampOf(line.at) }))
    .toSorted((a, b) => (a.stamp < b.stamp ? -1 : a.stamp > b.stamp ? 1 : 0))
    .map(({ line }) => line)
