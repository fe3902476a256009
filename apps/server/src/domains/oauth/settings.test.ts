import { createServer } from 'node:https'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { oauth } from '@gantry/contract/oauth/oauth'
import { oauthProvider } from '@gantry/contract/oauth/provider'
import { session } from '@gantry/contract/auth/session'
import { mask } from '@gantry/contract/validators'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createOidc } from '../../adapters/oidc/oidc.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { fakeOidc, type FakeOidc } from '../../../test/fake-oidc.ts'
import { oauthSettings } from '../../../test/oauth-browser.ts'
import { testApp } from '../../../test/test-app.ts'

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const app = await testApp({
  ports: { outbound, oidc: createOidc(outbound) },
  config: { publicUrl: 'https://gantry.example.test' },
})
const provider = await fakeOidc()
const { issuer, clientId, clientSecret } = provider
const settings = oauthSettings({ issuer, clientId, clientSecret })
const plain = { ...provider }
const given = (change: Partial<typeof settings>) => ({ body: { ...settings, ...change } })

afterEach(() => void Object.assign(provider, plain))
afterAll(async () => {
  await provider.stop()
  await outbound.close()
})

test('without settings nobody can sign in, and the addresses to register are shown', async () => {
  await expect(app.admin.call(oauthProvider.get)).resolves.toMatchObject({
    enabled: false,
    issuer: '',
    redirectUri: 'https://gantry.example.test/login',
    backchannelLogoutUri: 'https://gantry.example.test/api/oauth/backchannel-logout',
  })
  await expect(app.anonymous.call(session.options)).resolves.toMatchObject({ oauth: null })
  const { headers } = await app.anonymous.request(oauth.login)
  expect(headers.location).toBe('/login?error=oauth-off')
})

test('the test button reports what was found, and saves nothing', async () => {
  await expect(app.admin.call(oauthProvider.test, { body: settings })).resolves.toEqual({
    issuer,
    authorizationEndpoint: `${issuer}/auth`,
    tokenEndpoint: `${issuer}/token`,
    endSessionEndpoint: `${issuer}/end`,
    pkce: true,
    keys: 1,
    lastSignIn: null,
  })
  await expect(app.admin.call(oauthProvider.get)).resolves.toMatchObject({ enabled: false, issuer: '' })
})

test('the secret is stored encrypted, and never returned', async () => {
  await expect(app.admin.call(oauthProvider.set, { body: settings })).resolves.toMatchObject({ clientSecret: mask })
  const answer = await app.admin.request(oauthProvider.get)
  expect(answer.json()).toMatchObject({ data: { clientSecret: mask } })
  expect(answer.body).not.toContain(clientSecret)
  const stored = await app.db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', 'oauth')
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(stored.value)).not.toContain(clientSecret)
  const trail = await app.db.selectFrom('audit_log').select('detail').where('action', '=', 'oauth.update').execute()
  expect(trail).toHaveLength(1)
  expect(JSON.stringify(trail)).not.toContain(clientSecret)
  await expect(app.anonymous.call(session.options)).resolves.toMatchObject({ oauth: { name: settings.name } })
})

test('the mask stands for the secret if the issuer is unchanged, and never for another', async () => {
  await app.admin.call(oauthProvider.set, given({}))
  await app.admin.call(oauthProvider.set, given({ clientSecret: mask, name: 'Renamed' }))
  const evil = await fakeOidc()
  try {
    for (const endpoint of [oauthProvider.set, oauthProvider.test])
      await expect(app.admin.call(endpoint, given({ clientSecret: mask, issuer: evil.issuer }))).rejects.toMatchObject({
        status: 400,
        key: 'oauth-secret-again',
      })
    expect(evil.asked).toEqual([])
  } finally {
    await evil.stop()
  }
})

test('the issuer is stored in the provider’s own spelling', async () => {
  provider.metadata = (said) => ({ ...said, issuer: `${issuer}/` })
  await expect(app.admin.call(oauthProvider.set, { body: settings })).resolves.toMatchObject({ issuer: `${issuer}/` })
})

test('a mapping to an unknown team or role is refused at its field', async () => {
  const [one, other] = [await app.team(), await app.team()]
  const role = await app.db
    .insertInto('team_role')
    .values({ team_id: other.id, name: 'dev' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const map = (teamId: number, roleId: number | null) =>
    app.admin.call(oauthProvider.set, given({ mappings: [{ group: 'devs', teamId, roleId }] }))
  await expect(map(99_999, null)).rejects.toMatchObject({ status: 400, problems: [{ path: 'mappings.0.teamId' }] })
  await expect(map(one.id, role.id)).rejects.toMatchObject({ status: 400, problems: [{ path: 'mappings.0.roleId' }] })
  await expect(map(other.id, role.id)).resolves.toMatchObject({ mappings: [{ roleId: role.id }] })
})

test('the scope openid is always added', async () => {
  const { scopes } = await app.admin.call(oauthProvider.set, given({ scopes: ' email  groups ' }))
  expect(scopes).toBe('openid email groups')
})

test.each([
  ['another issuer', { issuer: 'https://evil.example.test' }, 'oauth-issuer-differs'],
  ['no keys', { jwks_uri: undefined }, 'oauth-no-provider'],
  ['keys at a forbidden address', { jwks_uri: 'http://169.254.169.254/keys' }, 'outbound-refused'],
])('settings whose discovery names %s are not saved', async (_what, change, key) => {
  const before = await app.admin.call(oauthProvider.get)
  provider.metadata = (said) => ({ ...said, ...change })
  await expect(app.admin.call(oauthProvider.set, { body: settings })).rejects.toMatchObject({ key })
  await expect(app.admin.call(oauthProvider.get)).resolves.toEqual(before)
})

test('a wrong client secret is refused before it is saved', async () => {
  const wrong = given({ clientSecret: 'wrong' })
  await expect(app.admin.call(oauthProvider.test, wrong)).rejects.toMatchObject({ key: 'oauth-client-refused' })
  await expect(app.admin.call(oauthProvider.set, wrong)).rejects.toMatchObject({ key: 'oauth-client-refused' })
})

test('disabled settings are saved without reaching the provider', async () => {
  await provider.stop()
  await expect(app.admin.call(oauthProvider.set, given({}))).rejects.toMatchObject({ key: 'outbound-unreachable' })
  await expect(app.admin.call(oauthProvider.set, given({ enabled: false }))).resolves.toMatchObject({ enabled: false })
  await provider.start()
})

test('an address without a provider, and a forbidden one, are refused', async () => {
  const test = (issuer: string) => app.admin.call(oauthProvider.test, given({ issuer }))
  await expect(test(`${issuer}/elsewhere`)).rejects.toMatchObject({ status: 502, key: 'oauth-no-provider' })
  await expect(test('http://169.254.169.254')).rejects.toMatchObject({ status: 400, key: 'outbound-refused' })
})

test.each([
  ['a redirect URI that it does not know', { redirectUri: 'https://elsewhere.test/login' }, 'oauth-redirect-refused'],
  ['a token endpoint that fails', { instead: { '/token': (send) => send(500, {}) } }, 'oauth-token-status'],
  ['a token endpoint elsewhere', { instead: { '/token': (send) => send(404, {}) } }, 'oauth-token-status'],
  [
    'an algorithm that signs with the shared secret',
    { metadata: (said) => ({ ...said, id_token_signing_alg_values_supported: ['HS256'] }) },
    'oauth-token-algorithm',
  ],
] satisfies [string, Partial<FakeOidc>, string][])('the test button reports %s', async (_what, change, key) => {
  Object.assign(provider, change)
  await expect(app.admin.call(oauthProvider.test, { body: settings })).rejects.toMatchObject({ status: 400, key })
})

test('the test button does not call a login page that only browsers reach, and accepts a refused code as success', async () => {
  const said = { error: 'invalid_grant', error_description: 'does not match the redirect URI, is expired or revoked' }
  provider.instead = { '/auth': (send) => send(503, {}), '/token': (send) => send(400, said) }
  await expect(app.admin.call(oauthProvider.test, { body: settings })).resolves.toMatchObject({ issuer })
})

const pem = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/certificates', name))

/** The result of inspecting a provider behind this certificate with this discovery document. */
async function inspected(cert: string, trusted: boolean, said: (issuer: string) => unknown = () => ({})) {
  const certificate = { cert: pem(`${cert}.pem`), key: pem(`${cert}-key.pem`) }
  const server = createServer(certificate, (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(said(issuer)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const trusting = createOutbound({
    allow: ['127.0.0.0/8'],
    ...(trusted ? { ca: pem('ca.pem').toString() } : {}),
  })
  try {
    return await createOidc(trusting).inspect({ issuer, clientId, clientSecret }, 'https://gantry.example.test/login')
  } finally {
    server.close()
    await trusting.close()
  }
}

test.each([
  ['expired', 'expired', true, 'outbound-tls-expired'],
  ['another’s', 'other', true, 'outbound-tls-name'],
  ['of an unknown CA', 'server', false, 'outbound-tls-untrusted'],
] as const)('a certificate that is %s is named as the cause', async (_what, cert, trusted, key) => {
  await expect(inspected(cert, trusted)).rejects.toMatchObject({ key })
})

test('keys over plain http are refused, even if the provider itself is reached by https', async () => {
  const said = (issuer: string) => ({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: 'http://127.0.0.1:1/keys',
  })
  await expect(inspected('server', true, said)).rejects.toMatchObject({ key: 'oauth-no-provider' })
})
