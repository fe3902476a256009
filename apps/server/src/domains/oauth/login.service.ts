import type { z } from 'zod'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import type { oauth } from '@gantry/contract/oauth/oauth'
import type { Claims, SignedIn } from '../../adapters/oidc/oidc.ts'
import { note } from '../../kernel/audit.ts'
import type { Ctx } from '../../kernel/context.ts'
import { hit } from '../../kernel/counters.ts'
import { Fault } from '../../kernel/fault.ts'
import { say } from '../../kernel/phrase.ts'
import { seal } from '../../kernel/secrets/secrets.ts'
import type { Browser, Login } from '../../identity/sign-in.ts'
import { type ExternalUser, type Grants, signInExternal } from '../users/public.ts'
import { attemptCookie, attemptOf, attemptOfAnswer, newAttempt } from './attempt.ts'
import { keepGroups } from './accounts.store.ts'
import { displayGroups, groupsOf, lacksClaims, teamsOf, userOf } from './claims.ts'
import { insertOauthSession } from './sessions.store.ts'
import { clientOf, settingsInForce, urisOf } from './settings.service.ts'
import { findSettings, type StoredSettings } from './settings.store.ts'

/** Where to send the browser, with a cookie. */
export interface Redirection {
  location: string
  cookie: string | undefined
}

/** Back to the login page with the reason. Other ways to log in still work there. */
const backWith = (error: PhraseKey, problem?: string): Redirection => ({
  location: `/login?${new URLSearchParams({ error, ...(problem === undefined ? {} : { error_description: problem }) }).toString()}`,
  cookie: undefined,
})

/** Redirects the browser to the provider; if that cannot be reached, back to the login page within a few seconds. */
export async function departure(ctx: Ctx): Promise<Redirection> {
  const settings = await findSettings(ctx.db)
  if (!settings?.enabled) return backWith('oauth-off')
  const cookie = newAttempt()
  const { redirectUri } = urisOf(ctx)
  const wanted = { redirectUri, scopes: settings.scopes, attempt: attemptOf(cookie) }
  try {
    return { location: await ctx.ports.oidc.authorizationUrl(clientOf(ctx, settings), wanted), cookie }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    ctx.log.warn({ err: error, issuer: settings.issuer }, 'the provider of OAuth cannot be asked')
    return backWith('oauth-unavailable', say(ctx.lang, error.key, error.vars))
  }
}

type Answer = z.output<typeof oauth.afterAuth.query>

/** The claims of the ID token and, if these are not enough, of userinfo. The signed claims take precedence. */
async function allClaims(
  settings: StoredSettings,
  { claims, userInfo }: SignedIn,
): Promise<Claims & SignedIn['claims']> {
  return lacksClaims(settings, claims) ? { ...(await userInfo()), ...claims } : claims
}

/**
 * How a fault of the provider is reported: administrators find its words in the audit row, and the user, who cannot fix
 * it, gets the number of the row. An expired code is the exception: starting again helps.
 */
function toRefusal(ctx: Ctx, { issuer }: StoredSettings, error: unknown): unknown {
  ctx.log.warn({ err: error, issuer }, 'a sign-in by OAuth was refused')
  if (!(error instanceof Fault)) return error
  note(ctx, { object: issuer, after: { problem: say(ctx.lang, error.key, error.vars) } })
  if (error.key === 'oauth-code-refused') return error
  const vars = { ...error.vars, requestId: ctx.requestId }
  return new Fault(error.kind, error.key, vars, null, 'oauth-refused')
}

interface Arrived {
  /** The cookie of the attempt. */
  cookie: string | undefined
  browser: Browser | undefined
}

interface Admission {
  user: ExternalUser
  grants: Grants
  groups: string[] | undefined
  browser: Browser | undefined
}

/** Stores the groups even if the login is refused: administrators look up those of users without a mapped group. */
async function admitted(ctx: Ctx, { user, grants, groups, browser }: Admission): Promise<Login> {
  try {
    return await signInExternal(ctx, user, grants, browser)
  } finally {
    await keepGroups(ctx.db, user, groups)
  }
}

/** Exchanges the provider's code for a session of ours: once, and only in the browser that started the login. */
export async function arrive(ctx: Ctx, answer: Answer, { cookie, browser }: Arrived): Promise<Login> {
  const foreign = new Fault('invalid', 'oauth-state')
  const attempt = attemptOfAnswer(cookie, answer.state)
  if (!attempt) throw foreign
  if ((await hit(ctx.db, `oauth-state:${attempt.state}`, attemptCookie.seconds)) > 1) throw foreign
  const settings = await settingsInForce(ctx)
  const client = clientOf(ctx, settings)
  const { redirectUri } = urisOf(ctx)
  const given = Object.entries(answer).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const { signedIn, all: claims } = await ctx.ports.oidc
    .exchange(client, { redirectUri, attempt, answer: Object.fromEntries(given) })
    .then(async (signedIn) => ({ signedIn, all: await allClaims(settings, signedIn) }))
    .catch((error: unknown) => {
      throw toRefusal(ctx, settings, error)
    })
  const grants = { create: settings.createAtLogin, teams: teamsOf(settings, claims) }
  const user = userOf(settings, claims)
  const groups = displayGroups(groupsOf(settings, claims))
  note(ctx, { after: { groups: groups ?? null } })
  const login = await admitted(ctx, { user, grants, groups, browser })
  await insertOauthSession(ctx.db, {
    family: login.opened.family,
    issuer: claims.iss,
    subject: claims.sub,
    sid: typeof claims['sid'] === 'string' ? claims['sid'] : '',
    idToken: seal(ctx, signedIn.idToken),
    endSessionEndpoint: signedIn.endSessionEndpoint ?? '',
    clientId: client.clientId,
  })
  return login
}
