import { oauth } from '@gantry/contract/oauth/oauth'
import { oauthProvider } from '@gantry/contract/oauth/provider'
import { session, type Session } from '@gantry/contract/auth/session'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOidc } from '../../adapters/oidc/oidc.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { fakeOidc } from '../../../test/fake-oidc.ts'
import { oauthBrowser, oauthSettings } from '../../../test/oauth-browser.ts'
import { testApp } from '../../../test/test-app.ts'

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const app = await testApp({
  ports: { outbound, oidc: createOidc(outbound) },
  config: { publicUrl: 'http://gantry.test' },
})
const provider = await fakeOidc()
const team = await app.team('mapped')
const { issuer, clientId, clientSecret } = provider
const mappings = [{ group: 'devs', teamId: team.id, roleId: null }]
const settings = oauthSettings({ issuer, clientId, clientSecret }, { mappings })
const { setOut, arrive } = oauthBrowser(app)

beforeAll(() => app.admin.call(oauthProvider.set, { body: settings }))
afterAll(async () => {
  await provider.stop()
  await outbound.close()
})

async function signIn(sub: string, sid: string): Promise<Session> {
  provider.user = { sub, sid, preferred_username: sub, groups: ['devs'] }
  const { location, cookie } = await setOut()
  return arrive(provider.agree(location.href), cookie)
}

const as = ({ token, id, userName }: Session) => app.caller({ kind: 'user', id, name: userName, admin: false }, token)
const works = async (user: Session): Promise<boolean> => (await as(user).request(session.sessions)).statusCode === 200
const remembered = () => app.db.selectFrom('oauth_session').select('subject').orderBy('subject').execute()

/** Calls the logout like a provider. */
const tell = (token: string) =>
  app.anonymous.raw({
    method: 'POST',
    url: oauth.backchannelLogout.path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token: token }).toString(),
  })

test('a logout here continues at the provider with its own token, and returns to the login', async () => {
  const user = await signIn('u1', 's1')
  const { logoutUrl } = await as(user).call(session.logout)
  const url = new URL(logoutUrl ?? '')
  expect(url.origin + url.pathname).toBe(`${issuer}/end`)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
    post_logout_redirect_uri: 'http://gantry.test/login',
    client_id: 'gantry',
  })
  expect(await works(user)).toBe(false)
  expect(await remembered()).toEqual([])
})

test('without single logout, and for local users, a logout stays here', async () => {
  const user = await signIn('u1', 's1')
  await app.admin.call(oauthProvider.set, { body: { ...settings, singleLogout: false } })
  await expect(as(user).call(session.logout)).resolves.toEqual({ logoutUrl: null })
  await app.admin.call(oauthProvider.set, { body: settings })
  const local = await app.user()
  await expect(local.call(session.logout)).resolves.toEqual({ logoutUrl: null })
})

test('the ID token of a login is stored encrypted, and deleted with the session however that ends', async () => {
  const users = [await signIn('u1', 's1'), await signIn('u2', 's2')]
  const [row] = await app.db.selectFrom('oauth_session').select('id_token').execute()
  expect(row?.id_token).toMatch(/^sealed1\./)
  expect(await remembered()).toHaveLength(2)
  const ids = users.map(({ id }) => id)
  await app.db.deleteFrom('session').where('account_id', 'in', ids).execute()
  expect(await remembered()).toEqual([])
})

test('the provider ends one of its sessions, and no other', async () => {
  const [one, two, other] = [await signIn('u1', 's1'), await signIn('u1', 's2'), await signIn('u2', 's3')]
  const answer = await tell(await provider.logoutToken({ sub: 'u1', sid: 's1' }))
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(await Promise.all([works(one), works(two), works(other)])).toEqual([false, true, true])
  await tell(await provider.logoutToken({ sub: 'u1' }))
  expect(await Promise.all([works(two), works(other)])).toEqual([false, true])
  await tell(await provider.logoutToken({ sid: 's3' }))
  expect(await works(other)).toBe(false)
})

test('the ended session publishes its event to open sockets', async () => {
  await signIn('u1', 's1')
  const before = await app.db.selectFrom('outbox').select('seq').where('topic', '=', 'access').execute()
  await tell(await provider.logoutToken({ sid: 's1' }))
  const after = await app.db.selectFrom('outbox').select('seq').where('topic', '=', 'access').execute()
  expect(after.length).toBeGreaterThan(before.length)
})

test.each([
  ['of another issuer', { iss: 'https://evil.example.test' }],
  ['for another client', { aud: 'another' }],
  ['without the event', { events: {} }],
  ['with a nonce: an ID token', { nonce: 'n' }],
  ['that names neither subject nor session', { sub: undefined, sid: undefined }],
  ['without an id', { jti: undefined }],
  ['that is old', { iat: Math.floor(Date.now() / 1000) - 3_600, exp: undefined }],
  ['that has expired', { exp: Math.floor(Date.now() / 1000) - 120 }],
])('a logout token %s ends nothing', async (_what, change) => {
  const user = await signIn('u1', 's1')
  const answer = await tell(await provider.logoutToken({ sub: 'u1', sid: 's1', ...change }))
  expect(answer.statusCode).toBe(400)
  expect(await works(user)).toBe(true)
})

test('a logout token that is invalid or has a foreign signature ends nothing', async () => {
  const user = await signIn('u1', 's1')
  const token = await provider.logoutToken({ sub: 'u1' })
  const [head, , signature] = token.split('.')
  const claims = Buffer.from(JSON.stringify({ iss: issuer, aud: clientId, sub: 'u1' })).toString('base64url')
  for (const forged of [`${head}.${claims}.${signature}`, 'nonsense', '', 'a.b.c', 'x'.repeat(70_000)])
    expect((await tell(forged)).statusCode).toBeGreaterThanOrEqual(400)
  expect(await works(user)).toBe(true)
})

test('a logout token is valid once', async () => {
  const token = await provider.logoutToken({ sub: 'u1' })
  expect((await tell(token)).statusCode).toBe(200)
  const user = await signIn('u1', 's9')
  expect((await tell(token)).statusCode).toBe(400)
  expect(await works(user)).toBe(true)
})

test('a failed logout may be repeated', async () => {
  const user = await signIn('u1', 's10')
  const token = await provider.logoutToken({ sub: 'u1' })
  await sql`create function refuse_ending() returns trigger language plpgsql as
    $$ begin raise exception 'refused'; end $$`.execute(app.db)
  await sql`create trigger refuse_ending before delete on session for each row execute function refuse_ending()`.execute(
    app.db,
  )
  expect((await tell(token)).statusCode).toBe(500)
  expect(await works(user)).toBe(true)
  await sql`drop trigger refuse_ending on session`.execute(app.db)
  expect((await tell(token)).statusCode).toBe(200)
  expect(await works(user)).toBe(false)
})
