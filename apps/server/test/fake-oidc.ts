import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

type Claims = Record<string, unknown>

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

interface Key {
  kid: string
  privateKey: CryptoKey
  jwk: Claims
}

async function newKey(): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = randomUUID()
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'ES256' } }
}

/**
 * A fake provider of OpenID Connect in this process, which lets everybody in at once, and lies on request. It verifies
 * what a real one verifies: the client's secret, the redirect URI, PKCE, and that a code is used once.
 */
export async function fakeOidc() {
  let key = await newKey()
  const codes = new Map<string, URLSearchParams>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const now = () => Math.floor(Date.now() / 1000)

  const provider = {
    issuer,
    clientId: 'gantry',
    clientSecret: 'fake-client-secret',
    /** How the client must authenticate. */
    auth: 'client_secret_basic',
    /** Claims of the user who logs in. */
    user: { sub: 'u01', preferred_username: 'ada', name: 'Ada', email: 'ada@example.test', sid: 's1' } as Claims,
    /** Claims that only userinfo has. */
    userInfo: {} as Claims,
    /** Changes the discovery document. */
    metadata: (said: Claims): Claims => said,
    /** Changes the ID token before it is signed. */
    claims: (said: Claims): Claims => said,
    /** The only allowed redirect URI; undefined allows any. */
    redirectUri: undefined as string | undefined,
    /** Answers a path differently: `send` takes the status and the body. */
    instead: {} as Record<string, (send: (status: number, body: unknown) => void) => void>,
    /** Changes the answer of the token endpoint. */
    tokens: (said: Claims): Claims => said,
    /** Accepts connections without answering. */
    hangs: false,
    /** Requested paths. */
    asked,
    key: () => key,
    /** Replaces the signing key, and publishes only the new one. Returns the old one. */
    rotate: async () => {
      const old = key
      key = await newKey()
      return old
    },
    sign: (payload: Claims, by: Key = key) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: by.kid }).sign(by.privateKey),
    /** Signs ID tokens instead of the published key. */
    signer: undefined as Key | undefined,
    logoutToken: (more: Claims, by: Key = key) =>
      provider.sign(
        {
          iss: issuer,
          aud: 'gantry',
          iat: now(),
          exp: now() + 120,
          jti: randomUUID(),
          events: { [logoutEvent]: {} },
          ...more,
        },
        by,
      ),
    /** The user agrees; returns where the browser is redirected. */
    agree: (location: string): URL => {
      const wanted = new URL(location).searchParams
      const code = randomUUID()
      codes.set(code, wanted)
      const back = new URL(wanted.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', wanted.get('state') ?? '')
      return back
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    start: () => listen(port),
  }

  const send = (response: ServerResponse, status: number, body: unknown) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  function shownBy(request: IncomingMessage, form: URLSearchParams): [method: string, secret: string | undefined] {
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (basic === undefined) return ['client_secret_post', form.get('client_secret') ?? undefined]
    return ['client_secret_basic', decodeURIComponent(Buffer.from(basic, 'base64').toString().split(':')[1] ?? '')]
  }

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request))
    const [method, secret] = shownBy(request, form)
    if (method !== provider.auth || secret !== provider.clientSecret)
      return send(response, 401, { error: 'invalid_client' })
    const code = form.get('code') ?? ''
    const wanted = codes.get(code)
    codes.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const fits =
      wanted?.get('redirect_uri') === form.get('redirect_uri') &&
      wanted?.get('code_challenge') === challenge &&
      wanted.get('code_challenge_method') === 'S256'
    if (!wanted || !fits) return send(response, 400, { error: 'invalid_grant' })
    const claims = {
      iss: issuer,
      aud: wanted.get('client_id'),
      iat: now(),
      exp: now() + 300,
      nonce: wanted.get('nonce'),
      ...provider.user,
    }
    const id_token = await provider.sign(provider.claims(claims), provider.signer)
    send(response, 200, provider.tokens({ access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token }))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?')
    asked.push(path)
    if (provider.hangs) return
    const instead = provider.instead[path]
    if (instead) return instead((status, body) => send(response, status, body))
    switch (path) {
      case '/.well-known/openid-configuration':
        return send(
          response,
          200,
          provider.metadata({
            issuer,
            authorization_endpoint: `${issuer}/auth`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/jwks`,
            userinfo_endpoint: `${issuer}/me`,
            end_session_endpoint: `${issuer}/end`,
            token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
            id_token_signing_alg_values_supported: ['ES256'],
            code_challenge_methods_supported: ['S256'],
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
          }),
        )
      case '/jwks':
        return send(response, 200, { keys: [key.jwk] })
      case '/auth': {
        const wanted = new URL(request.url ?? '', issuer).searchParams.get('redirect_uri')
        const known = provider.redirectUri === undefined || provider.redirectUri === wanted
        return send(response, known ? 200 : 400, known ? {} : { page: 'Invalid parameter: redirect_uri' })
      }
      case '/token':
        return token(request, response)
      case '/me':
        return send(response, 200, { sub: provider.user['sub'], ...provider.userInfo })
      default:
        return send(response, 404, {})
    }
  }

  return provider
}

export type FakeOidc = Awaited<ReturnType<typeof fakeOidc>>
