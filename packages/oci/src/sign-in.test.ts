import { describe, expect, test } from 'vitest'
import { signedIn, resolveWithin, type Grant, type SignIn } from './sign-in.ts'

const origin = new URL('https://registry.test')
const basic = `Basic ${btoa('ann:secret')}`

/** A registry that accepts `good` and challenges everything else; records requests and answers. */
function registry(good: string, challenge: string, token = { status: 200, text: '{"token":"t"}' }) {
  const sent: (string | undefined)[] = []
  const realms: { url: string; authorization: string | undefined }[] = []
  const kept: (Grant | undefined)[] = []
  let unread = 0
  const enter = (more: Partial<SignIn<never>> = {}) =>
    signedIn({
      origin,
      account: { username: 'ann', password: 'secret' },
      scope: 'repository:a:pull',
      granted: undefined,
      keep: (grant) => kept.push(grant),
      send: async (authorization) => {
        sent.push(authorization)
        unread++
        const status = authorization === good ? 200 : 401
        return { status, headers: { 'www-authenticate': challenge }, body: { destroy: () => unread-- } }
      },
      askToken: async (url, { authorization }) => {
        realms.push({ url: url.href, authorization })
        return token
      },
      ...more,
    })
  return { enter, sent, realms, kept, unread: () => unread }
}

const refusal = (failure: object) => ({ ok: false, failure })
const refused = refusal({ kind: 'credentials' })
const bearer = (realm: string): string => `Bearer realm="${realm}",service="the registry",scope="repository:x:pull"`

describe('authentication', () => {
  test('sends nothing to a registry that requires no authentication', async () => {
    const open = registry(undefined as never, '')
    expect(await open.enter()).toMatchObject({ ok: true })
    expect([open.sent, open.kept]).toEqual([[undefined], []])
  })

  test('by password, once the registry requires one; reads refused answers to their end', async () => {
    const { enter, sent, kept, unread } = registry(basic, 'Basic realm="x"')
    expect(await enter()).toMatchObject({ ok: true, value: { status: 200 } })
    expect([sent, kept, unread()]).toEqual([[undefined, basic], [undefined, { header: basic, seconds: 300 }], 1])
    expect(await enter({ granted: basic })).toMatchObject({ ok: true })
    expect(sent).toHaveLength(3)
  })

  test('by token: for the requested scope, or the one that the registry proposes', async () => {
    const { enter, sent, realms, kept } = registry('Bearer t', bearer('https://auth.test/token?a=1'))
    expect(await enter({ scope: 'repository:a:pull,push repository:b:pull' })).toMatchObject({ ok: true })
    await enter({ scope: '' })
    expect(sent).toEqual([undefined, 'Bearer t', undefined, 'Bearer t'])
    const [both, proposed] = realms.map(({ url }) => new URL(url).searchParams)
    expect(both?.getAll('scope')).toEqual(['repository:a:pull,push', 'repository:b:pull'])
    expect([both?.get('a'), both?.get('service'), proposed?.get('scope')]).toEqual([
      '1',
      'the registry',
      'repository:x:pull',
    ])
    expect(realms[0]?.authorization).toBe(basic)
    expect(kept[1]).toEqual({ header: 'Bearer t', seconds: 45 })
  })

  test.each([
    ['{"access_token":"t","expires_in":300}', 285],
    ['{"token":"t","expires_in":100000}', 3585],
    ['{"token":"t","expires_in":5}', -10],
  ])('a token of %s is valid for %i s', async (text, seconds) => {
    const { enter, kept } = registry('Bearer t', bearer('https://auth.test'), { status: 200, text })
    expect(await enter()).toMatchObject({ ok: true })
    expect(kept.at(-1)).toEqual({ header: 'Bearer t', seconds })
  })

  test('an existing token is the only credential that is sent', async () => {
    const { enter, sent, realms } = registry('Bearer good', bearer('https://auth.test'))
    expect(await enter({ token: 'good', granted: basic })).toMatchObject({ ok: true })
    expect(await enter({ token: 'stale' })).toEqual(refused)
    expect([sent, realms]).toEqual([['Bearer good', 'Bearer stale'], []])
  })

  test('replaces an expired grant', async () => {
    const { enter, sent, kept } = registry('Bearer t', bearer('https://auth.test'))
    expect(await enter({ granted: 'Bearer old' })).toMatchObject({ ok: true })
    expect([sent, kept]).toEqual([
      ['Bearer old', 'Bearer t'],
      [undefined, { header: 'Bearer t', seconds: 45 }],
    ])
  })
})

describe('failed authentication', () => {
  test.each([
    ['a password that is refused', registry('no', 'Basic'), {}],
    ['a token that is refused', registry('no', bearer('https://auth.test')), {}],
    ['no password', registry(basic, 'Basic'), { account: {} }],
    ['a challenge that nobody understands', registry(basic, 'Negotiate'), {}],
  ])('%s', async (_, { enter, kept, unread }, more) => {
    expect(await enter(more)).toEqual(refused)
    expect([kept, unread()]).toEqual([[undefined], 0])
  })

  test('does not send a refused credential again', async () => {
    const { enter, sent } = registry('no', 'Basic')
    expect(await enter({ granted: basic })).toEqual(refused)
    expect(sent).toEqual([basic])
  })

  test.each([
    [401, '', 'credentials', ''],
    [403, '', 'credentials', ''],
    [401, '{"details":"the account is locked"}', 'credentials', 'the account is locked'],
    [401, '{"details":"secret is wrong"}', 'credentials', ''],
    [403, `{"message":"refused ${basic}"}`, 'credentials', ''],
    [500, '', 'token', ''],
    [503, '{"errors":[{"code":"UNAVAILABLE","message":"try later"}]}', 'token', 'UNAVAILABLE: try later'],
    [200, '<html>', 'token', ''],
    [200, 'null', 'token', ''],
    [200, '{"token":1}', 'token', ''],
    [200, '{"token":"a\\r\\nx: y"}', 'token', ''],
  ])('a token service that answers %i %s', async (status, text, kind, words) => {
    const { enter } = registry('Bearer t', bearer('https://auth.test'), { status, text })
    expect(await enter()).toEqual(refusal({ kind, by: { host: 'auth.test', status, text: words } }))
  })

  test('does not repeat the text of an unencrypted realm on another host', async () => {
    const token = { status: 403, text: '{"message":"inside"}' }
    const { enter } = registry('Bearer t', bearer('http://10.0.0.1/token'), token)
    const by = { host: '10.0.0.1', status: 403, text: '' }
    expect(await enter({ account: {} })).toEqual(refusal({ kind: 'credentials', by }))
  })

  test('sends no password to an unencrypted realm on another host, where anonymous access still works', async () => {
    const { enter, realms } = registry('Bearer t', bearer('http://auth.test:81/token'))
    expect(await enter()).toEqual(refusal({ kind: 'realm', realm: 'auth.test:81' }))
    expect(realms).toEqual([])
    expect(await enter({ account: {} })).toMatchObject({ ok: true })
    expect(realms[0]?.authorization).toBeUndefined()
  })

  test('an unencrypted registry may be its own unencrypted realm', async () => {
    const { enter } = registry('Bearer t', bearer('http://registry.test/token'))
    expect(await enter({ origin: new URL('http://registry.test') })).toMatchObject({ ok: true })
  })

  test('an invalid realm', async () => {
    expect(await registry('Bearer t', bearer('token')).enter()).toEqual(refusal({ kind: 'protocol' }))
  })
})

test.each([
  ['/v2/a?b=c', { ok: true, value: new URL('https://registry.test/v2/a?b=c') }],
  ['http://registry.test:81/v2/a', { ok: true, value: new URL('https://registry.test/v2/a') }],
  ['https://evil.test/v2/a', refusal({ kind: 'elsewhere' })],
  ['//evil.test/v2/a', refusal({ kind: 'elsewhere' })],
  ['http://', refusal({ kind: 'protocol' })],
])('resolves the location %s', (location, place) => {
  expect(resolveWithin(origin, location)).toEqual(place)
})
