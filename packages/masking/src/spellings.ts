/** The lines of a secret, without indentation: a secret of several lines leaks line by line. */
export const linesOf = (secret: string): string[] => secret.split(/\r\n|[\r\n]/).map((line) => line.trim())

/** How programs spell a text when they encode or quote it: each spelling once, without the unchanged text. */
export function spellings(text: string): string[] {
  if (/^[\w.-]*$/.test(text)) return []
  const all = new Set([...inAddress(text.toWellFormed()), ...inJson(text), ...inPython(text), ...inShell(text)])
  all.delete(text)
  return [...all]
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
const upper = (spelt: string): string => spelt.replaceAll(/\\u[0-9a-f]{4}/g, (c) => `\\u${c.slice(2).toUpperCase()}`)

/** Part of a URL or a form. Libraries differ in which reserved characters they leave as they are. */
function inAddress(text: string): string[] {
  const encoded = encodeURIComponent(text)
  const strict = encoded.replaceAll(/[!'()*]/g, (c) => `%${hex(c.charCodeAt(0), 2).toUpperCase()}`)
  const parts = [encoded, strict, strict.replaceAll('%2F', '/')]
  const forms = [strict, strict.replaceAll('%2A', '*').replaceAll('~', '%7E')].map((one) => one.replaceAll('%20', '+'))
  const escaped = [...parts, ...forms, encodeURI(text)]
  return [...escaped, ...escaped.map((one) => one.replaceAll(/%[0-9A-F]{2}/g, (c) => c.toLowerCase()))]
}

/** A JSON string. Some writers also escape non-ASCII characters, slashes, or HTML's markup characters. */
function inJson(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const ascii = json.replaceAll(/[^\0-\x7f]/g, (c) => [...codeUnits(c)].map((unit) => `\\u${hex(unit, 4)}`).join(''))
  const html = json.replaceAll(/[<>&]/g, (c) => `\\u${hex(c.charCodeAt(0), 4)}`)
  return [json, ascii, upper(ascii), json.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/'), html, upper(html)]
}

function* codeUnits(text: string): Generator<number> {
  for (let at = 0; at < text.length; at++) yield text.charCodeAt(at)
}

/** Python's repr() of a text and of its bytes, and ascii(). It escapes single quotes if there are double ones too. */
function inPython(text: string): string[] {
  const named: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
  const plain = text.replaceAll(/[\p{Cc}\\]/gu, (c) => named[c] ?? `\\x${hex(c.charCodeAt(0), 2)}`)
  const ascii = plain.replaceAll(/[^\0-\x7f]/gu, (c) => {
    const code = c.codePointAt(0) ?? 0
    return code < 0x100 ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
  })
  return [plain, ascii, bytewise(plain, (byte) => `\\x${hex(byte, 2)}`)].flatMap((one) => [
    one,
    one.replaceAll("'", "\\'"),
  ])
}

const bytewise = (text: string, escape: (byte: number) => string): string =>
  text.replaceAll(/[^\0-\x7f]+/g, (part) => Array.from(Buffer.from(part), escape).join(''))

/** How shells quote in traces, lists of variables and printf %q. */
function inShell(text: string): string[] {
  const named: Record<string, string> = {
    "'": "\\'",
    '\\': '\\\\',
    '\x07': '\\a',
    '\b': '\\b',
    '\x1b': '\\E',
    '\f': '\\f',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
  }
  const octal = (code: number): string => `\\${code.toString(8).padStart(3, '0')}`
  const dollar = text.replaceAll(/[\p{Cc}\\']/gu, (c) => named[c] ?? octal(c.charCodeAt(0)))
  return [
    text.replaceAll("'", "'\\''"),
    // at the ends of the text, no empty quotes are needed around it
    text.replaceAll(/'+/g, (quotes) => `'"${quotes}"'`).replaceAll(/^'(?=")|(?<=")'$/g, ''),
    text.replaceAll(/["$\\`]/g, '\\$&'),
    text.replaceAll(/[ !"$&'()*,;<>?[\\\]^`{|}]/g, '\\$&'),
    dollar,
    bytewise(dollar, octal),
  ]
}

/**
 * The base64 of any text that contains the secret: the characters that depend on the secret alone, for each of its
 * three offsets, in both alphabets. Encoders may break it into lines at any place.
 */
export function base64Cores(secret: Buffer): string[] {
  const cores = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), secret]).toString('base64')
    const core = encoded.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + secret.length) * 8) / 6))
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [...new Set(cores)]
}

/**
 * Divides a spelling into pieces of one length: parts of a key are masked too, and no piece is long. The last piece
 * overlaps the one before to have full length, because a short rest would mask ordinary text.
 */
export function* piecesOf(length: number, longest: number): Generator<[from: number, to: number]> {
  if (length <= longest) return yield [0, length]
  for (let end = longest; end < length + longest; end += longest)
    yield [Math.min(end, length) - longest, Math.min(end, length)]
}
