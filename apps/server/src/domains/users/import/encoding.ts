import type { CsvEncoding } from '@gantry/contract/users/users'
import { Fault } from '../../../kernel/fault.ts'

export interface Reading {
  encoding: CsvEncoding
  text: string
}

/** UTF-8 is told by its own form, and UTF-16 by its mark; in either of these almost any bytes are some text. */
const guessed = ['gbk', 'windows-1252'] as const

const decoded = (bytes: Buffer, encoding: CsvEncoding): Reading[] => {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    // a byte that the code page leaves open becomes a control character
    const open = encoding === 'windows-1252' && /[\u0080-\u009f]/.test(text)
    return open || text.includes('\0') ? [] : [{ encoding, text }]
  } catch {
    return []
  }
}

/** A Chinese word has no Latin letter at its side. */
const isChinese = (text: string): boolean =>
  !/[^\p{ASCII}\p{Script=Han}\u3000-\u303f\uff00-\uffef·—…‘’“”]/u.test(text) &&
  !/[A-Za-z]\p{Script=Han}|\p{Script=Han}[A-Za-z]/u.test(text)

/** A Western word has plain letters around each accented one, or around the same one twice. */
const isWestern = (text: string): boolean =>
  !/[^\p{ASCII}\p{Script=Latin}\u00a0·–—…‘’“”«»]/u.test(text) &&
  !/((?!\p{ASCII})\p{L})(?!\1)(?!\p{ASCII})\p{L}/u.test(text) &&
  [...text.matchAll(/\p{L}{2,}/gu)].every(([word]) => /[A-Za-z]/.test(word))

const isOneLanguage = ({ encoding, text }: Reading): boolean => (encoding === 'gbk' ? isChinese(text) : isWestern(text))

const marks = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
] as const

/**
 * What the file says: by its byte order mark, else as UTF-8 where it is that, else as what gives words of one language.
 * Several readings, or one that is unlikely, are for the user to choose from: a wrong guess would make people of other
 * names. `isTable` tells whether the first line of a text is a heading.
 */
export function readingsOf(
  bytes: Buffer,
  isTable: (text: string) => boolean,
): { sure: Reading } | { unsure: Reading[] } {
  const start = bytes.subarray(0, 3).toString('hex')
  const marked = marks.find(([mark]) => start.startsWith(mark))?.[1]
  const [told] = decoded(bytes, marked ?? 'utf-8')
  if (told) return { sure: told }
  const possible = marked ? [] : guessed.flatMap((encoding) => decoded(bytes, encoding))
  const tables = possible.filter(({ text }) => isTable(text))
  const likely = (tables.length > 0 ? tables : possible).filter(isOneLanguage)
  if (likely[0] && likely.length === 1) return { sure: likely[0] }
  if (tables.length > 0) return { unsure: tables }
  throw new Fault('invalid', 'import-encoding')
}

/** As the user has chosen. */
export function readingAs(bytes: Buffer, encoding: CsvEncoding): Reading {
  const [reading] = decoded(bytes, encoding)
  if (!reading) throw new Fault('invalid', 'import-encoding')
  return reading
}

/** Lines by which a reader sees whether the names are right. */
export const previewOf = ({ encoding, text }: Reading) => ({
  encoding,
  preview: text
    .split(/\r?\n/)
    .filter((line) => /\P{ASCII}/u.test(line))
    .slice(0, 5)
    .map((line) => [...line].slice(0, 200).join('')),
})
