import { Readable } from 'node:stream'
import type { audit } from '@gantry/contract/audit/audit'
import type { z } from 'zod'
import { stringify } from 'csv-stringify/sync'
import { note } from '../../kernel/audit.ts'
import type { Ctx } from '../../kernel/context.ts'
import { countCap } from '../../kernel/paging.ts'
import { say } from '../../kernel/phrase.ts'
import { isHopeless, isShort, type Search } from './filter.read.ts'
import { findAudit, readRows, walk } from './audit.read.ts'
import { displayRow, searchOf } from './audit.service.ts'

/** RFC 4180. A cell that a spreadsheet would run as a formula gets an apostrophe in front, which makes it text. */
export const csvLine = (cells: (string | number)[]): string =>
  stringify([cells], { record_delimiter: 'windows', quoted_match: /[\r\n]/, escape_formulas: true })

/** Without it Excel reads the file in the machine's own encoding. */
const byteOrderMark = '\ufeff'

type ExportQuery = z.output<typeof audit.csv.query>

/** Maximum rows of one file. */
const maxRows = 100_000
const together = 1_000

function* parts(ids: string[]): Generator<string[]> {
  for (let at = 0; at < ids.length; at += together) yield ids.slice(at, at + together)
}

/**
 * Ids of the matches, newest first. Rare matches come from the indexes at once; all others window by window, as the
 * reader consumes them.
 */
async function* idsOf(ctx: Ctx, search: Search): AsyncGenerator<string[]> {
  if (isHopeless(search)) return
  const { ids, total } = await findAudit(ctx.db, search, { limit: countCap, offset: 0 })
  if (total <= countCap && !isShort(search)) return yield* parts(ids)
  for (let last: string | undefined; ;) {
    const found = await walk(ctx.db, search, last)
    yield* parts(found.ids)
    last = found.last
    if (last === undefined || ctx.signal.aborted) return
  }
}

async function* linesOf(ctx: Ctx, search: Search): AsyncGenerator<string> {
  const title = (name: 'time' | 'user' | 'address' | 'team' | 'action' | 'object' | 'result' | 'reason' | 'duration') =>
    say(ctx.lang, `audit-csv-${name}`)
  yield (
    byteOrderMark +
    csvLine([
      title('time'),
      title('user'),
      title('address'),
      title('team'),
      title('action'),
      'apiValue',
      title('object'),
      title('result'),
      title('reason'),
      title('duration'),
      'method',
      'url',
      'requestId',
    ])
  )
  let left = maxRows
  for await (const ids of idsOf(ctx, search)) {
    const rows = await readRows(ctx.db, ids.slice(0, left))
    left -= ids.length
    yield rows
      .map((row) => displayRow(ctx, row))
      .map((row) =>
        csvLine([
          row.startTime,
          row.username,
          row.ip,
          row.teamName,
          row.action,
          row.apiValue,
          row.object,
          say(ctx.lang, row.result === 1 ? 'audit-result-1' : 'audit-result-0'),
          row.reason,
          row.durationMs,
          row.method,
          row.url,
          row.requestId,
        ]),
      )
      .join('')
    if (left <= 0) return
  }
}

/** A file that ends early says so in its last row, because the status was sent long before. */
async function* wholeOrSaid(ctx: Ctx, lines: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* lines
  } catch (error) {
    if (ctx.signal.aborted) return
    ctx.log.error({ err: error }, 'an export of the audit log broke off')
    yield csvLine([say(ctx.lang, 'audit-csv-broken')])
  }
}

export async function exportCsv(ctx: Ctx, query: ExportQuery): Promise<Readable> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== 0)
  note(ctx, { object: 'audit.csv', after: Object.fromEntries(given) })
  return Readable.from(wholeOrSaid(ctx, linesOf(ctx, await searchOf(ctx, query))))
}
