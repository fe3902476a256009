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

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

/** Replaces every spelling of the secrets, longest first, so that one which contains another goes whole. */
export function masker(secrets: Iterable<string>): (text: string) => string {
  const words = [...new Set([...secrets].flatMap(spellings))]
    .filter((word) => word.length >= shortest)
    .sort((a, b) => b.length - a.length)
  if (words.length === 0) return (text) => text
  const pattern = new RegExp(words.map(escaped).join('|'), 'g')
  return (text) => text.replace(pattern, mask)
}

/** Enough for what one process meets at a time; the oldest is forgotten first. */
const remembered = 2_000

const known = new Set<string>()
let current: ((text: string) => string) | undefined

/** From now on no log line of this process shows the secret. Called wherever one is made, opened or received. */
export function keepOutOfLogs(secret: string): void {
  if (secret.length < shortest || known.has(secret)) return
  known.add(secret)
  if (known.size > remembered) for (const oldest of [...known].slice(0, remembered / 2)) known.delete(oldest)
  current = undefined
}

export const maskKnown = (text: string): string => (current ??= masker(known))(text)

const secretNames =
  /pass(word|phrase)?$|repassword|secret|token|credential|authorization|cookie|kubeconfig|private_?key|^ticket$/i

/** A copy for logs and audit rows: values under telling names are masked, known secrets everywhere, long texts cut. */
export function masked(value: unknown, depth = 0): unknown {
  if (typeof value === 'string' && value.includes('PRIVATE KEY-----')) return mask
  if (typeof value === 'string') return maskKnown(value.length > 2_000 ? `${value.slice(0, 2_000)}…` : value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > 8) return '…'
  if (Array.isArray(value)) return value.slice(0, 200).map((item) => masked(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretNames.test(name) && inner !== null && inner !== '' && typeof inner !== 'boolean'
        ? mask
        : masked(inner, depth + 1),
    ]),
  )
}
