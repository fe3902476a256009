import { mask } from '@gantry/contract/validators'
import { base64Cores, linesOf, piecesOf, spellings } from '@gantry/masking/spellings'

/** The beginning of a piece, by which it is found. */
const head = 6

/**
 * What is weaker stands in ordinary text as well, which a search for it would tear to pieces: `payroll`, `admin123`, a path of ours.
 * In bits, by how often its own characters occur in it: twelve different ones are strong, whatever their number a few are not.
 */
const weakest = 40

function isStrong(text: string, floor: number): boolean {
  if (text.length < head) return false
  // asked of every piece of every secret: quickly rather than exactly, so that characters with the same last bits are one
  const counts = new Uint32Array(128)
  for (let at = 0; at < text.length; at++) counts[text.charCodeAt(at) & 127]! += 1
  let bits = 0
  for (const count of counts) if (count > 0) bits += count * Math.log2(text.length / count)
  return bits >= floor
}

/** A longer spelling is looked for in pieces, so that what one place of a text costs does not grow with the secrets. */
const longestPiece = 32

/** What is looked for of a secret, by its beginning; keys, tokens and files of credentials are far smaller. */
const most = { lines: 2_000, text: 65_536, spelling: 8_000 }

function spelt(secret: string, floor: number): string[] {
  const text = secret.slice(0, most.text).toWellFormed()
  // encoded, a weak one would look strong
  if (!isStrong(text, floor)) return []
  const start = text.slice(0, most.spelling)
  return [start, ...linesOf(text).slice(0, most.lines), ...spellings(start), ...base64Cores(Buffer.from(start))]
}

/**
 * Replaces every spelling of the secrets. They may be chosen to make this slow, thousands of them alike; so pieces are found by
 * their first characters and their lengths: adding one costs the same however many begin alike, and a place of a text at
 * most one look for each length.
 */
export function masker(secrets: Iterable<string>, floor = weakest): (text: string) => string {
  const pieces = new Set<string>()
  /** By the first characters of pieces, their lengths as bits. */
  const lengths = new Map<string, number>()
  const marks = new Uint8Array(0x10000)
  const markOf = (text: string, at: number): number =>
    (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xffff

  function addPiece(piece: string): void {
    if (pieces.has(piece) || !isStrong(piece, floor)) return
    pieces.add(piece)
    const start = piece.slice(0, head)
    lengths.set(start, (lengths.get(start) ?? 0) | (1 << (piece.length - head)))
    marks[markOf(start, 0)] = 1
  }

  function addSpelling(spelling: string): void {
    for (const [from, to] of piecesOf(spelling.length, longestPiece)) addPiece(spelling.slice(from, to))
  }

  /** The end of the longest piece that begins there, or `at`. */
  function endOfPiece(text: string, at: number): number {
    if (marks[markOf(text, at)] === 0) return at
    let bits = lengths.get(text.slice(at, at + head)) ?? 0
    while (bits !== 0) {
      const bit = 31 - Math.clz32(bits)
      const end = at + bit + head
      if (end <= text.length && pieces.has(text.slice(at, end))) return end
      bits &= ~(1 << bit)
    }
    return at
  }

  for (const secret of secrets) spelt(secret, floor).forEach(addSpelling)
  return (text) => {
    let hidden = ''
    let to = -1
    for (let at = 0; at <= text.length - head; at++) {
      const end = endOfPiece(text, at)
      if (end === at) continue
      // pieces that overlap or touch are one
      if (at > to) hidden += text.slice(Math.max(to, 0), at) + mask
      to = Math.max(to, end)
    }
    return to < 0 ? text : hidden + text.slice(to)
  }
}

/** Takes what a system was sent out of what it says, however weak: it is likely to stand there. */
export const withoutEchoes = (text: string, sent: readonly string[]): string => masker(sent, 0)(text)

/** The secrets of one call, job or object: texts about it are searched for these, and they are forgotten with it. */
export interface Secrets {
  add: (secret: string) => void
  hide: (text: string) => string
}

/** More than a call meets. Who goes on for long, and meets more, forgets the oldest. */
const kept = { secrets: 1_000, characters: 4_000_000 }

/** `all`: the larger set that these are a part of. */
export function openSecrets(all?: Secrets): Secrets {
  const known = new Set<string>()
  let characters = 0
  /** Made when it is needed: most calls write nothing that is to be searched. */
  let hide: ((text: string) => string) | undefined
  return {
    add: (secret) => {
      all?.add(secret)
      if (known.has(secret)) return
      known.add(secret)
      characters += secret.length
      for (const oldest of known) {
        if (known.size <= kept.secrets && characters <= kept.characters) break
        known.delete(oldest)
        characters -= oldest.length
      }
      hide = undefined
    },
    hide: (text) => (known.size === 0 ? text : (hide ??= masker(known))(text)),
  }
}

/** What is so called is secret, and what is declared secret is so called: a row's before and after have no other declaration. */
export const secretNames =
  /pass(word|phrase)?$|repassword|secret|token|credential|authorization|cookie|kubeconfig|private_?key|^ticket$/i

/** What a form carries as `{ name, value, secret: true }`: its name is the user's, and tells nothing. */
const isSecretPair = (value: object): boolean => 'secret' in value && value.secret === true

/** Finds sealed secrets wherever they stand, also within a document. */
export const sealedPattern = /sealed1\.[0-9a-f]{8}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]*/g

/** The product's own tokens, by their shape: whose they are, and whether they are good, makes no difference. */
const tokenPattern = /\bg[a-z]_[A-Za-z0-9_-]{43}/g

/** Hides what is a secret wherever it stands and whoever it belongs to, because it looks like nothing else. */
export const withoutTokens = (text: string): string =>
  text.replaceAll(sealedPattern, mask).replaceAll(tokenPattern, mask)

const secretQuery = /([?&](?:authorization|password|token|secret|code)=)[^&]*/gi

/** An address without the secrets in its query, which are known by their names alone. */
export const withoutSecretQuery = (url: string): string => url.replaceAll(secretQuery, '$1***')

/** What every column takes: half a character, as a cut leaves it, or a NUL would lose the whole row. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

const longest = { read: 8_000, shown: 2_000 }

/** Read as far as costs little; what the cut may have left of a secret goes with it. Cut again after it was masked. */
function shortened(text: string, hide: Secrets['hide']): string {
  const read = withoutTokens(hide(text.slice(0, longest.read)))
  const whole = text.length > longest.read ? read.slice(0, -longestPiece) : read
  return storable(
    whole.length > longest.shown || text.length > longest.read ? `${whole.slice(0, longest.shown)}…` : whole,
  )
}

/** A copy for audit rows: values under telling names are masked, and these secrets in all others; long texts are cut. */
export function masked(value: unknown, hide: Secrets['hide'], depth = 0): unknown {
  if (typeof value === 'string') return value.includes('PRIVATE KEY-----') ? mask : shortened(value, hide)
  if (typeof value !== 'object' || value === null) return value
  if (depth > 8) return '…'
  if (Array.isArray(value)) return value.slice(0, 200).map((item) => masked(item, hide, depth + 1))
  const pair = isSecretPair(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      storable(name),
      (secretNames.test(name) || (pair && name === 'value')) &&
      inner !== null &&
      inner !== '' &&
      typeof inner !== 'boolean'
        ? mask
        : masked(inner, hide, depth + 1),
    ]),
  )
}
