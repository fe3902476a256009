import { email, nickname, userName } from '@gantry/contract/validators'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { z } from 'zod'
import type { Ctx } from '../../../kernel/context.ts'
import type { Vars } from '../../../kernel/fault.ts'
import { isPhrase, say } from '../../../kernel/phrase.ts'
import { teamsByName } from '../../teams/public.ts'
import type { CsvUser } from './user-csv.ts'
import { takenAmong } from '../users/users.store.ts'

export interface Examined extends CsvUser {
  /** In the caller's language; empty if the row is valid. */
  problem: string
  teamId: number | undefined
}

type Problem = [key: PhraseKey, vars?: Vars]

const against = (rule: z.ZodType, value: string): Problem[] => {
  const key = rule.safeParse(value).error?.issues[0]?.message
  return key === undefined ? [] : [[isPhrase(key) ? key : 'field-invalid']]
}

/** The first line of each value: a duplicate is an error in its later lines. */
function firstLines(rows: CsvUser[], valueOf: (row: CsvUser) => string): Map<string, number> {
  const lines = new Map<string, number>()
  for (const row of rows) {
    const value = valueOf(row).toLowerCase()
    if (value !== '' && !lines.has(value)) lines.set(value, row.line)
  }
  return lines
}

/** Validates each row: by itself, against the other rows, and against existing users and teams. */
export async function examine(ctx: Ctx, rows: CsvUser[]): Promise<Examined[]> {
  const taken = await takenAmong(ctx.db, rows)
  const teams = await teamsByName(ctx.db, [...new Set(rows.map(({ team }) => team).filter(Boolean))])
  const names = firstLines(rows, (row) => row.userName)
  const addresses = firstLines(rows, (row) => row.email)

  const problemsOf = (row: CsvUser): Problem[] => {
    const name = row.userName.toLowerCase()
    const address = row.email.toLowerCase()
    const [nameLine = row.line, addressLine = row.line] = [names.get(name), addresses.get(address)]
    const problems: (Problem | undefined)[] = [
      row.surplus ? ['import-surplus'] : undefined,
      ...against(userName, row.userName),
      ...against(nickname, row.nickname),
      ...against(email, row.email),
      nameLine === row.line ? undefined : ['import-name-double', { name: row.userName, line: nameLine }],
      addressLine === row.line ? undefined : ['import-email-double', { email: row.email, line: addressLine }],
      taken.names.has(name) ? ['user-name-taken', { name: row.userName }] : undefined,
      taken.emails.has(address) ? ['user-email-taken', { email: row.email }] : undefined,
      row.team === '' || teams.has(row.team) ? undefined : ['import-team-unknown', { team: row.team }],
    ]
    return problems.filter((problem) => problem !== undefined)
  }

  return rows.map((row) => ({
    ...row,
    problem: problemsOf(row)
      .map(([key, vars]) => say(ctx.lang, key, vars))
      .join(ctx.lang === 'zh' ? '；' : '; '),
    teamId: teams.get(row.team),
  }))
}
