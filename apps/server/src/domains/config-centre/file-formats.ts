import { limits } from '@gantry/contract/config-centre/names'
import { envKey } from '@gantry/contract/validators'
import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import { Fault } from '../../kernel/fault.ts'

/** A key of a file, with its line. */
export interface FileEntry {
  key: string
  value: string
  line: number
}

type Pair = Pick<FileEntry, 'key' | 'value'>

export type Format = 'properties' | 'yaml'

/** The format by the extension of a file's name. */
export function formatOf(name: string): Format {
  if (/\.properties$/i.test(name)) return 'properties'
  if (/\.ya?ml$/i.test(name)) return 'yaml'
  throw new Fault('invalid', 'config-import-name', { name })
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Fault('invalid', 'config-import-encoding')
  }
}

/** The keys of a file. Throws 400 with line and cause if it is invalid. */
export function readFile(format: Format, bytes: Uint8Array): FileEntry[] {
  const text = textOf(bytes)
  const entries = format === 'yaml' ? readYaml(text) : readProperties(text)
  const seen = new Set<string>()
  for (const { key, value, line } of entries) {
    if (!envKey.safeParse(key).success) throw new Fault('invalid', 'config-import-key', { line, key: key.slice(0, 60) })
    if (seen.has(key)) throw new Fault('invalid', 'config-import-twice', { line, key })
    if (Buffer.byteLength(value) > limits.value || value.includes('\0'))
      throw new Fault('invalid', 'config-import-value', { line, key })
    seen.add(key)
  }
  if (entries.length > limits.keys) throw new Fault('invalid', 'config-keys-limit', { limit: limits.keys })
  return entries
}

const blank = /[ \t\f]/
const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', f: '\f' }

/** Unescapes a text of a .properties file. */
const unescaped = (text: string, line: number): string =>
  text.replaceAll(/\\(u[0-9a-fA-F]{4}|u|[^]|$)/g, (_, one: string) => {
    if (one === 'u') throw new Fault('invalid', 'config-import-escape', { line })
    return one.length === 5 ? String.fromCharCode(Number.parseInt(one.slice(1), 16)) : (escapes[one] ?? one)
  })

const withoutIndent = (line = ''): string => line.replace(/^[ \t\f]+/, '')
const goesOn = /(^|[^\\])(\\\\)*\\$/

/** Lines as Java joins them: one that ends with an odd number of backslashes continues in the next. */
function* logicalLines(text: string): Generator<{ text: string; line: number }> {
  const lines = text.split(/\r\n|\r|\n/)
  for (let at = 0; at < lines.length; at++) {
    const line = at + 1
    let part = withoutIndent(lines[at])
    if (part === '' || part.startsWith('#') || part.startsWith('!')) continue
    const parts = []
    for (; goesOn.test(part) && at + 1 < lines.length; part = withoutIndent(lines[++at])) parts.push(part.slice(0, -1))
    yield { text: [...parts, part].join(''), line }
  }
}

/** Index of the first unescaped `=`, `:` or blank. */
function endOfKey(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const one = text[at] ?? ''
    if (one === '\\') at++
    else if (one === '=' || one === ':' || blank.test(one)) return at
  }
  return text.length
}

const readProperties = (text: string): FileEntry[] =>
  [...logicalLines(text)].map(({ text, line }) => {
    const end = endOfKey(text)
    const value = text.slice(end).replace(/^[ \t\f]*[=:]?[ \t\f]*/, '')
    return { key: unescaped(text.slice(0, end), line), value: unescaped(value, line), line }
  })

/** Maximum nesting; a deeper file is no configuration. */
const deepest = 20

/** The keys of a mapping; nested keys are joined by dots. Every scalar is taken as its text. */
function readYaml(text: string): FileEntry[] {
  const lines = new LineCounter()
  const wrong = (offset: number) => new Fault('invalid', 'config-import-yaml', { line: lines.linePos(offset).line })
  let document
  try {
    // the library would compare each key of a map with all others
    document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, lineCounter: lines })
  } catch {
    // the parser's depth is limited only by the stack
    throw new Fault('invalid', 'config-import-yaml', { line: 1 })
  }
  const [error] = document.errors
  if (error) throw wrong(error.pos[0])
  const found: FileEntry[] = []
  const take = (node: unknown, above: string, depth: number): void => {
    if (!isMap(node) || depth > deepest) throw wrong((isNode(node) && node.range?.[0]) || 0)
    for (const { key, value } of node.items) {
      const offset = (isNode(key) && key.range?.[0]) || 0
      if (!isScalar(key) || typeof key.value !== 'string') throw wrong(offset)
      const name = above === '' ? key.value : `${above}.${key.value}`
      if (value === null) found.push({ key: name, value: '', line: lines.linePos(offset).line })
      else if (isScalar(value))
        found.push({ key: name, value: String(value.value ?? ''), line: lines.linePos(offset).line })
      else take(value, name, depth + 1)
    }
  }
  if (document.contents !== null) take(document.contents, '', 0)
  return found
}

const propertyOf = ({ key, value }: Pair): string => {
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\f', String.raw`\f`)
    .replace(/^ /, String.raw`\ `)
  return `${key}=${escaped}`
}

/** YAML text in double quotes is the same as in JSON. */
const yamlOf = ({ key, value }: Pair): string =>
  `${/^[A-Za-z_][\w.-]*$/.test(key) ? key : JSON.stringify(key)}: ${JSON.stringify(value)}`

/** A file with these keys, under the comment `about`, which is one line. */
export const writeFile = (format: Format, about: string, entries: readonly Pair[]): string =>
  [`# ${about}`, ...entries.map(format === 'yaml' ? yamlOf : propertyOf), ''].join('\n')
