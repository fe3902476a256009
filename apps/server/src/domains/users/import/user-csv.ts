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
  /** It has cells beyond the heading's. */
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

/** UTF-8 with or without a byte order mark, else GBK, in which Chinese spreadsheets save. */
function decode(bytes: Buffer): string {
  // no text of either has one: a workbook, or UTF-16
  if (bytes.includes(0)) throw new Fault('invalid', 'import-encoding')
  for (const encoding of ['utf-8', 'gbk']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      // the next one
    }
  }
  throw new Fault('invalid', 'import-encoding')
}

const count = (text: string, what: string): number => text.split(what).length - 1

/** Spreadsheets write semicolons where the comma is the decimal mark. */
const delimiterOf = (text: string): string => {
  const [heading = ''] = text.split(/\r?\n/, 1)
  return count(heading, ';') > count(heading, ',') ? ';' : ','
}

interface Line {
  record: string[]
  info: InfoRecord
}

function linesOf(text: string): Line[] {
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
      // no further than what tells that there are too many
      to: mostRows + 2,
      max_record_size: 10_000,
    }) as unknown as Line[]
  } catch (error) {
    if (error instanceof CsvError) throw new Fault('invalid', 'import-broken', { line: Number(error['lines'] ?? 0) })
    throw error
  }
}

function headingOf(cells: string[]): Column[] {
  const found = cells.map(columnOf)
  const missing = columns.filter((column) => column !== optional && !found.includes(column))
  if (missing.length > 0 || found.includes(undefined) || new Set(found).size < found.length)
    throw new Fault('invalid', 'import-heading', { found: cells.join(', ').slice(0, 200) })
  return found as Column[]
}

/** Reads the file; refuses it where it is none of this kind. Whether the rows are right is not asked here. */
export function readUserCsv(bytes: Buffer): CsvUser[] {
  const [first, ...rest] = linesOf(decode(bytes))
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
      surplus: record.slice(heading.length).some((more) => more !== ''),
    }
  })
}
