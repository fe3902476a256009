import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { prepared } from '../db/open.ts'
import type { Db } from '../db/tables.gen.ts'
import { afterCommit, type Actor, type Ctx, type Limit } from '../kernel/context.ts'

/**
 * Tokens are opaque and random; the database stores their hashes, and its clock decides when they expire. One login is
 * a family: its cookie, which only serves to get a token for a new tab, and the bearer tokens that it issued. A
 * program's login, which shows no browser's proof, has no cookie.
 */
export const sessionDays = 7
export const ticketSeconds = 30
/**
 * Bearer tokens of one login. A tab takes another token whenever its team or permissions change, and never returns the
 * old one.
 */
export const maxTabs = 1000

/** Tells people and scanners for leaked secrets what a found token is for. */
const prefixes = {
  session: 'gs_',
  cookie: 'gc_',
  browser: 'gb_',
  api: 'gt_',
  agent: 'ga_',
  registration: 'gr_',
  cluster: 'gm_',
  ticket: 'gk_',
  join: 'gj_',
} as const
export type TokenKind = keyof typeof prefixes

/** Log lines and audit rows recognize such tokens by their shape. */
export const newToken = (kind: TokenKind): string => prefixes[kind] + randomBytes(32).toString('base64url')

export const tokenKind = (token: string): TokenKind | undefined =>
  (Object.keys(prefixes) as TokenKind[]).find((kind) => token.startsWith(prefixes[kind]) && token.length === 46)

/** With 256 random bits, no slow hash is needed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A cookie is stored as the hash of it and its browser's proof, so neither is of use without the other. */
export const hashCookie = (cookie: string, proof: string): Buffer => hashToken(`${cookie} ${proof}`)

/**
 * The accounts whose sessions and API tokens are valid. A lock after wrong passwords refuses new logins but ends no
 * session: otherwise anybody who knows a user's name could log them out.
 */
export const activeStatuses = ['normal', 'locked'] as const
export const isActive = (status: string): boolean => activeStatuses.some((active) => active === status)

/** Who sends a request. */
export interface Caller {
  actor: Actor
  /** The initial password is still in force, or the session was opened with an expired one. */
  newlyBuilt: boolean
  token?: string
  session?: { id: number; family: string; teamId: number | null; expiresAt: string; passwordExpired: boolean }
  apiToken?: { id: number; teamId: number }
}

export const anonymous: Caller = { actor: { kind: 'anonymous', id: 0, name: '', admin: false }, newlyBuilt: false }

const sessions = (db: Db) =>
  db
    .selectFrom('session')
    .modifyFront(prepared)
    .innerJoin('account', 'account.id', 'session.account_id')
    // a view as a role ends once the user is neither an administrator nor a leader of the team any more
    .leftJoin('team_role as viewed', (join) =>
      join.onRef('viewed.id', '=', 'session.view_as').on(
        sql<boolean>`(account.admin or exists(
          select from team_member
          where team_member.account_id = account.id and team_member.team_id = viewed.team_id and team_member.leader))`,
      ),
    )
    .select(['viewed.id as roleId', 'viewed.team_id as roleTeam', 'viewed.name as roleName'])
    .select('viewed.permissions as rolePermissions')
    .select([
      'session.id',
      'session.family',
      'session.team_id as teamId',
      'session.expires_at as expiresAt',
      'session.password_expired as passwordExpired',
      sql<boolean>`session.last_seen_at < now() - interval '1 minute'`.as('unseen'),
      'account.id as accountId',
      'account.user_name as name',
      'account.admin',
      'account.newly_built as newlyBuilt',
    ])
    .where('session.expires_at', '>', sql<string>`now()`)
    .where('account.status', 'in', activeStatuses)

type SessionRow = Awaited<ReturnType<ReturnType<typeof sessions>['executeTakeFirstOrThrow']>>

const viewOf = ({ roleId, roleTeam, roleName, rolePermissions }: SessionRow): Limit | undefined =>
  roleId === null || roleTeam === null
    ? undefined
    : { kind: 'view', teamId: roleTeam, roleId, roleName: roleName ?? '', permissions: new Set(rolePermissions) }

function callerOf(row: SessionRow): Caller {
  const { id, family, teamId, expiresAt, passwordExpired, accountId, name } = row
  const limit = viewOf(row)
  return {
    actor: { kind: 'user', id: accountId, name, admin: row.admin && !limit, ...(limit && { limit }) },
    newlyBuilt: row.newlyBuilt || passwordExpired,
    session: { id, family, teamId, expiresAt, passwordExpired },
  }
}

/** The user whose bearer token this is, while it is valid. */
export async function findSession(db: Db, token: string): Promise<Caller | undefined> {
  const row = await sessions(db)
    .where('session.token_hash', '=', hashToken(token))
    .where('session.kind', '=', 'bearer')
    .executeTakeFirst()
  if (!row) return undefined
  // a precision of one minute is enough for the list of sessions, and saves most calls the write
  if (row.unseen)
    await db
      .updateTable('session')
      .set({ last_seen_at: sql`now()` })
      .where('id', '=', row.id)
      .execute()
  return { ...callerOf(row), token }
}

const apiTokens = (db: Db) =>
  db
    .selectFrom('api_token')
    .modifyFront(prepared)
    .innerJoin('account', 'account.id', 'api_token.account_id')
    .select([
      'api_token.id',
      'api_token.team_id as teamId',
      'api_token.alias',
      'api_token.permissions',
      'api_token.last_used_at as lastUsedAt',
      'account.id as accountId',
      'account.user_name as name',
      'account.newly_built as newlyBuilt',
    ])
    .where('account.status', 'in', activeStatuses)
    .where((eb) => eb.or([eb('api_token.expires_at', 'is', null), eb('api_token.expires_at', '>', sql<string>`now()`)]))

type ApiTokenRow = Awaited<ReturnType<ReturnType<typeof apiTokens>['executeTakeFirstOrThrow']>>

function tokenCallerOf({ id, teamId, alias, permissions, accountId, name, newlyBuilt }: ApiTokenRow): Caller {
  const limit: Limit = { kind: 'token', teamId, alias, permissions: new Set(permissions) }
  return { actor: { kind: 'user', id: accountId, name, admin: false, limit }, newlyBuilt, apiToken: { id, teamId } }
}

/**
 * An API token acts as its creator, within its team and with at most its own permissions; never as an administrator.
 */
export async function findApiToken(db: Db, token: string): Promise<Caller | undefined> {
  const row = await apiTokens(db).where('api_token.token_hash', '=', hashToken(token)).executeTakeFirst()
  if (!row) return undefined
  // a precision of one minute is enough for the list of tokens, and saves most calls the write
  if (row.lastUsedAt === null || Date.now() - Date.parse(row.lastUsedAt) > 60_000)
    await db
      .updateTable('api_token')
      .set({ last_used_at: sql`now()` })
      .where('id', '=', row.id)
      .execute()
  return { ...tokenCallerOf(row), token }
}

/** Reads the caller again: undefined once the session or token, or the account, is no longer valid. */
export async function findAgain(db: Db, caller: Caller): Promise<Caller | undefined> {
  if (caller.session) {
    const row = await sessions(db).where('session.id', '=', caller.session.id).executeTakeFirst()
    return row && callerOf(row)
  }
  if (!caller.apiToken) return caller
  const row = await apiTokens(db).where('api_token.id', '=', caller.apiToken.id).executeTakeFirst()
  return row && tokenCallerOf(row)
}

export interface OpenedSession {
  token: string
  family: string
  /** For Set-Cookie, see http/cookies.ts; undefined without a browser's proof. */
  cookie: string | undefined
}

interface NewSession {
  accountId: number
  teamId?: number | null
  /** The session may then only be used to change the password. */
  passwordExpired?: boolean
  /** The browser's proof; with it the login gets a cookie for further tabs. */
  proof?: string | undefined
}

/** Opens the session of a login. Called in the transaction that decides the login. */
export async function openSession(
  ctx: Ctx,
  { accountId, teamId = null, passwordExpired = false, proof }: NewSession,
): Promise<OpenedSession> {
  const [token, family] = [newToken('session'), randomUUID()]
  const cookie = proof === undefined ? undefined : newToken('cookie')
  const common = {
    family,
    account_id: accountId,
    team_id: teamId,
    ip: ctx.ip,
    user_agent: ctx.userAgent,
    password_expired: passwordExpired,
    expires_at: daysFromNow(),
  }
  await ctx.db
    .insertInto('session')
    .values([
      { ...common, kind: 'bearer', token_hash: hashToken(token) },
      ...(cookie === undefined || proof === undefined
        ? []
        : [{ ...common, kind: 'cookie' as const, token_hash: hashCookie(cookie, proof) }]),
    ])
    .execute()
  return { token, family, cookie }
}

const daysFromNow = () => sql<string>`now() + make_interval(days => ${sessionDays}::int)`

/**
 * Issues a bearer token for a new tab, by the cookie of a login; both end together. Undefined for an invalid cookie.
 */
export async function refreshSession(
  ctx: Ctx,
  cookie: string,
  proof: string,
): Promise<{ token: string; accountId: number; passwordExpired: boolean; limit: Limit | undefined } | undefined> {
  const row = await sessions(ctx.db)
    .where('session.token_hash', '=', hashCookie(cookie, proof))
    .where('session.kind', '=', 'cookie')
    .executeTakeFirst()
  if (!row) return undefined
  const token = newToken('session')
  await ctx.db
    .insertInto('session')
    .values({
      family: row.family,
      kind: 'bearer',
      account_id: row.accountId,
      team_id: row.teamId,
      view_as: row.roleId,
      ip: ctx.ip,
      user_agent: ctx.userAgent,
      password_expired: row.passwordExpired,
      expires_at: row.expiresAt,
      token_hash: hashToken(token),
    })
    .execute()
  await endUnusedTabs(ctx, row.family)
  return { token, accountId: row.accountId, passwordExpired: row.passwordExpired, limit: viewOf(row) }
}

/** Tabs do not report that they were closed. Beyond the limit, those that were unused for longest are ended. */
async function endUnusedTabs(ctx: Ctx, family: string): Promise<void> {
  const tooMany = ctx.db
    .selectFrom('session')
    .select('id')
    .where('family', '=', family)
    .where('kind', '=', 'bearer')
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .offset(maxTabs)
  const { numDeletedRows } = await ctx.db.deleteFrom('session').where('id', 'in', tooMany).executeTakeFirst()
  if (numDeletedRows > 0n) afterCommit(ctx, ctx.events.committed)
}

/** Sets the team that a session works in, also for tabs that are opened later. */
export async function switchTeam(ctx: Ctx, family: string, teamId: number): Promise<void> {
  await ctx.db.updateTable('session').set({ team_id: teamId }).where('family', '=', family).execute()
}

/** Makes every tab of a login view the team as a role; null ends it. Open sockets are reauthorized within a second. */
export async function viewAs(ctx: Ctx, family: string, roleId: number | null): Promise<void> {
  await ctx.db.updateTable('session').set({ view_as: roleId }).where('family', '=', family).execute()
  afterCommit(ctx, ctx.events.committed)
}

/** Ends the login of a browser's cookie, in all of its tabs: another login replaces it. */
export async function endReplaced(ctx: Ctx, cookie: string, proof: string): Promise<void> {
  const families = ctx.db
    .selectFrom('session')
    .select('family')
    .where('token_hash', '=', hashCookie(cookie, proof))
    .where('kind', '=', 'cookie')
  await ctx.db.deleteFrom('session').where('family', 'in', families).execute()
  afterCommit(ctx, ctx.events.committed)
}

/** Logs out: ends every tab of this login. Calls are refused at once; sockets close within a second. */
export async function endSession(ctx: Ctx, family: string): Promise<void> {
  await ctx.db.deleteFrom('session').where('family', '=', family).execute()
  afterCommit(ctx, ctx.events.committed)
}

/** Ends one of the user's own logins, in all of its tabs; false if there is no such login. */
export async function endOwnSession(ctx: Ctx, accountId: number, family: string): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('session')
    .where('family', '=', family)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  afterCommit(ctx, ctx.events.committed)
  return numDeletedRows > 0n
}

/** Ends all sessions of an account, after a password change or a ban, except those of the family `keep`. */
export async function endSessions(ctx: Ctx, accountId: number, keep?: string): Promise<void> {
  await ctx.db
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .$if(keep !== undefined, (query) => query.where('family', '<>', keep ?? ''))
    .execute()
  afterCommit(ctx, ctx.events.committed)
}

/**
 * Issues a ticket for one request that cannot carry a header: a websocket, a download. Valid once, for one method and
 * path, within 30 s.
 */
export async function makeTicket(db: Db, caller: Caller, method: string, path: string): Promise<string> {
  const ticket = newToken('ticket')
  await db
    .insertInto('ticket')
    .values({
      token_hash: hashToken(ticket),
      session_id: caller.session?.id ?? null,
      api_token_id: caller.apiToken?.id ?? null,
      method,
      path,
      expires_at: sql<string>`now() + make_interval(secs => ${ticketSeconds}::int)`,
    })
    .execute()
  return ticket
}

/** Any use spends the ticket, even one for the wrong target. */
export async function redeemTicket(db: Db, ticket: string, method: string, path: string): Promise<Caller | undefined> {
  const row = await db
    .deleteFrom('ticket')
    .where('token_hash', '=', hashToken(ticket))
    .returning(['session_id', 'api_token_id', 'method', 'path', sql<boolean>`expires_at > now()`.as('fresh')])
    .executeTakeFirst()
  if (!row?.fresh || row.method !== method || row.path !== path) return undefined
  if (row.session_id !== null) {
    const session = await sessions(db).where('session.id', '=', row.session_id).executeTakeFirst()
    return session && callerOf(session)
  }
  const token = await apiTokens(db)
    .where('api_token.id', '=', row.api_token_id ?? 0)
    .executeTakeFirst()
  return token && tokenCallerOf(token)
}
