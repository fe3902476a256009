import { mask } from '@gantry/contract/validators'

/** Shorter ones would tear holes into ordinary text. */
const shortest = 6

/** A longer spelling is looked for in pieces, so that what one place of a text costs does not grow with the secrets. */
const longestPiece = 32

/** What is looked for of a secret, by its beginning; keys, tokens and files of credentials are far smaller. */
const most = { lines: 2_000, text: 65_536, spelling: 8_000 }

/** base64 without the characters at either end that depend on what stands around the secret, for each of its three offsets. */
const base64Cores = (secret: string): string[] =>
  [0, 1, 2].map((offset) => {
    const bytes = Buffer.from(secret)
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    return encoded.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6))
  })

function spellings(secret: string): string[] {
  const text = secret.slice(0, most.text).toWellFormed()
  const start = text.slice(0, most.spelling)
  return [
    start,
    // a secret of several lines leaks line by line
    ...text.split(/\r?\n/, most.lines).map((line) => line.trim()),
    JSON.stringify(start).slice(1, -1),
    encodeURIComponent(start.toWellFormed()),
    ...base64Cores(start).flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')]),
  ]
}

interface Masker {
  add: (secret: string) => void
  hide: (text: string) => string
  /** How many pieces it looks for. */
  size: () => number
}

/**
 * Finds pieces by their first characters and their lengths instead of one large pattern: thousands of secrets come and
 * go, and a pattern would be compiled anew for each, which takes a second. A secret may be chosen to make this slow; so
 * adding a piece costs the same however many begin alike, and a place of a text at most one look for each length.
 */
function openMasker(): Masker {
  const pieces = new Set<string>()
  /** By the first characters of pieces, their lengths as bits. */
  const lengths = new Map<string, number>()
  const marks = new Uint8Array(0x10000)
  const markOf = (text: string, at: number): number =>
    (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xffff

  function addPiece(piece: string): void {
    if (pieces.has(piece)) return
    pieces.add(piece)
    const head = piece.slice(0, shortest)
    lengths.set(head, (lengths.get(head) ?? 0) | (1 << (piece.length - shortest)))
    marks[markOf(head, 0)] = 1
  }

  function addSpelling(spelling: string): void {
    if (spelling.length < shortest) return
    if (spelling.length <= longestPiece) return addPiece(spelling)
    // the last reaches back to full length: a short rest would hide what is no secret
    for (let end = longestPiece; end < spelling.length + longestPiece; end += longestPiece)
      addPiece(spelling.slice(Math.min(end, spelling.length) - longestPiece, end))
  }

  /** The end of the longest piece that begins there, or `at`. */
  function endOfPiece(text: string, at: number): number {
    if (marks[markOf(text, at)] === 0) return at
    let bits = lengths.get(text.slice(at, at + shortest)) ?? 0
    while (bits !== 0) {
      const bit = 31 - Math.clz32(bits)
      const end = at + bit + shortest
      if (end <= text.length && pieces.has(text.slice(at, end))) return end
      bits &= ~(1 << bit)
    }
    return at
  }

  return {
    add: (secret) => spellings(secret).forEach(addSpelling),
    hide: (text) => {
      let hidden = ''
      let to = -1
      for (let at = 0; at <= text.length - shortest; at++) {
        const end = endOfPiece(text, at)
        if (end === at) continue
        // pieces that overlap or touch are one
        if (at > to) hidden += text.slice(Math.max(to, 0), at) + mask
        to = Math.max(to, end)
      }
      return to < 0 ? text : hidden + text.slice(to)
    },
    size: () => pieces.size,
  }
}

/** Replaces every spelling of the secrets. */
export function masker(secrets: Iterable<string>): (text: string) => string {
  const { add, hide } = openMasker()
  for (const secret of secrets) add(secret)
  return hide
}

/** Enough for what one process meets at a time; the older half is forgotten when it is full. */
const remembered = { secrets: 4_000, pieces: 600_000 }

let known = new Set<string>()
let current = openMasker()

/** From now on no log line of this process shows the secret. Called wherever one is made, opened or received. */
export function keepOutOfLogs(secret: string): void {
  if (secret.length < shortest || known.has(secret)) return
  known.add(secret)
  current.add(secret)
  if (known.size <= remembered.secrets && current.size() <= remembered.pieces) return
  known = new Set([...known].slice(Math.floor(known.size / 2)))
  current = openMasker()
  known.forEach(current.add)
}

/** By owner: the newest, and the one before it, which may be on its way yet. */
const latest = new Map<string, [string, string?]>()
let replaced = openMasker()

/**
 * As keepOutOfLogs, of what an owner outside of the product replaces again and again, as often as it likes: apart, so that it pushes no
 * other secret out, and only its last two are remembered.
 */
export function keepLatestOutOfLogs(owner: string, secret: string): void {
  const known = latest.get(owner)
  if (secret.length < shortest || known?.includes(secret)) return
  latest.set(owner, known ? [secret, known[0]] : [secret])
  if (known?.[1] === undefined) return replaced.add(secret)
  replaced = openMasker()
  for (const secrets of latest.values()) for (const one of secrets) if (one !== undefined) replaced.add(one)
}

export const maskKnown = (text: string): string => replaced.hide(current.hide(text))

const secretNames =
  /pass(word|phrase)?$|repassword|secret|token|credential|authorization|cookie|kubeconfig|private_?key|^ticket$/i

/** What a form carries as `{ name, value, secret: true }`: its name is the user's, and tells nothing. */
const isSecretPair = (value: object): boolean => 'secret' in value && value.secret === true

/** Finds sealed secrets wherever they stand, also within a document. */
export const sealedPattern = /sealed1\.[0-9a-f]{8}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]*/g

/** What every column takes: half a character, as a cut leaves it, or a NUL would lose the whole row. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** Cut after it was masked, so that no half of a secret is left at the end; and before, so that a huge text costs little. */
const shortened = (text: string): string => {
  const hidden = maskKnown(text.slice(0, 8_000).replaceAll(sealedPattern, mask))
  return storable(hidden.length > 2_000 || text.length > 8_000 ? `${hidden.slice(0, 2_000)}…` : hidden)
}

/** A copy for logs and audit rows: values under telling names are masked, known secrets everywhere, long texts cut. */
export function masked(value: unknown, depth = 0): unknown {
  if (typeof value === 'string' && value.includes('PRIVATE KEY-----')) return mask
  if (typeof value === 'string') return shortened(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > 8) return '…'
  if (Array.isArray(value)) return value.slice(0, 200).map((item) => masked(item, depth + 1))
  const pair = isSecretPair(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      storable(name),
      (secretNames.test(name) || (pair && name === 'value')) &&
      inner !== null &&
      inner !== '' &&
      typeof inner !== 'boolean'
        ? mask
        : masked(inner, depth + 1),
    ]),
  )
}
