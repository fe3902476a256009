import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { GroupMapping } from '../teams/group-mapping.ts'
import { displayName, httpUrl } from '../validators.ts'
import { secret } from '../secret.ts'
import { settingsTopic } from '../settings/topics.ts'

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
  /** The claim is a text or a list of texts; empty: no claim. */
  groupsClaim: z.union([z.literal(''), claim]).default('groups'),
  /** A first login creates an account. */
  createAtLogin: z.boolean().default(true),
  /** A logout here also ends the provider's session, if the provider supports that. */
  singleLogout: z.boolean().default(true),
  mappings: z.array(GroupMapping).max(200, 'list-too-long').default([]),
}

export const OauthSettings = z.strictObject(shape)
export type OauthSettings = z.infer<typeof OauthSettings>

const SignIn = z.object({
  /** As the provider spells them; null: the provider reported that there are too many to list. */
  groups: z.array(z.string()).nullable(),
  at: z.string(),
})

/** Calls for administrators, separate from those of the login, which should load little. */
export const oauthProvider = {
  get: endpoint({
    method: 'GET',
    path: '/api/oauth',
    access: { system: 'system_oauth_view' },
    summary: 'OAuth settings',
    data: z.object({
      ...shape,
      /** Empty until OAuth is configured. */
      name: z.string(),
      issuer: z.string(),
      clientId: z.string(),
      /** The URI to register at the provider. */
      redirectUri: z.string(),
      logoutUri: z.string(),
      backchannelLogoutUri: z.string(),
    }),
    topics: [settingsTopic],
  }),
  set: endpoint({
    method: 'POST',
    path: '/api/oauth',
    access: 'admin',
    audit: 'oauth.update',
    summary: 'Set OAuth settings; discovery is tried first, unless it is switched off',
    body: OauthSettings,
    data: OauthSettings,
    topics: [settingsTopic],
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
      /** The number of signing keys found. */
      keys: z.number().int(),
      /** The latest sign-in through this provider, even if refused; null: there was none yet. */
      lastSignIn: SignIn.extend({ userName: z.string() }).nullable(),
    }),
    topics: [],
  }),
  signIn: endpoint({
    method: 'GET',
    path: '/api/oauth/users/:id/sign-in',
    access: 'admin',
    summary: "A user's latest sign-in by the provider, refused ones included, with the groups that came",
    params: z.strictObject({ id }),
    data: SignIn.nullable(),
  }),
}
