import { CsvError, type InfoRecord, parse } from 'csv-parse/sync'
import { Fault } from '../../../kernel/fault.ts'

/** What one line of the file says; cells that it does not have are empty. */
export interface CsvUser {
  /** As an editor counts, from 1, the heading included. */
  line: number
  userName: string
  nickname: string
  email: string
  team: string
  /** It has cells without a heading. */
  surplus: boolean
}

export const mostRows = 1000

/** The columns, as they are called in either language; letter case and spaces say nothing. */
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

/** A first line that tells spreadsheets by what the cells are separated. */
const separator = /^"?sep=([,;\t|])"?[ \t]*(?=\r?\n)/i

/** Spreadsheets write semicolons where the comma is the decimal mark, and tabs into UTF-16. */
const delimiterOf = (text: string): string => {
  const heading = /^.*\S.*$/m.exec(text)?.[0] ?? ''
  const [most = ','] = [',', ';', '\t'].sort((a, b) => count(heading, b) - count(heading, a))
  return most
}

interface Line {
  record: string[]
  info: InfoRecord
}

function linesOf(text: string, to = mostRows + 2): Line[] {
  const told = separator.exec(text)
  // its line stays, so that the others keep their numbers
  const table = text.slice(told?.[0].length ?? 0)
  try {
    return parse(table, {
      delimiter: told?.[1] ?? delimiterOf(table),
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
      // no further than what tells that there are too many
      to,
      max_record_size: 10_000,
    }) as unknown as Line[]
  } catch (error) {
    if (error instanceof CsvError) throw new Fault('invalid', 'import-broken', { line: Number(error['lines'] ?? 0) })
    throw error
  }
}

/** By the place of the cell; a column without a heading has none. */
function headingOf(cells: string[]): (Column | undefined)[] {
  const found = cells.map(columnOf)
  const known = found.filter((column) => column !== undefined)
  const missing = columns.filter((column) => column !== optional && !found.includes(column))
  const named = cells.filter((cell) => cell !== '').length
  if (missing.length > 0 || known.length < named || new Set(known).size < known.length)
    throw new Fault('invalid', 'import-heading', { found: cells.join(', ').slice(0, 200) })
  return found
}

/** Whether the file begins like a list of users. */
export function hasHeading(text: string): boolean {
  try {
    return headingOf(linesOf(text, 1)[0]?.record ?? []).length > 0
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

/** Reads the file; refuses it where it is none of this kind. Whether the rows are right is not asked here. */
export function readUserCsv(text: string): CsvUser[] {
  const [first, ...rest] = linesOf(text)
  const heading = headingOf(first?.record ?? [])
  const rows = rest.filter(({ record }) => record.some((cell) => cell !== ''))
  if (rows.length === 0) throw new Fault('invalid', 'import-empty')
  if (rows.length > mostRows) throw new Fault('invalid', 'import-too-many', { maximum: mostRows })
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
