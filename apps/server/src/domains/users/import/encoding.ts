import type { CsvEncoding } from '@gantry/contract/users/users'
import { Fault } from '../../../kernel/fault.ts'

export interface Reading {
  encoding: CsvEncoding
  text: string
}

/** Encodings to guess, since almost any bytes are valid in them; UTF-8 has its form and UTF-16 its mark. */
const guessed = ['gbk', 'windows-1252'] as const

const decoded = (bytes: Buffer, encoding: CsvEncoding): Reading[] => {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    // a byte that the code page does not define becomes a control character
    const open = encoding === 'windows-1252' && /[\u0080-\u009f]/.test(text)
    return open || text.includes('\0') ? [] : [{ encoding, text }]
  } catch {
    return []
  }
}

/** A Chinese word does not touch a Latin letter. */
const isChinese = (text: string): boolean =>
  !/[^\p{ASCII}\p{Script=Han}\u3000-\u303f\uff00-\uffef·—…‘’“”]/u.test(text) &&
  !/[A-Za-z]\p{Script=Han}|\p{Script=Han}[A-Za-z]/u.test(text)

/** In a Western word plain letters surround each accented one, or the same one twice. */
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
 * The text of a file: by its byte order mark, else as UTF-8 if valid, else in the encoding that gives words of one
 * language. If several readings are possible, or only an unlikely one, the user has to choose: a wrong guess would
 * create users with wrong names. `isTable` tells whether the first line of a text is a heading.
 */
export function readingsOf(
  bytes: Buffer,
  isTable: (text: string) => boolean,
): { sure: Reading } | { unsure: Reading[] } {
  const start = bytes.subarray(0, 3).toString('hex')
  const marked = marks.find(([mark]) => start.startsWith(mark))?.[1]
  const [sure] = decoded(bytes, marked ?? 'utf-8')
  if (sure) return { sure }
  const possible = marked ? [] : guessed.flatMap((encoding) => decoded(bytes, encoding))
  const tables = possible.filter(({ text }) => isTable(text))
  const likely = (tables.length > 0 ? tables : possible).filter(isOneLanguage)
  if (likely[0] && likely.length === 1) return { sure: likely[0] }
  if (tables.length > 0) return { unsure: tables }
  throw new Fault('invalid', 'import-encoding')
}

/** The text in the encoding that the user chose. */
export function readingAs(bytes: Buffer, encoding: CsvEncoding): Reading {
  const [reading] = decoded(bytes, encoding)
  if (!reading) throw new Fault('invalid', 'import-encoding')
  return reading
}

/** Lines by which the user sees whether names are right. */
export const previewOf = ({ encoding, text }: Reading) => ({
  encoding,
  preview: text
    .split(/\r?\n/)
    .filter((line) => /\P{ASCII}/u.test(line))
    .slice(0, 5)
    .map((line) => [...line].slice(0, 200).join('')),
})
