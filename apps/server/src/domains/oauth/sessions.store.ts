import type { Db } from '../../db/tables.gen.ts'

interface NewSession {
  family: string
  issuer: string
  subject: string
  /** Empty if the provider names no session. */
  sid: string
  /** Encrypted. */
  idToken: string
  endSessionEndpoint: string
  clientId: string
}

export async function insertOauthSession(db: Db, session: NewSession): Promise<void> {
  const { idToken, endSessionEndpoint, clientId, ...rest } = session
  await db
    .insertInto('oauth_session')
    .values({ ...rest, id_token: idToken, end_session_endpoint: endSessionEndpoint, client_id: clientId })
    .execute()
}

export const findOauthSession = (db: Db, family: string) =>
  db
    .selectFrom('oauth_session')
    .select(['id_token as idToken', 'end_session_endpoint as endSessionEndpoint', 'client_id as clientId'])
    .where('family', '=', family)
    .executeTakeFirst()

/** Logins of this provider session, or without `sid` of all sessions of the subject. */
export async function familiesOf(
  db: Db,
  { issuer, sub, sid }: { issuer: string; sub: string | undefined; sid: string | undefined },
): Promise<string[]> {
  const rows = await db
    .selectFrom('oauth_session')
    .select('family')
    .where('issuer', '=', issuer)
    .$if(sub !== undefined, (query) => query.where('subject', '=', sub ?? ''))
    .$if(sid !== undefined, (query) => query.where('sid', '=', sid ?? ''))
    .execute()
  return rows.map(({ family }) => family)
}
