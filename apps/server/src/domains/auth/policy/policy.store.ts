import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { LoginPolicy } from '@gantry/contract/auth/policy'
import { lockSetting, writeSetting } from '../../../db/setting.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { revisionOf } from '../../../db/revision.ts'

const name = 'login'

/** In force until an administrator saves another. */
export const defaultPolicy: LoginPolicy = { passwordDays: 180, retries: 3 }

/**
 * One figure of the policy, read within the statement that needs it: a change is effective in every replica with its
 * commit, because nothing is cached.
 */
export const policyFigure = (figure: keyof LoginPolicy): RawBuilder<number> =>
  sql<number>`coalesce((select (value ->> ${sql.lit(figure)})::int from setting where name = ${sql.lit(name)}), ${sql.lit(defaultPolicy[figure])})`

export async function readPolicy(db: Db): Promise<LoginPolicy & { revision: string }> {
  const figures = await db
    .selectNoFrom([policyFigure('passwordDays').as('passwordDays'), policyFigure('retries').as('retries')])
    .executeTakeFirstOrThrow()
  return { ...figures, revision: revisionOf(figures) }
}

export const lockPolicy = (db: Db) => lockSetting(db, name, z.unknown())

export const writePolicy = (db: Db, policy: LoginPolicy): Promise<void> => writeSetting(db, name, policy)
