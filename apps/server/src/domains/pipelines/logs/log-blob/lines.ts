const newline = 0x0a

export interface LogLine {
  text: string
  /** Bytes of the line that are not in `text`. */
  more: number
}

export interface LineSplitter {
  /** Takes bytes cut anywhere; answers the lines that they end. */
  push(chunk: Buffer): LogLine[]
  /** Notes bytes of the open line that nobody is going to look at: all that a line keeps, it has already. */
  pass(bytes: number): void
  /** The open line has all that is kept of it. */
  readonly full: boolean
  /** A last line without its end, as far as it came. */
  end(): LogLine[]
}

/** Splits a log into lines and keeps `keepBytes` of each, so that memory grows with the chunk and never with a line. */
export function lineSplitter(keepBytes: number): LineSplitter {
  let open: Buffer[] = []
  let kept = 0
  let more = 0

  function keep(part: Buffer): void {
    const room = keepBytes - kept
    // a copy: the rest of the chunk is not held with it
    if (room > 0 && part.length > 0) open.push(Buffer.from(part.subarray(0, room)))
    kept += Math.min(room, part.length)
    more += Math.max(0, part.length - room)
  }

  function close(): LogLine {
    const line = { text: Buffer.concat(open).toString('utf8'), more }
    open = []
    kept = more = 0
    return line
  }

  return {
    push(chunk) {
      const first = chunk.indexOf(newline)
      if (first === -1) {
        keep(chunk)
        return []
      }
      keep(chunk.subarray(0, first))
      const lines = [close()]
      const last = chunk.lastIndexOf(newline)
      if (last > first)
        for (const text of chunk.toString('utf8', first + 1, last).split('\n')) lines.push({ text, more: 0 })
      keep(chunk.subarray(last + 1))
      return lines
    },
    pass(bytes) {
      more += bytes
    },
    get full() {
      return kept === keepBytes
    },
    end: () => (kept === 0 ? [] : [close()]),
  }
}
