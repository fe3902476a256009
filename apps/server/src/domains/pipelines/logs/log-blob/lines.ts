import { missingMark, rewrites, shortLine, shownLine } from '@gantry/contract/logs/terminal-line'

const newline = 0x0a

/** The longest line that is kept whole. A longer one is cut to its ends, with the count of missing bytes in between. */
export const lineBytes = 1024 * 1024
/** The length of each end, so that a cut line with its middle mark is never longer than an uncut one. */
const endBytes = lineBytes / 2 - 64

export interface WholeLines {
  /** Takes a chunk of bytes, cut anywhere; returns the lines that end in it, as a terminal shows them. */
  push(chunk: Buffer): Buffer
  /** Counts bytes of the open line that are not read because it is too long. */
  pass(bytes: number): void
  /** Whether the open line is too long. */
  readonly full: boolean
  /** The last line, if it has no line end. */
  end(): Buffer
}

/** Splits whole lines into their texts; the last may lack its line end. */
export const textsOf = (lines: Buffer): string[] =>
  lines.length === 0
    ? []
    : lines.toString('utf8', 0, lines.at(-1) === newline ? lines.length - 1 : lines.length).split('\n')

/** The number of bytes without an incomplete character at the end. */
export function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return size > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** The bytes without an incomplete character at the beginning. */
function fromWholeCharacter(bytes: Buffer): Buffer {
  let at = 0
  while (at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++
  return bytes.subarray(at)
}

const controls = [0x08, 0x0d, 0x1b]

/** Whether bytes may move the cursor, erase or set colours: most contain none, and are not decoded to text. */
export const hasControls = (bytes: Buffer): boolean => controls.some((control) => bytes.includes(control))

/** Applies `how` to a part of a line that may end within a character. */
export function rewritten(line: Buffer, how: (text: string) => string): Buffer {
  // latin1, one character a byte, is enough, because control sequences are ASCII
  if (!hasControls(line) || !rewrites(line.toString('latin1'))) return line
  const whole = wholeCharacters(line)
  return Buffer.concat([Buffer.from(how(line.toString('utf8', 0, whole))), line.subarray(whole)])
}

/**
 * Turns a raw log into lines as they are displayed: without what a terminal overwrites, and without the middle of a
 * line longer than `lineBytes`. Memory grows with the chunk and one line.
 */
export function wholeLines(): WholeLines {
  let open: Buffer[] = []
  let bytes = 0
  /** The beginning of a line that is too long; then `open` is its end so far. */
  let head: Buffer | undefined
  let missing = 0

  function keep(part: Buffer): void {
    // a copy, so that the rest of the chunk can be freed
    if (part.length > 0) open.push(Buffer.from(part))
    bytes += part.length
    if (bytes > 2 * lineBytes) shorten()
  }

  function shorten(): void {
    let line = rewritten(open.length === 1 && open[0] ? open[0] : Buffer.concat(open), shortLine)
    if (head === undefined && line.length > lineBytes) {
      head = Buffer.from(line.subarray(0, wholeCharacters(line.subarray(0, endBytes))))
      line = line.subarray(head.length)
    }
    if (head !== undefined && line.length > endBytes) {
      const tail = fromWholeCharacter(line.subarray(line.length - endBytes))
      missing += line.length - tail.length
      line = Buffer.from(tail)
    }
    open = [line]
    bytes = line.length
  }

  function close(): Buffer[] {
    if (bytes > lineBytes || head !== undefined) shorten()
    const line = rewritten(open.length === 1 && open[0] ? open[0] : Buffer.concat(open), shownLine)
    const parts = head === undefined ? [line] : [head, Buffer.from(missingMark(missing)), line]
    open = []
    head = undefined
    bytes = missing = 0
    return parts
  }

  /** Displays the lines of a chunk that are complete, each with its line end. */
  function rendered(lines: Buffer): Buffer {
    if (!hasControls(lines) || !rewrites(lines.toString('latin1'))) return lines
    const text = lines.toString('latin1', 0, lines.length - 1)
    return Buffer.from(
      text
        .split('\n')
        .map((line) => `${rewritten(Buffer.from(line, 'latin1'), shownLine).toString('latin1')}\n`)
        .join(''),
      'latin1',
    )
  }

  return {
    push: function push(chunk: Buffer): Buffer {
      // so that no complete line of a chunk is too long
      if (chunk.length > lineBytes)
        return Buffer.concat([push(chunk.subarray(0, lineBytes)), push(chunk.subarray(lineBytes))])
      const first = chunk.indexOf(newline)
      if (first === -1) {
        keep(chunk)
        return Buffer.alloc(0)
      }
      const last = chunk.lastIndexOf(newline) + 1
      const parts: Buffer[] = []
      let from = 0
      if (bytes > 0) {
        keep(chunk.subarray(0, first))
        parts.push(...close(), chunk.subarray(first, first + 1))
        from = first + 1
      }
      if (last > from) parts.push(rendered(chunk.subarray(from, last)))
      keep(chunk.subarray(last))
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    },
    pass(more) {
      missing += more
    },
    get full() {
      return head !== undefined
    },
    end() {
      if (bytes === 0) return Buffer.alloc(0)
      const line = Buffer.concat(close())
      // a line that shows nothing still counts
      return line.length > 0 ? line : Buffer.from('\r')
    },
  }
}
