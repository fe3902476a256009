import { type Kysely, sql } from 'kysely'
import type { Tables } from '../src/db/tables.gen.ts'

/** Calls about the caller's own session or bell, whose rows name the user; agents' calls leave rows only if refused. */
const aboutTheCaller = /^(session\.(logout|refresh|end-others|oauth|backchannel-logout)|notification\.read|agent\.\w+)$/

/** Fails if a successful call during the tests left an audit row without its object. */
export async function refuseUntoldTrail(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ action: string }>`
    select distinct action from audit_log where object = '' and status < 400 and method <> 'RUN'`.execute(db)
  const untold = rows.map(({ action }) => action).filter((action) => !aboutTheCaller.test(action))
  if (untold.length > 0) throw new Error(`rows of the trail without an object, see note(): ${untold.join(', ')}`)
}
