import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { LoginPolicy } from '@gantry/contract/auth/policy'
import { writeSetting } from '../../../db/setting.ts'
import type { Tables } from '../../../db/tables.gen.ts'

const name = 'login'

/** In force until an administrator saves another. */
export const defaultPolicy: LoginPolicy = { passwordDays: 180, retries: 3 }

/**
 * One figure of the policy, read within the statement that needs it: a change is effective in every replica with its
 * commit, because nothing is cached.
 */
export const policyFigure = (figure: keyof LoginPolicy): RawBuilder<number> =>
  sql<number>`coalesce((select (value ->> ${sql.lit(figure)})::int from setting where name = ${sql.lit(name)}), ${sql.lit(defaultPolicy[figure])})`

export const readPolicy = (db: Kysely<Tables>): Promise<LoginPolicy> =>
  db
    .selectNoFrom([policyFigure('passwordDays').as('passwordDays'), policyFigure('retries').as('retries')])
    .executeTakeFirstOrThrow()

export const writePolicy = (db: Kysely<Tables>, policy: LoginPolicy): Promise<void> => writeSetting(db, name, policy)
