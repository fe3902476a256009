import type { z } from 'zod'
import { oauth } from '@gantry/contract/oauth/oauth'
import type { OauthSettings, oauthProvider } from '@gantry/contract/oauth/provider'
import { mask } from '@gantry/contract/validators'
import type { OidcClient } from '../../adapters/oidc/provider.ts'
import { note } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { ownOrigin } from '../../config.ts'
import { say } from '../../kernel/phrase.ts'
import { open, seal, maskSealed } from '../../kernel/secrets/secrets.ts'
import { mappingProblem } from '../teams/public.ts'
import { lastSignIn } from './accounts.store.ts'
import { findSettings, type StoredSettings, writeSettings } from './settings.store.ts'

/** Addresses to register with the provider: where it redirects users, and what it calls. */
export function urisOf({ config }: Pick<Ctx, 'config'>) {
  const origin = ownOrigin(config)
  return {
    redirectUri: `${origin}/login`,
    logoutUri: `${origin}/login`,
    backchannelLogoutUri: origin + oauth.backchannelLogout.path,
  }
}

const initial: StoredSettings = {
  enabled: false,
  name: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  scopes: 'openid profile email',
  userNameClaim: 'preferred_username',
  nicknameClaim: 'name',
  emailClaim: 'email',
  groupsClaim: 'groups',
  createAtLogin: true,
  singleLogout: true,
  mappings: [],
}

const masked = <S extends StoredSettings>(settings: S): S => ({
  ...settings,
  clientSecret: maskSealed(settings.clientSecret),
})

export async function readSettings(ctx: Ctx): Promise<z.input<typeof oauthProvider.get.data>> {
  return { ...masked((await findSettings(ctx.db)) ?? initial), ...urisOf(ctx) }
}

export const clientOf = (ctx: Ctx, { issuer, clientId, clientSecret }: StoredSettings): OidcClient => ({
  issuer,
  clientId,
  clientSecret: clientSecret === '' ? '' : open(ctx, clientSecret),
})

/** Adds the scope without which there is no ID token. */
const withOpenid = (scopes: string): string =>
  [...new Set(['openid', ...scopes.split(/\s+/).filter(Boolean)])].join(' ')

/** The settings as stored. The mask stands for the stored secret, which is never sent to another issuer. */
async function sealed(ctx: Ctx, given: OauthSettings): Promise<StoredSettings> {
  const { clientSecret, ...rest } = { ...given, scopes: withOpenid(given.scopes) }
  if (clientSecret !== mask) return { ...rest, clientSecret: clientSecret === '' ? '' : seal(ctx, clientSecret) }
  const stored = await findSettings(ctx.db)
  if (!stored || stored.clientSecret === '' || stored.issuer !== given.issuer)
    throw new Fault('invalid', 'oauth-secret-again')
  return { ...rest, clientSecret: stored.clientSecret }
}

export async function testSettings(ctx: Ctx, given: OauthSettings) {
  const wanted = await sealed(ctx, given)
  note(ctx, { object: given.issuer })
  const found = await ctx.ports.oidc.inspect(clientOf(ctx, wanted), urisOf(ctx).redirectUri)
  return { ...found, lastSignIn: (await lastSignIn(ctx.db, found.issuer)) ?? null }
}

/** A provider that cannot be reached or refuses the client cannot be enabled. */
export async function saveSettings(ctx: Ctx, given: OauthSettings): Promise<OauthSettings> {
  const lost = await mappingProblem(ctx, given.mappings)
  if (lost) throw new Fault('invalid', lost.key, {}, [{ ...lost, text: say(ctx.lang, lost.key) }])
  const wanted = await sealed(ctx, given)
  const { redirectUri } = urisOf(ctx)
  // the issuer's own spelling, because a different slash would make every user a new one
  const issuer = wanted.enabled
    ? (await ctx.ports.oidc.inspect(clientOf(ctx, wanted), redirectUri)).issuer
    : wanted.issuer
  const after = { ...wanted, issuer }
  return inTx(ctx, async (ctx) => {
    const before = await findSettings(ctx.db)
    await writeSettings(ctx.db, after)
    note(ctx, { object: after.name, after: masked(after), ...(before ? { before: masked(before) } : {}) })
    return masked(after)
  })
}

/** The settings, if signing in by them is enabled. */
export async function settingsInForce(ctx: Ctx): Promise<StoredSettings> {
  const settings = await findSettings(ctx.db)
  if (!settings?.enabled) throw new Fault('invalid', 'oauth-off')
  return settings
}
