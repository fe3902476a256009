import { CsvError, type InfoRecord, parse } from 'csv-parse/sync'
import { Fault } from '../../../kernel/fault.ts'

/** The cells of a line; missing ones are empty. */
export interface CsvUser {
  /** The line number like in an editor: from 1, including the heading. */
  line: number
  userName: string
  nickname: string
  email: string
  team: string
  /** Whether it has cells without a heading. */
  surplus: boolean
}

export const maxRows = 1000

/** Names of the columns in either language, regardless of case and spaces. */
const headings = {
  userName: ['username', '用户名'],
  nickname: ['nickname', '昵称'],
  email: ['email', '邮箱'],
  team: ['team', '团队'],
} as const
type Column = keyof typeof headings
const optional: Column = 'team'
const columns = Object.keys(headings) as Column[]

const columnOf = (heading: string): Column | undefined => {
  const plain = heading.toLowerCase().replaceAll(/[\s_-]/g, '')
  return columns.find((column) => (headings[column] as readonly string[]).includes(plain))
}

const count = (text: string, what: string): number => text.split(what).length - 1

/** A first line that declares the separator to spreadsheets. */
const separator = /^"?sep=([,;\t|])"?[ \t]*(?=\r?\n)/i

/** Spreadsheets write semicolons if the comma is the decimal mark, and tabs into UTF-16. */
const delimiterOf = (text: string): string => {
  const heading = /^.*\S.*$/m.exec(text)?.[0] ?? ''
  const [most = ','] = [',', ';', '\t'].sort((a, b) => count(heading, b) - count(heading, a))
  return most
}

interface Line {
  record: string[]
  info: InfoRecord
}

function linesOf(text: string, to = maxRows + 2): Line[] {
  const match = separator.exec(text)
  // keeps the line itself, so that the others keep their numbers
  const table = text.slice(match?.[0].length ?? 0)
  try {
    return parse(table, {
      delimiter: match?.[1] ?? delimiterOf(table),
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
      // one row beyond the limit shows that there are too many
      to,
      max_record_size: 10_000,
    }) as unknown as Line[]
  } catch (error) {
    if (error instanceof CsvError) throw new Fault('invalid', 'import-broken', { line: Number(error['lines'] ?? 0) })
    throw error
  }
}

/** By position; undefined for a column without a heading. */
function headingOf(cells: string[]): (Column | undefined)[] {
  const found = cells.map(columnOf)
  const known = found.filter((column) => column !== undefined)
  const missing = columns.filter((column) => column !== optional && !found.includes(column))
  const named = cells.filter((cell) => cell !== '').length
  if (missing.length > 0 || known.length < named || new Set(known).size < known.length)
    throw new Fault('invalid', 'import-heading', { found: cells.join(', ').slice(0, 200) })
  return found
}

/** Whether the file starts like a list of users. */
export function hasHeading(text: string): boolean {
  try {
    return headingOf(linesOf(text, 1)[0]?.record ?? []).length > 0
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

/** Parses the file; refuses it if it is no such table. The rows themselves are not validated here. */
export function readUserCsv(text: string): CsvUser[] {
  const [first, ...rest] = linesOf(text)
  const heading = headingOf(first?.record ?? [])
  const rows = rest.filter(({ record }) => record.some((cell) => cell !== ''))
  if (rows.length === 0) throw new Fault('invalid', 'import-empty')
  if (rows.length > maxRows) throw new Fault('invalid', 'import-too-many', { maximum: maxRows })
  return rows.map(({ record, info }) => {
    const cell = (column: Column) => record[heading.indexOf(column)] ?? ''
    return {
      line: info.lines - count(record.join(''), '\n'),
      userName: cell('userName'),
      nickname: cell('nickname'),
      email: cell('email'),
      team: cell('team'),
      surplus: record.some((more, at) => more !== '' && heading[at] === undefined),
    }
  })
}
