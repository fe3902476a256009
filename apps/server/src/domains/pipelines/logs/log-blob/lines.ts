const newline = 0x0a

export interface LogLine {
  text: string
  /** Bytes of the line beyond `text`. */
  more: number
}

export interface LineSplitter {
  /** Takes a chunk of bytes, cut anywhere; returns the lines that end in it. */
  push(chunk: Buffer): LogLine[]
  /** Counts bytes of the open line that are not kept: it is full already. */
  pass(bytes: number): void
  /** The open line has reached `keepBytes`. */
  readonly full: boolean
  /** The last line, if it has no line end. */
  end(): LogLine[]
}

/** Splits a log into lines and keeps `keepBytes` of each, so that memory grows with the chunk and never with a line. */
export function lineSplitter(keepBytes: number): LineSplitter {
  let open: Buffer[] = []
  let kept = 0
  let more = 0

  function keep(part: Buffer): void {
    const room = keepBytes - kept
    // a copy, so that the rest of the chunk can be freed
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
