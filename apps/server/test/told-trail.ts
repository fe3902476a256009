import { type Kysely, sql } from 'kysely'
import type { Tables } from '../src/db/tables.gen.ts'

/** Done to nothing but the caller's own session or bell, whose user the row names anyway; agents' calls leave a row only when refused. */
const aboutTheCaller = /^(session\.(logout|refresh|end-others|oauth|backchannel-logout)|notification\.read|agent\.\w+)$/

/** Fails where a call that succeeded during the tests left a row of the trail that does not say what it was about. */
export async function refuseUntoldTrail(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ action: string }>`
    select distinct action from audit_log where object = '' and status < 400 and method <> 'RUN'`.execute(db)
  const untold = rows.map(({ action }) => action).filter((action) => !aboutTheCaller.test(action))
  if (untold.length > 0) throw new Error(`rows of the trail without an object, see note(): ${untold.join(', ')}`)
}
