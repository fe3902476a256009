export interface LogEntry {
  /** RFC 3339 with up to nine digits of a second; empty if the cluster gave none. */
  at: string
  text: string
}

/** A timestamp that compares as text: the cluster omits trailing zeros of the fraction. */
export function stampOf(at: string): string {
  const [, whole = at, fraction = ''] = /^([^.Z]+)(?:\.(\d+))?Z$/.exec(at) ?? []
  return `${whole}.${fraction.padEnd(9, '0')}`
}

interface HeldLine {
  entry: LogEntry
  stamp: string
  arrived: number
}

interface Source<K> {
  key: K
  lines: HeldLine[]
  from: number
  bytes: number
  /** The last timestamp: a line never precedes an earlier one of its own log, whatever its clock says. */
  stamp: string
  open: boolean
  makeRoom: (() => void) | undefined
}

export interface Feed {
  /** Resolves once there is room for more. */
  push: (entry: LogEntry) => Promise<void>
  /** Ends the log. */
  end: () => void
}

/** How many bytes of one log are held back before reading pauses. */
const maxBytes = 256 * 1024
const lineBytes = 64

/**
 * Merges logs by the time of their lines, each log in its own order. A line waits until every other open log has one to
 * compare, or for `holdMs`, because the logs of pods on other hosts arrive a moment later. Lines that nobody takes are
 * held up to a limit for each log; then reading that log pauses.
 */
export function openMerge<K>(holdMs: number, now: () => number = Date.now) {
  const lanes = new Set<Source<K>>()

  const headOf = ({ lines, from }: Source<K>): HeldLine | undefined => lines[from]

  /** The log with the oldest line, and whether every open log has a line. */
  function oldest(): { lane: Source<K>; head: HeldLine; all: boolean } | undefined {
    let found: { lane: Source<K>; head: HeldLine } | undefined
    let all = true
    for (const lane of lanes) {
      const head = headOf(lane)
      if (head === undefined) all &&= !lane.open
      else if (found === undefined || head.stamp < found.head.stamp) found = { lane, head }
    }
    return found && { ...found, all }
  }

  function leave(lane: Source<K>, { entry }: HeldLine): void {
    lane.from += 1
    lane.bytes -= entry.text.length + lineBytes
    if (lane.from > 1_000 || lane.from === lane.lines.length) {
      lane.lines = lane.lines.slice(lane.from)
      lane.from = 0
    }
    if (lane.bytes < maxBytes / 2) {
      lane.makeRoom?.()
      lane.makeRoom = undefined
    }
    if (!lane.open && lane.lines.length === lane.from) lanes.delete(lane)
  }

  return {
    add(key: K): Feed {
      const lane: Source<K> = { key, lines: [], from: 0, bytes: 0, stamp: '', open: true, makeRoom: undefined }
      lanes.add(lane)
      return {
        push: async (entry) => {
          const stamp = entry.at === '' ? lane.stamp : stampOf(entry.at)
          if (stamp > lane.stamp) lane.stamp = stamp
          lane.lines.push({ entry, stamp: lane.stamp, arrived: now() })
          lane.bytes += entry.text.length + lineBytes
          if (lane.bytes >= maxBytes)
            await new Promise<void>((resolve) => {
              lane.makeRoom = resolve
            })
        },
        end: () => {
          lane.open = false
          if (headOf(lane) === undefined) lanes.delete(lane)
        },
      }
    },
    /** The next lines in order, up to `most`; stops after the line that reaches `maxLength` characters. */
    take(most: number, maxLength = Infinity): { key: K; entry: LogEntry }[] {
      const taken: { key: K; entry: LogEntry }[] = []
      let length = 0
      while (taken.length < most && length < maxLength) {
        const next = oldest()
        if (!next || (!next.all && now() - next.head.arrived < holdMs)) break
        taken.push({ key: next.lane.key, entry: next.head.entry })
        length += next.head.entry.text.length
        leave(next.lane, next.head)
      }
      return taken
    },
    /** Resolves all pending `push` calls. */
    close(): void {
      for (const lane of lanes) lane.makeRoom?.()
      lanes.clear()
    },
  }
}
