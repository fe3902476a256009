import { mask } from '@gantry/contract/validators'

/** Shorter ones would tear holes into ordinary text. */
const shortest = 6

/** base64 without the characters at either end that depend on what stands around the secret, for each of its three offsets. */
const base64Cores = (secret: string): string[] =>
  [0, 1, 2].map((offset) => {
    const bytes = Buffer.from(secret)
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    return encoded.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6))
  })

const spellings = (secret: string): string[] => [
  secret,
  // a secret of several lines leaks line by line
  ...secret.split(/\r?\n/).map((line) => line.trim()),
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  ...base64Cores(secret).flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')]),
]

interface Masker {
  add: (secret: string) => void
  hide: (text: string) => string
}

/**
 * Finds words by their first characters instead of one large pattern: thousands of secrets come and go, and a pattern
 * would be compiled anew for each, which takes a second.
 */
function openMasker(): Masker {
  const words = new Map<string, string[]>()
  const marks = new Uint8Array(0x10000)
  const markOf = (text: string, at: number): number =>
    (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xffff

  function addWord(word: string): void {
    if (word.length < shortest) return
    const head = word.slice(0, shortest)
    const alike = words.get(head) ?? []
    if (alike.includes(word)) return
    // Longest first, so that a secret which begins with another goes whole.
    words.set(
      head,
      [...alike, word].sort((a, b) => b.length - a.length),
    )
    marks[markOf(head, 0)] = 1
  }

  function wordAt(text: string, at: number): string | undefined {
    if (marks[markOf(text, at)] === 0) return undefined
    return words.get(text.slice(at, at + shortest))?.find((word) => text.startsWith(word, at))
  }

  return {
    add: (secret) => spellings(secret).forEach(addWord),
    hide: (text) => {
      let hidden = ''
      let from = 0
      for (let at = 0; at <= text.length - shortest; at++) {
        const word = wordAt(text, at)
        if (word === undefined) continue
        hidden += text.slice(from, at) + mask
        from = at + word.length
        at = from - 1
      }
      return from === 0 ? text : hidden + text.slice(from)
    },
  }
}

/** Replaces every spelling of the secrets. */
export function masker(secrets: Iterable<string>): (text: string) => string {
  const { add, hide } = openMasker()
  for (const secret of secrets) add(secret)
  return hide
}

/** Enough for what one process meets at a time; the older half is forgotten when it is full. */
const remembered = 4_000

let known = new Set<string>()
let current = openMasker()

/** From now on no log line of this process shows the secret. Called wherever one is made, opened or received. */
export function keepOutOfLogs(secret: string): void {
  if (secret.length < shortest || known.has(secret)) return
  known.add(secret)
  if (known.size <= remembered) return current.add(secret)
  known = new Set([...known].slice(remembered / 2))
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

/** Cut after it was masked, so that no half of a secret is left at the end; and before, so that a huge text costs little. */
const shortened = (text: string): string => {
  const hidden = maskKnown(text.slice(0, 8_000).replaceAll(sealedPattern, mask))
  return hidden.length > 2_000 || text.length > 8_000 ? `${hidden.slice(0, 2_000)}…` : hidden
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
      name,
      (secretNames.test(name) || (pair && name === 'value')) &&
      inner !== null &&
      inner !== '' &&
      typeof inner !== 'boolean'
        ? mask
        : masked(inner, depth + 1),
    ]),
  )
}
