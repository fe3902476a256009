import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { z } from 'zod'
import type { CsvEncoding, users } from '@gantry/contract/users/users'
import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { hashPassword, newInitialPassword, publishUsers } from '../../auth/public.ts'
import { joinTeam } from '../../teams/public.ts'
import { insertLocals } from '../users/users.store.ts'
import { type Examined, examine } from './examine.ts'
import { previewOf, readingAs, readingsOf } from './encoding.ts'
import { hasHeading, readUserCsv } from './user-csv.ts'

type Report = z.input<typeof users.importUsers.data>

const reportOf = (rows: Examined[], passwords: Map<number, string>): Report => ({
  created: passwords.size,
  unsure: [],
  rows: rows.map(({ line, userName, nickname, email, team, problem }) => {
    return { line, userName, nickname, email, team, problem, initialPassword: passwords.get(line) ?? '' }
  }),
})

const untouched = (rows: Examined[]): Report => reportOf(rows, new Map())

/** Maximum of names in the audit row. */
const maxNamed = 20

interface Wanted {
  check: boolean
  /** Chosen by the user; undefined means detected from the file. */
  encoding?: CsvEncoding | undefined
}

class TakenMeanwhile extends Error {}

/**
 * Creates local users, each with an initial password: all of them, or none if a row is wrong. The report says what is
 * wrong with each row. A file that can be read in several encodings creates nobody until one is chosen.
 */
export async function importUsers(ctx: Ctx, upload: Readable, { check, encoding }: Wanted): Promise<Report> {
  const bytes = await buffer(upload)
  const found = encoding ? { sure: readingAs(bytes, encoding) } : readingsOf(bytes, hasHeading)
  if ('unsure' in found) {
    note(ctx, { object: found.unsure.map((reading) => reading.encoding).join(' / '), after: { check } })
    return { created: 0, unsure: found.unsure.map(previewOf), rows: [] }
  }
  const rows = readUserCsv(found.sure.text)
  const examined = await examine(ctx, rows)
  const wrong = examined.filter(({ problem }) => problem !== '').length
  const names = rows.slice(0, maxNamed).map((row) => row.userName)
  note(ctx, { object: names.join(', '), after: { rows: rows.length, wrong, check } })
  if (check || wrong > 0) return untouched(examined)

  const made: { row: Examined; password: string; passwordHash: string }[] = []
  // one after the other, so that logins go on meanwhile
  for (const row of examined) {
    const password = newInitialPassword()
    made.push({ row, password, passwordHash: await hashPassword(password) })
  }
  try {
    await inTx(ctx, async (ctx) => {
      const inserted = await insertLocals(
        ctx.db,
        made.map(({ row, passwordHash }) => ({ ...row, admin: false, passwordHash })),
      )
      if (inserted.length < made.length) throw new TakenMeanwhile()
      const ids = new Map(inserted.map(({ id, userName }) => [userName, id]))
      for (const [teamId, members] of Map.groupBy(examined, (row) => row.teamId)) {
        if (teamId === undefined) continue
        const userIds = members.flatMap(({ userName }) => ids.get(userName) ?? [])
        await joinTeam(ctx, teamId, userIds)
      }
      await publishUsers(ctx)
    })
  } catch (error) {
    // somebody took a name since the check; the report says which
    if (error instanceof TakenMeanwhile) return untouched(await examine(ctx, rows))
    throw error
  }
  note(ctx, { after: { created: made.map(({ row }) => row.userName) } })
  return reportOf(examined, new Map(made.map(({ row, password }) => [row.line, password])))
}
