import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oauth } from '@gantry/contract/oauth/oauth'
import { oauthProvider } from '@gantry/contract/oauth/provider'
import { session, type Session } from '@gantry/contract/auth/session'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOidc } from '../../adapters/oidc/oidc.ts'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { formBrowser } from '../../../test/form-browser.ts'
import { labService } from '../../../test/lab.ts'
import { oauthBrowser, oauthSettings } from '../../../test/oauth-browser.ts'
import { testApp } from '../../../test/test-app.ts'

/** Both providers of the lab redirect to this address. Nobody listens there: the tests only read the address. */
const home = 'http://127.0.0.1:3000'

const oidc = labService('oidc')
const keycloak = labService('keycloak')

describe.skipIf(oidc === undefined).each([
  {
    name: 'oidc',
    lab: oidc ?? {},
    fields: (user: string) => ({ login: user, password: `pass-${user}`, act: 'login' }),
  },
  {
    name: 'keycloak',
    lab: keycloak ?? {},
    fields: (user: string) => ({ username: user, password: `pass-${user}`, credentialId: '' }),
  },
])('the provider $name (needs the lab)', ({ lab, fields }) => {
  const issuer = lab['OIDC_ISSUER'] ?? ''
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  let app: Awaited<ReturnType<typeof testApp>>
  let browser: ReturnType<typeof oauthBrowser>
  let client: ReturnType<typeof oauthSettings>

  beforeAll(async () => {
    app = await testApp({ ports: { outbound, oidc: createOidc(outbound) }, config: { publicUrl: home } })
    browser = oauthBrowser(app)
    const { id } = await app.team('mapped')
    client = oauthSettings(
      { issuer, clientId: lab['OIDC_CLIENT_ID'] ?? '', clientSecret: lab['OIDC_CLIENT_SECRET'] ?? '' },
      // neither of the two lists groups, but any claim can be mapped
      {
        groupsClaim: 'email',
        mappings: ['u01', 'u02'].map((u) => ({ group: `${u}@example.org`, teamId: id, roleId: 0 })),
      },
    )
    await app.admin.call(oauthProvider.set, { body: client })
  })
  afterAll(() => outbound.close())

  async function signIn(user = 'u01'): Promise<{ user: Session; at: URL; cookie: string }> {
    const web = formBrowser()
    const { location, cookie } = await browser.setOut()
    const { at } = await web.post(await web.go(location, home), home, fields(user))
    return { user: await browser.arrive(at, cookie), at, cookie }
  }

  test('is discovered with its keys and PKCE', async () => {
    await expect(app.admin.call(oauthProvider.test, { body: client })).resolves.toMatchObject({ issuer, pkce: true })
  })

  test('logs users in by its own form', async () => {
    const { user } = await signIn()
    expect(user).toMatchObject({ userName: 'u01', email: 'u01@example.org', type: 'OAUTH', admin: false })
    expect(user.teams).toMatchObject([{ teamLeader: true }])
    expect((await signIn()).user.id).toBe(user.id)
    expect((await signIn('u02')).user.id).not.toBe(user.id)
  })

  test('issues a code that is valid once, and only with the cookie of the browser that started', async () => {
    const { at, cookie } = await signIn()
    await expect(browser.arrive(at, cookie)).rejects.toMatchObject({ status: 400, key: 'oauth-state' })
    const thief = await browser.setOut()
    await expect(browser.arrive(at, thief.cookie)).rejects.toMatchObject({ status: 400, key: 'oauth-state' })
    const state = thief.location.searchParams.get('state') ?? ''
    await expect(browser.arrive(at, thief.cookie, { state })).rejects.toMatchObject({
      status: 400,
      key: 'oauth-code-refused',
    })
  })

  test('reports a wrong secret before it is saved, in both languages', async () => {
    const body = { ...client, clientSecret: 'wrong' }
    for (const [lang, words] of [
      ['en', /the client ID or the client secret is wrong/],
      ['zh', /客户端 ID 或客户端密钥有误/],
    ] as const) {
      const call = app.admin.call(oauthProvider.set, { body }, { 'accept-language': lang })
      await expect(call).rejects.toMatchObject({
        key: 'oauth-client-refused',
        message: expect.stringMatching(words) as string,
      })
    }
  })

  test('is where a logout here continues', async () => {
    const { user } = await signIn()
    const caller = app.caller({ kind: 'user', id: user.id, name: user.userName, admin: false }, user.token)
    const { logoutUrl } = await caller.call(session.logout)
    expect(logoutUrl).toContain(issuer)
    await expect(caller.call(session.sessions)).rejects.toMatchObject({ status: 401 })
  })
})

describe.skipIf(oidc === undefined)('a provider that is stopped (needs the lab)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-oidc-'))
  const env = { SERVICES_HOME: folder, OIDC_PORT: '15586' }
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  afterAll(async () => {
    labService('oidc', env, 'down')
    rmSync(folder, { recursive: true, force: true })
    await outbound.close()
  })

  test('is reported at the button while everything else works, and is used again once it runs', async () => {
    const lab = labService('oidc', env) ?? {}
    const app = await testApp({ ports: { outbound, oidc: createOidc(outbound) }, config: { publicUrl: home } })
    const browser = oauthBrowser(app)
    const client = { clientId: lab['OIDC_CLIENT_ID'] ?? '', clientSecret: lab['OIDC_CLIENT_SECRET'] ?? '' }
    const body = oauthSettings({ issuer: lab['OIDC_ISSUER'] ?? '', ...client })
    await app.admin.call(oauthProvider.set, { body })
    labService('oidc', env, 'down')
    for (const [lang, words] of [
      ['en', '127.0.0.1:15586 cannot be reached or refuses the connection'],
      ['zh', '无法连接 127.0.0.1:15586'],
    ] as const) {
      const { location } = await browser.setOut({ 'accept-language': lang })
      expect([location.pathname, location.searchParams.get('error')]).toEqual(['/login', 'oauth-unavailable'])
      expect(location.searchParams.get('error_description')).toContain(words)
    }
    await expect(app.admin.call(session.sessions)).resolves.toHaveLength(1)
    labService('oidc', env)
    expect((await browser.setOut()).location.origin).toBe(lab['OIDC_ISSUER'])
  })
})

describe.skipIf(keycloak === undefined)('single logout with Keycloak (needs the lab)', () => {
  const lab = keycloak ?? {}
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const url = lab['KEYCLOAK_URL'] ?? ''
  let app: Awaited<ReturnType<typeof testApp>>
  let browser: ReturnType<typeof oauthBrowser>
  let adminToken = ''
  let clientPath = ''
  let clientBefore: unknown

  const asAdmin = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}/admin/realms/console${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`)
    return answer
  }

  beforeAll(async () => {
    app = await testApp({ ports: { outbound, oidc: createOidc(outbound) }, config: { publicUrl: home } })
    browser = oauthBrowser(app)
    await app.fastify.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.fastify.server.address() as AddressInfo
    const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: 'admin-cli',
        username: lab['KEYCLOAK_ADMIN'] ?? '',
        password: lab['KEYCLOAK_ADMIN_PASSWORD'] ?? '',
      }),
    })
    adminToken = ((await answer.json()) as { access_token: string }).access_token
    const [client] = (await (await asAdmin('GET', '/clients?clientId=console')).json()) as [
      { id: string; attributes: Record<string, string> },
    ]
    clientBefore = client
    clientPath = `/clients/${client.id}`
    await asAdmin('PUT', clientPath, {
      ...client,
      attributes: {
        ...client.attributes,
        'backchannel.logout.url': `http://127.0.0.1:${port}${oauth.backchannelLogout.path}`,
        'backchannel.logout.session.required': 'true',
        'post.logout.redirect.uris': '+',
      },
    })
    const { id } = await app.team('mapped')
    const credentials = { clientId: lab['OIDC_CLIENT_ID'] ?? '', clientSecret: lab['OIDC_CLIENT_SECRET'] ?? '' }
    const mappings = [{ group: 'u03', teamId: id, roleId: null }]
    const body = oauthSettings(
      { issuer: lab['OIDC_ISSUER'] ?? '', ...credentials },
      { groupsClaim: 'preferred_username', mappings },
    )
    await app.admin.call(oauthProvider.set, { body })
  })
  afterAll(async () => {
    await asAdmin('PUT', clientPath, clientBefore)
    await outbound.close()
  })

  async function signIn(web: ReturnType<typeof formBrowser>) {
    const { location, cookie } = await browser.setOut()
    let way = await web.go(location, home)
    // a user who is logged in at the provider is sent back at once
    if (way.page !== '') way = await web.post(way, home, { username: 'u03', password: 'pass-u03' })
    const user = await browser.arrive(way.at, cookie)
    return app.caller({ kind: 'user', id: user.id, name: user.userName, admin: false }, user.token)
  }
  const works = async (caller: Awaited<ReturnType<typeof signIn>>) =>
    (await caller.request(session.sessions)).statusCode === 200

  test('a logout here ends the session there, so the next sign-in asks for the password again', async () => {
    const web = formBrowser()
    const caller = await signIn(web)
    const again = await web.go((await browser.setOut()).location, home)
    expect(again.page).toBe('')
    const { logoutUrl } = await caller.call(session.logout)
    const back = await web.go(new URL(logoutUrl ?? ''), home)
    expect(back.at.href).toBe(`${home}/login`)
    const after = await web.go((await browser.setOut()).location, home)
    expect(after.page).toContain('password')
  })

  test('a logout there ends the session here within a second, and no other', async () => {
    const [one, other] = [await signIn(formBrowser()), await signIn(formBrowser())]
    const sid = await app.db
      .selectFrom('oauth_session')
      .select('sid')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    await asAdmin('DELETE', `/sessions/${sid.sid}`)
    await eventually(async () => expect(await works(other)).toBe(false))
    expect(await works(one)).toBe(true)
  })
})
