import { sql } from 'kysely'
import type { Db } from '../../../db/tables.gen.ts'
import { hashCookie, newToken } from '../../../identity/sessions.ts'
import type { Browser } from '../../../identity/sign-in.ts'
import { policyFigure } from '../policy/policy.store.ts'

/**
 * The browsers in which an account has logged in, each with a token that is valid for this account and with the
 * browser's proof only. Wrong passwords there are counted for that browser, so that strangers who lock the account do
 * not keep its owner out. Writers lock the account's row, which serializes counts and logins.
 */

/** A browser is forgotten after this many days without a login of the account. */
export const knownDays = 90
/** Per account; those unused for longest are forgotten first. */
export const maxBrowsers = 20
/** Maximum of users known to one browser, the newest first, because a cookie is small. */
export const maxUsers = 5

const tooMany = sql<boolean>`wrong_passwords > ${policyFigure('retries')}`
const isFresh = sql<boolean>`last_login_at > now() - make_interval(days => ${knownDays}::int)`

const hashes = (browser: Browser | undefined): Buffer[] =>
  browser?.known.map((token) => hashCookie(token, browser.proof)) ?? []

const isOfBrowser = (browser: Browser | undefined) => sql<boolean>`token_hash = any(${hashes(browser)}::bytea[])`

/**
 * Counts a wrong password; returns whether there are too many now, or undefined if the account does not know the
 * browser.
 */
export async function countInBrowser(
  db: Db,
  accountId: number,
  browser: Browser | undefined,
): Promise<boolean | undefined> {
  const counted = await db
    .updateTable('known_browser')
    .set({ wrong_passwords: sql`wrong_passwords + 1` })
    .where('account_id', '=', accountId)
    .where(isOfBrowser(browser))
    .where(isFresh)
    .returning(tooMany.as('tooMany'))
    .executeTakeFirst()
  return counted?.tooMany
}

/** Whether the account knows the browser, and it has not had too many wrong passwords there. */
export async function isTrusted(db: Db, accountId: number, browser: Browser | undefined): Promise<boolean> {
  const found = await db
    .selectFrom('known_browser')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where(isOfBrowser(browser))
    .where(isFresh)
    .where((eb) => eb.not(tooMany))
    .executeTakeFirst()
  return found !== undefined
}

/** Records a login there; returns the tokens that the browser is to send from now on. */
export async function keepBrowser(db: Db, accountId: number, browser: Browser, family: string): Promise<string[]> {
  const again = await db
    .updateTable('known_browser')
    .set({ family, wrong_passwords: 0, last_login_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where(isOfBrowser(browser))
    .returning('token_hash')
    .executeTakeFirst()
  const { proof, known } = browser
  const existing = known.find((token) => again?.token_hash.equals(hashCookie(token, proof)))
  const token = existing ?? newToken('browser')
  if (existing === undefined) {
    const row = { token_hash: hashCookie(token, proof), account_id: accountId, family }
    await db.insertInto('known_browser').values(row).execute()
    await forgetUnused(db, accountId)
  }
  return [token, ...known.filter((other) => other !== token)].slice(0, maxUsers)
}

async function forgetUnused(db: Db, accountId: number): Promise<void> {
  const surplus = db
    .selectFrom('known_browser')
    .select('token_hash')
    .where('account_id', '=', accountId)
    .orderBy('last_login_at', 'desc')
    .offset(maxBrowsers)
  await db.deleteFrom('known_browser').where('token_hash', 'in', surplus).execute()
}

/** Resets the counters. */
export const forgiveBrowsers = (db: Db, accountId: number) =>
  db.updateTable('known_browser').set({ wrong_passwords: 0 }).where('account_id', '=', accountId).execute()

export const forgetBrowsers = (db: Db, accountId: number) =>
  db.deleteFrom('known_browser').where('account_id', '=', accountId).execute()

/** Forgets the browsers of all other logins. */
export const forgetOtherBrowsers = (db: Db, accountId: number, family: string) =>
  db.deleteFrom('known_browser').where('account_id', '=', accountId).where('family', '<>', family).execute()

export const forgetBrowserOf = (db: Db, accountId: number, family: string) =>
  db.deleteFrom('known_browser').where('account_id', '=', accountId).where('family', '=', family).execute()
