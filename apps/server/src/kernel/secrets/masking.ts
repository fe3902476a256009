import { mask } from '@gantry/contract/validators'
import { base64Cores, linesOf, piecesOf, spellings } from '@gantry/masking/spellings'

/** Pieces are looked up by their first characters, this many; shorter ones are not searched for. */
export const shortestSearched = 6

/**
 * Weaker secrets also occur in ordinary text, which masking would tear to pieces: `payroll`, `admin123`, one of our
 * paths. In bits of entropy, by how often each character occurs in the secret: twelve different characters are strong;
 * a few are not, however often they repeat.
 */
const weakest = 40

function isStrong(text: string, floor: number): boolean {
  if (text.length < shortestSearched) return false
  // computed for every piece of every secret, so quick rather than exact: codes are counted by their lowest 7 bits
  const counts = new Uint32Array(128)
  for (let at = 0; at < text.length; at++) counts[text.charCodeAt(at) & 127]! += 1
  let bits = 0
  for (const count of counts) if (count > 0) bits += count * Math.log2(text.length / count)
  return bits >= floor
}

/** A longer spelling is split into pieces, so that the cost per position of a text does not grow with the secrets. */
const longestPiece = 32

/** How much of a secret is masked, counted from its beginning; keys, tokens and credential files are far smaller. */
const most = { lines: 2_000, text: 65_536, spelling: 8_000 }

function formsOf(secret: string, floor: number): { spelt: string[]; base64: string[] } {
  const text = secret.slice(0, most.text).toWellFormed()
  // encoded, a weak secret would look strong
  if (!isStrong(text, floor)) return { spelt: [], base64: [] }
  const start = text.slice(0, most.spelling)
  return {
    spelt: [start, ...linesOf(text).slice(0, most.lines), ...spellings(start)],
    base64: base64Cores(Buffer.from(start)),
  }
}

interface Span {
  from: number
  to: number
}

/** Finds what has to be masked; spans are in order, and may overlap. */
interface Search {
  add: (spelling: string) => void
  find: (text: string) => Span[]
}

/**
 * Callers may choose thousands of similar secrets to make this slow. So pieces are indexed by their first characters
 * and their lengths: adding one costs the same however many begin alike, and each position of a text needs at most one
 * lookup per length.
 */
function openSearch(floor: number): Search {
  const pieces = new Set<string>()
  /** The lengths of pieces as a bit set, by their first characters. */
  const lengths = new Map<string, number>()
  const marks = new Uint8Array(0x10000)
  const markOf = (text: string, at: number): number =>
    (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xffff

  function addPiece(piece: string): void {
    if (pieces.has(piece) || !isStrong(piece, floor)) return
    pieces.add(piece)
    const start = piece.slice(0, shortestSearched)
    lengths.set(start, (lengths.get(start) ?? 0) | (1 << (piece.length - shortestSearched)))
    marks[markOf(start, 0)] = 1
  }

  /** Returns the end of the longest piece that begins at `at`, or `at` if there is none. */
  function endOfPiece(text: string, at: number): number {
    if (marks[markOf(text, at)] === 0) return at
    let bits = lengths.get(text.slice(at, at + shortestSearched)) ?? 0
    while (bits !== 0) {
      const bit = 31 - Math.clz32(bits)
      const end = at + bit + shortestSearched
      if (end <= text.length && pieces.has(text.slice(at, end))) return end
      bits &= ~(1 << bit)
    }
    return at
  }

  return {
    add(spelling) {
      for (const [from, to] of piecesOf(spelling.length, longestPiece)) addPiece(spelling.slice(from, to))
    },
    find(text) {
      const spans: Span[] = []
      if (pieces.size === 0) return spans
      for (let at = 0; at <= text.length - shortestSearched; at++) {
        const to = endOfPiece(text, at)
        if (to > at) spans.push({ from: at, to })
      }
      return spans
    },
  }
}

/** Line ends that may be inside Base64: encoders break it anywhere. */
const breaks = /\r?\n(?<=[\w+/-]\r?\n)(?=[\w+/-])/g

/** Finds secrets in a text without its line breaks, and returns their places in the original text. */
function findBroken(search: Search, text: string): Span[] {
  const joints: { at: number; skipped: number }[] = []
  let skipped = 0
  const joined = text.replaceAll(breaks, (lineEnd: string, at: number) => {
    skipped += lineEnd.length
    joints.push({ at: at + lineEnd.length - skipped, skipped })
    return ''
  })
  let passed = 0
  const placed = (at: number): number => {
    while ((joints[passed]?.at ?? Infinity) <= at) passed++
    while (passed > 0 && (joints[passed - 1]?.at ?? 0) > at) passed--
    return at + (joints[passed - 1]?.skipped ?? 0)
  }
  return search.find(joined).map(({ from, to }) => ({ from: placed(from), to: placed(to - 1) + 1 }))
}

/** Masks every spelling of the secrets. */
export function masker(secrets: Iterable<string>, floor = weakest): (text: string) => string {
  const [plain, base64] = [openSearch(floor), openSearch(floor)]
  for (const secret of secrets) {
    const forms = formsOf(secret, floor)
    forms.spelt.forEach(plain.add)
    forms.base64.forEach(base64.add)
  }
  return (text) => {
    const spans = [...plain.find(text), ...findBroken(base64, text)].toSorted((a, b) => a.from - b.from)
    let hidden = ''
    let end = -1
    for (const { from, to } of spans) {
      // pieces that overlap or touch become one mask
      if (from > end) hidden += text.slice(Math.max(end, 0), from) + mask
      end = Math.max(end, to)
    }
    return end < 0 ? text : hidden + text.slice(end)
  }
}

/** Masks the secrets that a system was sent in its answer, however weak: they are likely to occur there. */
export const maskEchoes = (text: string, sent: readonly string[]): string => masker(sent, 0)(text)

/** The secrets of one call, job or object: they are masked in texts about it, and forgotten with it. */
export interface Secrets {
  add: (secret: string) => void
  hide: (text: string) => string
}

/** More than a call uses. A longer-running scope with more secrets forgets the oldest. */
const cacheLimits = { secrets: 1_000, characters: 4_000_000 }

/** `all`: a larger set, to which every secret is added too. */
export function openSecrets(all?: Secrets): Secrets {
  const known = new Set<string>()
  let characters = 0
  /** Built on demand: most calls write nothing that must be masked. */
  let hide: ((text: string) => string) | undefined
  return {
    add: (secret) => {
      all?.add(secret)
      if (known.has(secret)) return
      known.add(secret)
      characters += secret.length
      for (const oldest of known) {
        if (known.size <= cacheLimits.secrets && characters <= cacheLimits.characters) break
        known.delete(oldest)
        characters -= oldest.length
      }
      hide = undefined
    },
    hide: (text) => (known.size === 0 ? text : (hide ??= masker(known))(text)),
  }
}

/**
 * Field names whose values are secret. Every field that is declared secret has such a name, because `before` and
 * `after` of an audit row have no other declaration.
 */
export const secretNames =
  /pass(word|phrase)?$|repassword|secret|token|credential|authorization|cookie|kubeconfig|private_?key|^ticket$/i

/** A form's `{ name, value, secret: true }`: the user chooses the name, so it says nothing about the value. */
const isSecretPair = (value: object): boolean => 'secret' in value && value.secret === true

/** Finds sealed secrets anywhere, also within a document. */
export const sealedPattern = /sealed1\.[0-9a-f]{8}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]*/g

/** The product's own tokens, by their shape, whoever they belong to and whether they are valid or not. */
const tokenPattern = /\bg[a-z]_[A-Za-z0-9_-]{43}/g

/** Masks sealed secrets and the product's tokens, recognized by their shape. */
export const withoutTokens = (text: string): string =>
  text.replaceAll(sealedPattern, mask).replaceAll(tokenPattern, mask)

const secretQuery = /([?&](?:authorization|password|token|secret|code)=)[^&]*/gi

/** An address without the secrets in its query, recognized by their names. */
export const withoutSecretQuery = (url: string): string => url.replaceAll(secretQuery, '$1***')

/** Makes a text storable: an unpaired surrogate, which truncation can leave, or a NUL would lose the whole row. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** The beginning of a text, masked. Its cost is bounded, and a partial secret at the cut is dropped. */
export function maskedStart(text: string, most: number, hide: Secrets['hide']): string {
  const read = hide(text.slice(0, most))
  return text.length > most ? read.slice(0, -longestPiece) : read
}

const longest = { read: 8_000, shown: 2_000 }

/** Truncates before masking, and again afterwards. */
function shortened(text: string, hide: Secrets['hide']): string {
  const whole = maskedStart(text, longest.read, (part) => withoutTokens(hide(part)))
  return storable(
    whole.length > longest.shown || text.length > longest.read ? `${whole.slice(0, longest.shown)}…` : whole,
  )
}

/**
 * A copy for audit rows: values under secret names and the given secrets in other values are masked; long texts are
 * truncated.
 */
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
