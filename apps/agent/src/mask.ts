import { base64Cores, linesOf, piecesOf, spellings } from '@gantry/masking/spellings'

/**
 * Masks secrets in a stream of bytes. The output depends only on the bytes, never on how they were divided into chunks:
 * a restarted agent masks the spool again and continues at the byte that the server has.
 *
 * One automaton (Aho and Corasick) for all forms of all secrets: a byte costs one step however many there are, and its
 * state says how many of the last bytes may still become a secret. Only those are held back.
 */
export interface Masker {
  /** Returns the bytes of `chunk`, and of what was held back, that are final. */
  push: (chunk: Buffer) => Buffer
  /** Returns the bytes that are still held back. */
  end: () => Buffer
}

const replacement = Buffer.from('******')

const lineFeed = 10
const carriageReturn = 13

/** A longer form is split into pieces, so that less is held back. */
const piece = 256

/** Shorter lines and encodings are not masked, as they occur everywhere; a secret of one line is, at any length. */
const shortest = 4

/** Maximum bytes of the encoded forms. Each byte takes some thirty bytes of memory, in every running step. */
const maxEncodedBytes = 4 * 1024 * 1024

/** A form of a secret to search for. Base64 is found even if an encoder has broken it into lines. */
interface Form {
  bytes: Buffer
  base64: boolean
}

interface Automaton {
  /** The state after a first byte: most bytes of a log belong to no form. */
  first: Int32Array
  /** The state after one more byte. */
  next: (state: number, byte: number) => number
  /** The state in which Base64 continues after this line break; 0 if the break is a normal byte here. */
  goingOn: (state: number, lineBreak: number) => number
  /** By state: how many of the last bytes begin a form. */
  depth: Uint16Array
  /** By state: the length of the longest form that ends here; 0 if none does. */
  found: Uint16Array
  /** By state: the length of the longest Base64 form that ends here. */
  foundBase64: Uint16Array
}

/** Base64 that breaks earlier is masked from the break on: else the end of every second line would be held back. */
const beforeBreak = 4

export function masker(secrets: readonly string[]): Masker {
  const forms = formsOf(secrets)
  if (forms.length === 0) return { push: (chunk) => chunk, end: () => Buffer.alloc(0) }
  const { first, next, goingOn, depth, found, foundBase64 } = automaton(forms)

  let state = 0
  /** The number of skipped line breaks, and the places of the latest ones in the stream without them. */
  let skipped = 0
  let breaks: number[] = []
  /** Bytes that were not returned yet; `start` is the position of `pending` in the stream. */
  let pending: Buffer = Buffer.alloc(0)
  let start = 0
  let position = 0
  /** The position at which the last mask ends: an adjacent one is merged with it. */
  let masked = -1
  /** Spans of secrets that are not masked yet, in order and disjoint. */
  let spans: { from: number; to: number }[] = []

  function hide(from: number, to: number): void {
    let last = spans.at(-1)
    while (last !== undefined && last.to >= from) {
      from = Math.min(from, last.from)
      spans.pop()
      last = spans.at(-1)
    }
    spans.push({ from, to })
  }

  const isBroken = (end: number, length: number): boolean => (breaks.at(-1) ?? -1) > end - skipped - length

  /** The position at which a form of this length begins, if it ends at `end`. */
  function startOf(end: number, length: number): number {
    if (!isBroken(end, length)) return end - length
    const whole = end - skipped - length
    const from = breaks.findLast((at) => at > whole && at < whole + beforeBreak) ?? whole
    return from + skipped - breaks.filter((at) => at > from).length
  }

  /** Skips at most one line end: Base64 does not continue after an empty line. */
  function skip(end: number): boolean {
    const at = end - skipped
    if (breaks.at(-2) === at) return false
    breaks = breaks.filter((known) => known > at - piece)
    breaks.push(at)
    skipped++
    return true
  }

  function settle(upTo: number): Buffer {
    const out: Buffer[] = []
    let at = start
    while (at < upTo) {
      const span = spans[0]
      if (span === undefined || span.from >= upTo) {
        out.push(pending.subarray(at - start, upTo - start))
        at = upTo
        break
      }
      if (span.from > at) out.push(pending.subarray(at - start, span.from - start))
      // A span cannot grow to the left, as its beginning would be held back. If it grows to the right, the masks touch.
      if (masked !== Math.max(span.from, at)) out.push(replacement)
      at = Math.min(span.to, upTo)
      masked = at
      if (span.to <= upTo) spans.shift()
      else {
        span.from = upTo
        break
      }
    }
    pending = pending.subarray(upTo - start)
    start = upTo
    return out.length === 1 && out[0] !== undefined ? out[0] : Buffer.concat(out)
  }

  return {
    push(chunk) {
      let s = state
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i] as number
        if (byte <= carriageReturn && (byte === lineFeed || byte === carriageReturn)) {
          const goesOn = goingOn(s, byte)
          if (goesOn !== 0 && skip(position + i)) {
            s = goesOn
            continue
          }
        }
        s = s === 0 ? (first[byte] as number) : next(s, byte)
        const length = found[s] as number
        if (length === 0) continue
        const end = position + i + 1
        if (!isBroken(end, length)) hide(end - length, end)
        else if (foundBase64[s] !== 0) hide(startOf(end, foundBase64[s] as number), end)
      }
      state = s
      position += chunk.length
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      return settle(startOf(position, depth[s] as number))
    },
    end() {
      state = 0
      breaks = []
      const rest = settle(position)
      masked = -1
      return rest
    },
  }
}

/** Stores edges in a hash table instead of 256 entries per state: secrets may have megabytes. */
function automaton(forms: readonly Form[]): Automaton {
  const most = forms.reduce((sum, { bytes }) => sum + bytes.length, 1)
  const parent = new Int32Array(most)
  const byteOf = new Uint8Array(most)
  const fallback = new Int32Array(most)
  const depth = new Uint16Array(most)
  const found = new Uint16Array(most)
  const foundBase64 = new Uint16Array(most)
  /** States that are inside Base64. */
  const within = new Uint8Array(most)
  const bits = Math.ceil(Math.log2(most)) + 1
  /** The child at the end of each edge, in a hash table with open addressing. */
  const edges = new Int32Array(2 ** bits)
  const first = new Int32Array(256)
  /** A bit set of the bytes that lead on from a state, by their last bits: most edges that are looked up miss. */
  const leads = new Uint32Array(most)

  /** The slot of an edge, or the slot where it would be inserted. */
  function slotOf(state: number, byte: number): number {
    let slot = Math.imul(Math.imul(state, 0x9e3779b1) ^ Math.imul(byte + 1, 0x85ebca6b), 0xc2b2ae35) >>> (32 - bits)
    for (;;) {
      const child = edges[slot] as number
      if (child === 0 || (parent[child] === state && byteOf[child] === byte)) return slot
      slot = (slot + 1) & (edges.length - 1)
    }
  }

  function next(state: number, byte: number): number {
    for (; state !== 0; state = fallback[state] as number) {
      if (((leads[state] as number) & (1 << (byte & 31))) === 0) continue
      const child = edges[slotOf(state, byte)] as number
      if (child !== 0) return child
    }
    return first[byte] as number
  }

  function goingOn(state: number, lineBreak: number): number {
    let known = state
    while (within[known] === 0 && known !== 0) known = fallback[known] as number
    return (depth[known] as number) > (depth[next(state, lineBreak)] as number) ? known : 0
  }

  // level by level: the state that a new one falls back to is shorter, so it is already complete
  const longestFirst = forms.toSorted((a, b) => b.bytes.length - a.bytes.length)
  const reached = new Int32Array(forms.length)
  let states = 1
  for (let level = 0, open = forms.length; open > 0; level++) {
    for (let i = 0; i < open; i++) {
      const { bytes, base64 } = longestFirst[i] as Form
      const byte = bytes[level] as number
      const state = reached[i] as number
      if (base64 && level > 0) within[state] = 1
      const slot = slotOf(state, byte)
      let child = edges[slot] as number
      if (child === 0) {
        child = states++
        edges[slot] = child
        leads[state] = (leads[state] as number) | (1 << (byte & 31))
        parent[child] = state
        byteOf[child] = byte
        depth[child] = level + 1
        const back = state === 0 ? 0 : next(fallback[state] as number, byte)
        fallback[child] = back
        found[child] = found[back] as number
        foundBase64[child] = foundBase64[back] as number
        if (state === 0) first[byte] = child
      }
      reached[i] = child
      if (bytes.length !== level + 1) continue
      found[child] = bytes.length
      if (base64) foundBase64[child] = bytes.length
    }
    while (open > 0 && (longestFirst[open - 1] as Form).bytes.length === level + 1) open--
  }
  return { first, next, goingOn, depth, found, foundBase64 }
}

/**
 * Every form in which a secret may occur in a log, as the bytes to search for. All secrets are searched for as they
 * are; encoded forms are added as far as there is space, those of the longest secrets last.
 */
export function formsOf(secrets: readonly string[]): Form[] {
  const forms = new Map<string, Form>()
  const add = (form: Buffer, least = shortest, base64 = false): void => {
    if (form.length < least || form.length === 0) return
    for (const [from, to] of piecesOf(form.length, piece)) {
      const bytes = form.subarray(from, to)
      const key = bytes.toString('latin1')
      forms.set(key, { bytes, base64: base64 || forms.get(key)?.base64 === true })
    }
  }
  const sorted = secrets.filter((secret) => secret.trim() !== '').toSorted((a, b) => a.length - b.length)
  for (const secret of sorted) {
    const lines = linesOf(secret)
    for (const line of lines) add(Buffer.from(line), lines.length === 1 ? 1 : shortest)
    if (lines.length > 1 && lines.some((line) => line.length < shortest)) add(Buffer.from(secret))
  }
  let room = maxEncodedBytes
  const addSpelt = (form: Buffer): void => {
    room -= form.length
    if (room > 0) add(form)
  }
  const addBase64 = (secret: string): void => {
    for (const core of base64Cores(Buffer.from(secret))) {
      room -= core.length
      if (room > 0) add(Buffer.from(core), 6, true)
    }
  }
  for (const secret of sorted) {
    if (room <= 0) break
    const lines = linesOf(secret)
    for (const spelt of spellings(secret)) addSpelt(Buffer.from(spelt))
    addBase64(secret)
    for (const line of lines) for (const spelt of spellings(line)) addSpelt(Buffer.from(spelt))
    if (lines.length > 1) {
      // a file with the secret often ends with a line break that the setting lacks, or the other way round
      addBase64(secret.endsWith('\n') ? secret.trimEnd() : `${secret}\n`)
    }
  }
  return [...forms.values()]
}

/** Returns a function that masks whole texts. */
export function textMask(secrets: readonly string[]): (text: string) => string {
  const mask = masker(secrets)
  return (text) => Buffer.concat([mask.push(Buffer.from(text)), mask.end()]).toString('utf8')
}

/** Masks a whole text. */
export const masked = (text: string, secrets: readonly string[]): string => textMask(secrets)(text)
