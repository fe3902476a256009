import { oauth } from '@gantry/contract/oauth/oauth'
import { oauthProvider } from '@gantry/contract/oauth/provider'
import { session } from '@gantry/contract/auth/session'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createOidc } from '../../adapters/oidc/oidc.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { newBrowser } from '../../../test/browser.ts'
import { fakeOidc, type FakeOidc } from '../../../test/fake-oidc.ts'
import { oauthBrowser, oauthSettings } from '../../../test/oauth-browser.ts'
import { testApp } from '../../../test/test-app.ts'
import { attemptOf, newAttempt } from './attempt.ts'

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const app = await testApp({
  ports: { outbound, oidc: createOidc(outbound) },
  config: { publicUrl: 'http://gantry.test' },
})
const provider = await fakeOidc()
const team = await app.team('mapped')

const { setOut, arrive } = oauthBrowser(app)
const { issuer, clientId, clientSecret } = provider
const settings = oauthSettings(
  { issuer, clientId, clientSecret },
  { name: 'Fake', mappings: [{ group: 'devs', teamId: team.id, roleId: null }] },
)
const plain = { ...provider }

beforeAll(async () => {
  Object.assign(provider.user, { groups: ['devs'] })
  await app.admin.call(oauthProvider.set, { body: settings })
})
afterEach(() => {
  vi.useRealTimers()
  Object.assign(provider, plain)
})
afterAll(async () => {
  await provider.stop()
  await outbound.close()
})

async function signIn() {
  const { location, cookie } = await setOut()
  return arrive(provider.agree(location.href), cookie)
}

const lastRow = () =>
  app.db
    .selectFrom('audit_log')
    .select(['message', 'detail', 'request_id'])
    .where('action', '=', 'session.oauth')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

const refusedWith = (key: string) => ({ status: 400, key })

test('the redirect to the provider has PKCE, a state and a nonce, and sets a cookie for its answer', async () => {
  const answer = await app.anonymous.request(oauth.login)
  const to = new URL(answer.headers.location ?? '')
  expect(to.origin + to.pathname).toBe(`${provider.issuer}/auth`)
  expect(Object.fromEntries(to.searchParams)).toMatchObject({
    client_id: 'gantry',
    redirect_uri: 'http://gantry.test/login',
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge_method: 'S256',
  })
  const secrets = ['state', 'nonce', 'code_challenge'].map((name) => to.searchParams.get(name) ?? '')
  expect(new Set(secrets).size).toBe(3)
  expect(secrets.every((value) => value.length === 43)).toBe(true)
  expect(answer.headers['set-cookie']).toMatch(
    /^gantry_oauth=[\w-]{43}; Path=\/api\/oauth; Max-Age=600; HttpOnly; SameSite=Lax$/,
  )
})

test('a returning user is logged in, with the provider’s name, address and teams', async () => {
  const user = await signIn()
  expect(user).toMatchObject({
    userName: 'ada',
    nickname: 'Ada',
    email: 'ada@example.test',
    type: 'OAUTH',
    admin: false,
  })
  expect(user.teams.map(({ id }) => id)).toEqual([team.id])
  const again = await signIn()
  expect(again.id).toBe(user.id)
})

test('neither a name nor an address grants access to the local account of the same name', async () => {
  Object.assign(provider, {
    user: {
      sub: 'evil',
      preferred_username: 'admin',
      email: 'admin@example.test',
      email_verified: true,
      groups: ['devs'],
    },
  })
  const user = await signIn()
  expect(user.id).not.toBe(app.admin.id)
  expect(user.admin).toBe(false)
  const body = { username: 'admin', password: 'whatever', type: 'OAUTH' as const }
  await expect(app.anonymous.call(session.login, { body })).rejects.toMatchObject(refusedWith('login-refused'))
})

test('a code is valid only in the browser that started the login', async () => {
  const { location, cookie } = await setOut()
  const back = provider.agree(location.href)
  await expect(arrive(back, '')).rejects.toMatchObject(refusedWith('oauth-state'))
  const other = await setOut()
  await expect(arrive(back, other.cookie)).rejects.toMatchObject(refusedWith('oauth-state'))
  await expect(arrive(back, cookie, { state: undefined })).rejects.toMatchObject(refusedWith('oauth-state'))
  await expect(arrive(back, cookie)).resolves.toMatchObject({ userName: 'ada' })
})

test('a stolen code with the thief’s own state fails because of the verifier', async () => {
  const victim = await setOut()
  const back = provider.agree(victim.location.href)
  const thief = await setOut()
  const state = thief.location.searchParams.get('state') ?? ''
  await expect(arrive(back, thief.cookie, { state })).rejects.toMatchObject(refusedWith('oauth-code-refused'))
})

test('an answer is valid once, and 20 concurrent uses open one session', async () => {
  const { location, cookie } = await setOut()
  const back = provider.agree(location.href)
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => arrive(back, cookie)))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(arrive(back, cookie)).rejects.toMatchObject(refusedWith('oauth-state'))
})

test.each([
  ['nonce', { nonce: 'of another sign-in' }, 'oauth-token-nonce'],
  ['nonce that is missing', { nonce: undefined }, 'oauth-token-nonce'],
  ['issuer', { iss: 'https://evil.example.test' }, 'oauth-token-claim'],
  ['audience', { aud: 'another-client' }, 'oauth-token-claim'],
  ['audience among others', { aud: ['gantry', 'another'], azp: 'another' }, 'oauth-token-claim'],
] as const)('a wrong %s', async (_what, change, key) => {
  provider.claims = (said) => ({ ...said, ...change })
  await expect(signIn()).rejects.toMatchObject(refusedWith(key))
})

test.each([
  ['empty', ''],
  ['blank', ' \t '],
  ['invisible', '\u200b'],
  ['a number', 7],
  ['null', null],
  ['a list', ['u01']],
  ['an object', { id: 'u01' }],
  ['missing', undefined],
])('a subject that is %s is refused, and no account is created', async (_what, sub) => {
  const accounts = () => app.db.selectFrom('account').select('id').where('type', '=', 'OAUTH').execute()
  const before = (await accounts()).length
  provider.claims = (said) => ({ ...said, sub })
  await expect(signIn()).rejects.toMatchObject(refusedWith('oauth-token-subject'))
  expect(await accounts()).toHaveLength(before)
})

test.each([
  ['empty', ''],
  ['blank', ' '],
  ['a number', 7],
  ['a list', ['u01']],
  ['an object', { id: 'u01' }],
  ['missing', undefined],
  ['somebody else’s', 'u02'],
])('userinfo whose subject is %s is ignored', async (_what, sub) => {
  const { sub: own, sid } = provider.user
  Object.assign(provider, { user: { sub: own, sid }, userInfo: { sub, preferred_username: 'grace', groups: 'devs' } })
  await expect(signIn()).rejects.toMatchObject(refusedWith('oauth-userinfo-subject'))
})

test('refuses an answer by another issuer than the requested one (mix-up)', async () => {
  const { location, cookie } = await setOut()
  const back = provider.agree(location.href)
  const call = arrive(back, cookie, { iss: 'https://evil.example.test' })
  await expect(call).rejects.toMatchObject(refusedWith('oauth-answer'))
})

test.each([
  ['55 s behind ours', -55, undefined],
  ['5 min behind ours', -300, 'oauth-token-time'],
])('a clock of the provider %s', async (_what, seconds, key) => {
  provider.claims = (said) => ({ ...said, iat: Number(said['iat']) + seconds - 1, exp: Number(said['iat']) + seconds })
  if (key) await expect(signIn()).rejects.toMatchObject(refusedWith(key))
  else await expect(signIn()).resolves.toMatchObject({ userName: 'ada' })
})

test('a changed key is fetched at most once a minute, and the old one is refused', async () => {
  await signIn()
  const countKeyRequests = () => provider.asked.filter((path) => path === '/jwks').length
  const old = await provider.rotate()
  const before = countKeyRequests()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  await expect(signIn()).resolves.toMatchObject({ userName: 'ada' })
  expect(countKeyRequests()).toBe(before + 1)

  provider.signer = old
  for (let again = 0; again < 3; again++) await expect(signIn()).rejects.toMatchObject(refusedWith('oauth-token-key'))
  expect(countKeyRequests()).toBe(before + 1)

  provider.signer = { ...old, kid: provider.key().kid }
  await expect(signIn()).rejects.toMatchObject(refusedWith('oauth-token-signature'))
})

test('an unsigned token, or one signed with the shared secret, is refused', async () => {
  const { SignJWT, UnsecuredJWT } = await import('jose')
  const { sign } = provider
  provider.sign = async (payload) => new UnsecuredJWT(payload).encode()
  await expect(signIn()).rejects.toMatchObject(refusedWith('oauth-token-algorithm'))
  const secret = new TextEncoder().encode(provider.clientSecret.padEnd(32, '.'))
  provider.sign = (payload) => new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(secret)
  await expect(signIn()).rejects.toMatchObject(refusedWith('oauth-token-algorithm'))

  // even if the provider lists the algorithm
  provider.metadata = (said) => ({ ...said, id_token_signing_alg_values_supported: ['HS256'] })
  const oidc = createOidc(outbound)
  const redirectUri = 'http://gantry.test/login'
  const attempt = attemptOf(newAttempt())
  const back = provider.agree(await oidc.authorizationUrl(settings, { redirectUri, scopes: 'openid', attempt }))
  const answer = Object.fromEntries(back.searchParams)
  await expect(oidc.exchange(settings, { redirectUri, answer, attempt })).rejects.toMatchObject({
    key: 'oauth-token-algorithm',
    vars: { algorithm: 'HS256' },
  })
  provider.sign = sign
})

test('a provider that is down is reported at the button, affects nothing else, and recovers without a restart', async () => {
  await signIn()
  // a little later, because nobody is sent to a provider on the strength of an old check
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 80_000 })
  await provider.stop()
  for (const [lang, words] of [
    ['en', /^127\.0\.0\.1:\d+ cannot be reached or refuses the connection/],
    ['zh', /^无法连接 127\.0\.0\.1:\d+/],
  ] as const) {
    const { location, cookie } = await setOut({ 'accept-language': lang })
    expect([location.pathname, cookie]).toEqual(['/login', ''])
    expect(location.searchParams.get('error')).toBe('oauth-unavailable')
    expect(location.searchParams.get('error_description')).toMatch(words)
  }
  await expect(app.anonymous.call(session.options)).resolves.toMatchObject({ oauth: { name: 'Fake' } })
  await provider.start()
  await expect(signIn()).resolves.toMatchObject({ userName: 'ada' })
})

test('a provider that hangs is given up within 5 s, and nobody else waits for it', { timeout: 20_000 }, async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 160_000 })
  provider.hangs = true
  provider.asked.length = 0
  const order: string[] = []
  const clicks = Promise.all([setOut(), setOut()])
  const seen = clicks.then(([one]) => (order.push('provider'), one.location.searchParams.get('error_description')))
  const body = { username: 'nobody', password: 'wrong', type: 'IDENTITY' as const }
  await app.anonymous.call(session.login, { body }).catch(() => order.push('local'))
  expect(await seen).toMatch(/did not answer in time/)
  expect(order).toEqual(['local', 'provider'])
  // both clicks waited for the same answer
  expect(provider.asked).toEqual(['/.well-known/openid-configuration'])
})

test('a client that is registered for the other authentication method is accepted too', async () => {
  provider.auth = 'client_secret_post'
  await expect(signIn()).resolves.toMatchObject({ userName: 'ada' })
})

test('a wrong client secret is reported as the cause', async () => {
  provider.clientSecret = 'changed over there'
  await expect(signIn()).rejects.toMatchObject(refusedWith('oauth-client-refused'))
})

test('claims missing in the ID token are read from userinfo', async () => {
  const { sub, sid } = provider.user
  Object.assign(provider, { user: { sub, sid }, userInfo: { preferred_username: 'grace', groups: 'devs' } })
  await expect(signIn()).resolves.toMatchObject({ userName: 'grace', nickname: 'grace' })
})

test.each([
  ['no ID token', { tokens: ({ id_token: _, ...said }) => said }, 'oauth-token-none', /sent no ID token/],
  ['the token endpoint’s status', { instead: { '/token': (send) => send(503, {}) } }, 'oauth-token-status', /HTTP 503/],
  [
    'the redirect URI',
    {
      instead: {
        '/token': (send) => send(400, { error: 'invalid_grant', error_description: 'Incorrect redirect_uri' }),
      },
    },
    'oauth-redirect-refused',
    /Incorrect redirect_uri.*http:\/\/gantry\.test\/login/,
  ],
  [
    'the provider’s own words, as text of one line',
    {
      instead: {
        '/token': (send) => send(400, { error: 'server_error', error_description: `<b>x\n\u202Ey${'z'.repeat(999)}` }),
      },
    },
    'oauth-provider-says',
    /: server_error: <b>x yz{170,190}$/,
  ],
  [
    'userinfo’s status',
    { user: { sub: 'u01' }, instead: { '/me': (send) => send(403, {}) } },
    'oauth-userinfo-status',
    /HTTP 403/,
  ],
  [
    'userinfo that is no JSON object',
    { user: { sub: 'u01' }, instead: { '/me': (send) => send(200, 'text') } },
    'oauth-userinfo-answer',
    /did not respond with JSON/,
  ],
] satisfies [string, Partial<FakeOidc>, string, RegExp][])(
  'the audit log reports %s, and the user gets the number of the row',
  async (_what, change, key, problem) => {
    Object.assign(provider, change)
    const failed = await signIn().catch((error: unknown) => error)
    expect(failed).toMatchObject(refusedWith(key))
    const row = await lastRow()
    expect(row).toMatchObject({
      message: key,
      detail: { after: { problem: expect.stringMatching(problem) as string } },
    })
    expect((failed as Error).message).toMatch(/^You cannot log in with OAuth/)
    expect((failed as Error).message).toContain(row.request_id)
  },
)

test('the groups are applied again at each login', async () => {
  Object.assign(provider, { user: { ...provider.user, sub: 'mover' } })
  expect((await signIn()).teams).toHaveLength(1)
  Object.assign(provider, { user: { ...provider.user, groups: ['others'] } })
  await expect(signIn()).rejects.toMatchObject(refusedWith('user-Unknown-team'))
})

test('the test button, the user and the audit log show the groups of the latest sign-in, refused or not', async () => {
  const came = async () =>
    (await app.admin.call(oauthProvider.test, { body: { ...settings, clientSecret } })).lastSignIn
  Object.assign(provider, { user: { ...provider.user, sub: 'stranger', groups: ['/Devs', 'staff', 7] } })
  await expect(signIn()).rejects.toMatchObject(refusedWith('user-Unknown-team'))
  expect(await came()).toMatchObject({ userName: 'ada', groups: ['/Devs', 'staff'] })
  expect(await lastRow()).toMatchObject({ detail: { after: { groups: ['/Devs', 'staff'] } } })
  const account = app.db.selectFrom('account').select('id').where('subject', '=', 'stranger')
  const { id } = await account.executeTakeFirstOrThrow()
  const ofUser = (id: number) => app.admin.call(oauthProvider.signIn, { params: { id } })
  expect(await ofUser(id)).toMatchObject({ groups: ['/Devs', 'staff'] })
  expect(await ofUser(app.admin.id)).toBeNull()

  Object.assign(provider, { user: { ...provider.user, groups: undefined, _claim_names: { groups: 'elsewhere' } } })
  await expect(signIn()).rejects.toMatchObject(refusedWith('user-Unknown-team'))
  expect(await came()).toMatchObject({ groups: null })
})

test('a user without an account gets none if creation is disabled', async () => {
  await app.admin.call(oauthProvider.set, { body: { ...settings, createAtLogin: false } })
  Object.assign(provider, { user: { ...provider.user, sub: 'newcomer' } })
  await expect(signIn()).rejects.toMatchObject({ status: 403, key: 'login-not-imported' })
  await app.admin.call(oauthProvider.set, { body: settings })
})

test('the callback sets the cookies of a login, which replaces the previous one', async () => {
  const browser = newBrowser()
  const come = async () => {
    const { location, cookie } = await setOut()
    browser.jar.set('gantry_oauth', cookie)
    const { searchParams } = provider.agree(location.href)
    const query = { code: '', ...Object.fromEntries(searchParams) }
    return session.login.data.parse((await browser.request(app, oauth.afterAuth, { query })).json().data)
  }
  const first = await come()
  expect((await browser.request(app, session.refresh)).statusCode).toBe(200)
  await come()
  const before = app.caller({ kind: 'user', id: first.id, name: first.userName, admin: false }, first.token)
  await expect(before.call(session.sessions)).rejects.toMatchObject({ status: 401 })
  expect((await browser.request(app, session.refresh)).statusCode).toBe(200)
})

test('under https the cookie of the attempt has the __Host- prefix, and one without it is ignored', async () => {
  const secure = await testApp({
    beside: app,
    ports: { outbound, oidc: createOidc(outbound) },
    config: { publicUrl: 'https://gantry.test' },
  })
  const left = await secure.anonymous.request(oauth.login)
  expect(left.headers['set-cookie']).toMatch(
    /^__Host-gantry_oauth=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  )
  const back = provider.agree(left.headers.location ?? '')
  const query = { code: '', ...Object.fromEntries(back.searchParams) }
  const headers = { cookie: `gantry_oauth=${left.cookies[0]?.value}` }
  await expect(secure.anonymous.call(oauth.afterAuth, { query }, headers)).rejects.toMatchObject({ key: 'oauth-state' })
})

test('a link from another site exchanges nothing', async () => {
  const { location, cookie } = await setOut()
  const back = provider.agree(location.href)
  const query = { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' }
  const headers = { cookie: `gantry_oauth=${cookie}`, 'sec-fetch-site': 'cross-site' }
  await expect(app.anonymous.call(oauth.afterAuth, { query }, headers)).rejects.toMatchObject({
    key: 'cross-site-refused',
  })
})
