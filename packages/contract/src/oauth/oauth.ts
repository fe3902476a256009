import { z } from 'zod'
import { Session } from '../auth/session.ts'
import { endpoint } from '../endpoint.ts'
import { GroupMapping } from '../ldap/ldap.ts'
import { displayName, httpUrl } from '../validators.ts'
import { secret } from '../secret.ts'

const claim = z
  .string()
  .trim()
  .max(200, { error: 'oauth-claim', abort: true })
  .regex(/^[A-Za-z0-9_.:/-]+$/, 'oauth-claim')

const shape = {
  enabled: z.boolean(),
  /** The label of the button on the login page. */
  name: displayName(30, 'alias-too-long'),
  /** Discovery appends /.well-known/openid-configuration. */
  issuer: httpUrl,
  clientId: z.string().trim().min(1, 'oauth-client-required').max(200, 'text-too-long'),
  /** Empty: a public client. Reads return a mask; saving the mask keeps it while the issuer is unchanged. */
  clientSecret: secret(z.string().max(500, 'text-too-long')).default(''),
  scopes: z.string().trim().max(500, 'text-too-long').default('openid profile email'),
  userNameClaim: claim.default('preferred_username'),
  nicknameClaim: claim.default('name'),
  emailClaim: claim.default('email'),
  /** A text or a list of texts; empty: none. */
  groupsClaim: z.union([z.literal(''), claim]).default('groups'),
  /** A first login creates an account. */
  createAtLogin: z.boolean().default(true),
  /** A logout here ends the provider's session as well, if it supports that. */
  singleLogout: z.boolean().default(true),
  mappings: z.array(GroupMapping).max(200, 'list-too-long').default([]),
}

export const OauthSettings = z.strictObject(shape)
export type OauthSettings = z.infer<typeof OauthSettings>

export const oauth = {
  /** The browser opens it directly; if the provider cannot be reached, it redirects to /login?error=…. */
  login: endpoint({
    method: 'GET',
    path: '/api/oauth/login',
    access: 'public',
    summary: 'Go to the provider to sign in',
    data: z.unknown(),
  }),
  afterAuth: endpoint({
    method: 'GET',
    path: '/api/oauth/afterauth',
    access: 'public',
    audit: 'session.oauth',
    summary: "Exchange the provider's code for a session",
    query: z.strictObject({
      code: z.string().min(1).max(4000),
      state: z.string().max(500).optional(),
      iss: z.string().max(2000).optional(),
      session_state: z.string().max(500).optional(),
      scope: z.string().max(2000).optional(),
    }),
    data: Session,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/oauth',
    access: { system: 'system_oauth_view' },
    summary: 'OAuth settings',
    data: z.object({
      ...shape,
      /** Empty until it is configured. */
      name: z.string(),
      issuer: z.string(),
      clientId: z.string(),
      /** To be registered with the provider. */
      redirectUri: z.string(),
      logoutUri: z.string(),
      backchannelLogoutUri: z.string(),
    }),
  }),
  set: endpoint({
    method: 'POST',
    path: '/api/oauth',
    access: 'admin',
    audit: 'oauth.update',
    summary: 'Set OAuth settings; discovery is tried first, unless it is switched off',
    body: OauthSettings,
    data: OauthSettings,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/oauth/test',
    access: 'admin',
    audit: 'oauth.test',
    summary: "Read the provider's discovery and keys as given, without saving",
    body: OauthSettings,
    data: z.object({
      issuer: z.string(),
      authorizationEndpoint: z.string(),
      tokenEndpoint: z.string(),
      endSessionEndpoint: z.string().nullable(),
      pkce: z.boolean(),
      /** Signing keys found. */
      keys: z.number().int(),
    }),
  }),
  /** Called by the provider, not by a browser: its signed token says who. */
  backchannelLogout: endpoint({
    method: 'POST',
    path: '/api/oauth/backchannel-logout',
    access: 'public',
    audit: 'session.backchannel-logout',
    summary: 'Back-channel logout of OpenID Connect: ends the sessions that its logout token names',
    upload: 64 * 1024,
    data: z.null(),
  }),
}
