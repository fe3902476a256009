/**
 * Hides secrets in a stream of bytes. What comes out depends on the bytes alone, never on how they were cut into chunks: an
 * agent that restarts masks the spool anew and goes on at the byte that the server has.
 *
 * One automaton (Aho and Corasick) for all forms of all secrets: a byte costs one step however many there are, and its
 * state says how many of the last bytes may still become a secret. Only those are held back.
 */
export interface Masker {
  /** The bytes of `chunk`, and of what was held back, that are settled. */
  push: (chunk: Buffer) => Buffer
  /** What is still held back. */
  end: () => Buffer
}

const shown = Buffer.from('******')

/** A longer form is cut into pieces: less is held back, and a part of a key alone is hidden too. */
const piece = 256

/** Forms shorter than this would hide half a log; a secret of its own is hidden at any length. */
const shortest = 4

interface Automaton {
  /** Byte → column; 0 = a byte that is in no form. */
  columns: Uint8Array
  width: number
  /** next[state * width + column] */
  next: Int32Array
  depth: Int32Array
  /** Length of the longest form that ends in this state, 0 = none. */
  found: Int32Array
}

export function masker(secrets: readonly string[]): Masker {
  const forms = formsOf(secrets)
  if (forms.length === 0) return { push: (chunk) => chunk, end: () => Buffer.alloc(0) }
  const { columns, width, next, depth, found } = automaton(forms)

  let state = 0
  /** Bytes that are not out yet; `held` begins at this position of the stream. */
  let held: Buffer = Buffer.alloc(0)
  let start = 0
  let position = 0
  /** Where the last mask ends: one that touches it is part of it. */
  let masked = -1
  /** The open spans of secrets, ordered, apart from each other. */
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

  function settle(upTo: number): Buffer {
    const out: Buffer[] = []
    let at = start
    while (at < upTo) {
      const span = spans[0]
      if (span === undefined || span.from >= upTo) {
        out.push(held.subarray(at - start, upTo - start))
        at = upTo
        break
      }
      if (span.from > at) out.push(held.subarray(at - start, span.from - start))
      // A form that ends here may yet grow to the left: never, since what could is held back. To the right: then it touches.
      if (masked !== Math.max(span.from, at)) out.push(shown)
      at = Math.min(span.to, upTo)
      masked = at
      if (span.to <= upTo) spans.shift()
      else {
        span.from = upTo
        break
      }
    }
    held = held.subarray(upTo - start)
    start = upTo
    return out.length === 1 && out[0] !== undefined ? out[0] : Buffer.concat(out)
  }

  return {
    push(chunk) {
      let s = state
      for (let i = 0; i < chunk.length; i++) {
        s = next[s * width + (columns[chunk[i] as number] as number)] as number
        const length = found[s] as number
        if (length > 0) hide(position + i + 1 - length, position + i + 1)
      }
      state = s
      position += chunk.length
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      return settle(position - (depth[s] as number))
    },
    end() {
      state = 0
      return settle(position)
    },
  }
}

function automaton(forms: readonly Buffer[]): Automaton {
  const columns = new Uint8Array(256)
  let width = 1
  for (const form of forms) for (const byte of form) if (columns[byte] === 0 && width < 256) columns[byte] = width++
  // All 256 values in use: the column of the last one would be 256. It then shares column 0, which no other byte has.
  const most = forms.reduce((sum, form) => sum + form.length, 1)
  const next = new Int32Array(most * width)
  const depth = new Int32Array(most)
  const found = new Int32Array(most)
  let states = 1
  for (const form of forms) {
    let state = 0
    for (const byte of form) {
      const at = state * width + (columns[byte] as number)
      if (next[at] === 0) {
        depth[states] = (depth[state] as number) + 1
        next[at] = states++
      }
      state = next[at] as number
    }
    found[state] = form.length
  }
  // Breadth first, so that a state's fallback is complete before its children ask for it.
  const fallback = new Int32Array(states)
  const queue: number[] = [0]
  for (let i = 0; i < queue.length; i++) {
    const state = queue[i] as number
    const back = fallback[state] as number
    found[state] = Math.max(found[state] as number, found[back] as number)
    for (let column = 0; column < width; column++) {
      const at = state * width + column
      const child = next[at] as number
      const other = state === 0 ? 0 : (next[back * width + column] as number)
      if (child === 0) next[at] = other
      else {
        fallback[child] = other
        queue.push(child)
      }
    }
  }
  return { columns, width, next: next.slice(0, states * width), depth, found }
}

/** Every spelling in which a secret may come into a log, as the bytes to look for. */
export function formsOf(secrets: readonly string[]): Buffer[] {
  const forms = new Map<string, Buffer>()
  const add = (form: Buffer, least = shortest): void => {
    if (form.length < least || form.length === 0) return
    for (let at = 0; at < form.length; at += piece) {
      // The last piece reaches back to full length: a short rest would hide what is no secret.
      const cut = form.subarray(Math.max(0, Math.min(at, form.length - piece)), at + piece)
      forms.set(cut.toString('latin1'), cut)
    }
  }
  for (const secret of secrets) {
    if (secret.trim() === '') continue
    const lines = secret.split(/\r\n|[\r\n]/)
    for (const line of lines) {
      const trimmed = line.trim()
      add(Buffer.from(trimmed), lines.length === 1 ? 1 : shortest)
      for (const spelt of spellings(trimmed)) add(Buffer.from(spelt))
    }
    if (lines.length > 1 && lines.some((line) => line.trim().length < shortest)) add(Buffer.from(secret))
    for (const spelt of spellings(secret)) add(Buffer.from(spelt))
    for (const spelt of base64(Buffer.from(secret))) add(spelt, 6)
    if (lines.length > 1) {
      // A file of it often ends with a line break that the setting has not, or the other way round.
      const other = secret.endsWith('\n') ? secret.trimEnd() : `${secret}\n`
      for (const spelt of base64(Buffer.from(other))) add(spelt, 6)
    }
  }
  return [...forms.values()]
}

function spellings(text: string): string[] {
  let encoded: string
  try {
    encoded = encodeURIComponent(text)
  } catch {
    encoded = text
  }
  const strict = encoded.replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const lower = (s: string): string => s.replaceAll(/%[0-9A-F]{2}/g, (c) => c.toLowerCase())
  const json = JSON.stringify(text).slice(1, -1)
  const all = [
    encoded,
    strict,
    lower(encoded),
    lower(strict),
    strict.replaceAll('%20', '+'),
    encodeURI(safe(text)),
    json,
  ]
  return all.filter((spelt) => spelt !== text)
}

const safe = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed())

/**
 * Base64 of a text that contains the secret, whatever stands before it: the characters that the secret alone decides, at
 * each of the three positions, in both alphabets.
 */
function base64(secret: Buffer): Buffer[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), secret])
      .toString('base64')
      .replace(/=+$/, '')
    const from = before === 0 ? 0 : before + 1
    const to = Math.floor(((before + secret.length) * 8) / 6)
    const sure = text.slice(from, to)
    return [Buffer.from(sure), Buffer.from(sure.replaceAll('+', '-').replaceAll('/', '_'))]
  })
}
