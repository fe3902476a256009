import { callOf, type Endpoint } from '@gantry/contract/endpoint'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { newToken } from '../src/identity/sessions.ts'
import { isFull } from './full.ts'
import { fittingBody, fittingParams, paramsIn, someUuid } from './parameters.ts'
import { testApp, type TestCaller } from './test-app.ts'

/**
 * Every served call × every kind of caller, and every invalid id and page size. New endpoints are covered
 * automatically.
 */
const app = await testApp()
const endpoints = app.server.endpoints.filter((e) => app.fastify.hasRoute({ method: e.method, url: e.path }))
const [ours, theirs] = [await app.team(), await app.team()]
const nobody = await app.user()
const powerless = await ours.member()
const disabled = await ours.member()
const late = await ours.member()
const fresh = await app.user({ newlyBuilt: true })

beforeAll(async () => {
  await app.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', disabled.id).execute()
  await app.db
    .updateTable('session')
    .set({ expires_at: new Date(0) })
    .where('account_id', '=', late.id)
    .execute()
})

const paramsOf = (e: Endpoint) => fittingParams(e, ours.id)

/** The path of a call with its parameters and action. */
const addressOf = (e: Endpoint, action = e.action) =>
  e.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(paramsOf(e)[name]))) +
  (action === undefined ? '' : `?action=${action}`)

const ask = async (caller: TestCaller, e: Endpoint, params = paramsOf(e)) => {
  const body = fittingBody(e)
  const response = await caller.request(e, { params, ...(body && { body }) })
  return { status: response.statusCode, key: response.json<{ message: string }>().message, body: response.body }
}

const by = (kind: (e: Endpoint) => boolean) => endpoints.filter(kind).map((e) => [callOf(e), e] as const)
const accessOf = ({ access }: Endpoint) => access
const guarded = (e: Endpoint) => accessOf(e) !== 'public'
const forPeople = (e: Endpoint) => guarded(e) && accessOf(e) !== 'agent'
const forTeam = (e: Endpoint) => typeof e.access === 'object' && 'team' in e.access
const forOwner = (e: Endpoint) => typeof e.access === 'object' && 'owner' in e.access

test('there are enough served calls', () => expect(endpoints.length).toBeGreaterThan(10))

/** A new call for everybody must be listed here. */
test('calls without authentication are listed', () => {
  expect(
    endpoints
      .filter((e) => e.access === 'public')
      .map((e) => `${e.method} ${e.path}`)
      .toSorted(),
  ).toEqual([
    // the program of a build agent is public; its token is not
    'GET /api/agent/gantry-agent.mjs',
    // the redirects to a provider and back: a session needs the provider's code and the cookie of the attempt
    'GET /api/oauth/afterauth',
    'GET /api/oauth/login',
    'GET /api/pipelines/schema.json',
    // requires the token of a link to join
    'GET /api/public/join-link',
    'GET /api/public/ldaps',
    'GET /api/public/options',
    // the sample's repository, which requires its own password and no account
    'GET /git/samples/:teamId/hello.git/HEAD',
    'GET /git/samples/:teamId/hello.git/info/refs',
    'GET /git/samples/:teamId/hello.git/objects/:folder/:name',
    // requires a one-time token
    'POST /api/agent/register',
    // requires the provider's signature
    'POST /api/oauth/backchannel-logout',
    'POST /api/public/registerUser',
    'POST /api/users/login',
    'POST /api/users/refresh',
    // requires a Git host's signature, or an API token
    'POST /api/v2/pipelines/:uuid/trigger',
  ])
})

describe.for(by(guarded))('%s', ([, e]) => {
  test('is 401 for a visitor, an unknown token, a disabled user, and an expired token', async () => {
    const unknown = app.caller({ kind: 'user', id: 1, name: '', admin: false }, newToken('session'))
    for (const caller of [app.anonymous, unknown, disabled, late]) expect((await ask(caller, e)).status).toBe(401)
  })
})

describe.for(by((e) => forPeople(e) && e.beforePasswordChange !== true))('%s', ([, e]) => {
  test('is refused before the initial password is changed', async () => {
    expect(await ask(fresh, e)).toMatchObject({ status: 403, key: 'initial-password-first' })
  })
})

describe.for(by((e) => e.access === 'admin'))('%s', ([, e]) => {
  test('is allowed only for administrators', async () => {
    for (const caller of [nobody, powerless, ours.leader])
      expect(await ask(caller, e)).toMatchObject({ status: 403, key: 'admin-only' })
  })
})

describe.for(by((e) => e.access === 'agent'))('%s', ([, e]) => {
  test('is allowed only for agents', async () => {
    expect(await ask(app.admin, e)).toMatchObject({ status: 403, key: 'agent-only' })
  })
})

describe.for(by(forTeam))('%s', ([, e]) => {
  test('is 403 user-team for non-members, with the same body for a team that does not exist', async () => {
    const { access } = e
    const team = typeof access === 'object' && 'team' in access ? access.team : ''
    for (const caller of [nobody, theirs.leader]) {
      const existing = await ask(caller, e)
      const none = await ask(caller, e, { ...paramsOf(e), [team]: 999_999 })
      expect(existing).toMatchObject({ status: 403, key: 'user-team' })
      expect(none.body).toBe(existing.body)
    }
  })
})

const forPermission = (e: Endpoint) => forTeam(e) && (e.access as { permission?: string }).permission !== undefined

describe.for(by(forPermission))('%s', ([, e]) => {
  test('is 403 for a member without the permission', async () => {
    expect((await ask(powerless, e)).key).toMatch(/^permission-missing/)
  })
})

describe.for(by(forOwner))('%s', ([, e]) => {
  test('is 404 for an object that does not exist, for everybody', async () => {
    const answers = await Promise.all([nobody, powerless, theirs.leader, app.admin].map((caller) => ask(caller, e)))
    for (const answer of answers) expect(answer).toMatchObject({ status: 404 })
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
  })
})

describe.for(by((e) => e.method === 'GET' && e.audit !== undefined))('%s', ([, e]) => {
  test('has no effect if another site calls it, nor without the header', async () => {
    const url = addressOf(e)
    const crossSite = await app.admin.raw({ method: 'GET', url, headers: { 'sec-fetch-site': 'cross-site' } })
    expect([crossSite.statusCode, crossSite.json<{ message: string }>().message]).toEqual([403, 'cross-site-refused'])
    const bare = await app.anonymous.raw({ method: 'GET', url, headers: { cookie: `token=${app.admin.token}` } })
    // a public call has no caller, and itself reports what is missing
    expect(bare.statusCode).toBe(e.access === 'public' ? 400 : 401)
  })
})

describe.for(by((e) => e.action !== undefined))('%s', ([, e]) => {
  const act = async (caller: TestCaller, action: string) => {
    const answer = await caller.raw({ method: e.method, url: addressOf(e, action) })
    return answer.json<{ code: number; message: string; errorMsg: string }>()
  }
  const allowed = endpoints.filter(
    ({ method, path, action }) => method === e.method && path === e.path && action !== undefined,
  )

  test('a call with a missing or unknown action is refused with the possible actions, once the caller is authenticated', async () => {
    for (const action of ['', 'nonsense', `${e.action}%20`, '__proto__', `${e.action}&action=${e.action}`]) {
      expect(await act(app.anonymous, action)).toMatchObject({ code: 401 })
      const told = await act(ours.leader, action)
      expect(told).toMatchObject({ code: 400, message: 'action-unknown' })
      for (const one of allowed) expect(told.errorMsg).toContain(one.action)
    }
  })
})

describe.for(by((e) => e.action !== undefined && e.method !== 'GET'))('%s', ([, e]) => {
  test('refuses a body that the action does not take', async () => {
    const headers = { 'content-type': 'application/json' }
    const payload = '{"nobody":"takes this"}'
    const answer = await ours.leader.raw({ method: e.method, url: addressOf(e), headers, payload })
    expect(answer.statusCode).toBe(400)
  })
})

test('a call whose form requires a typed name requires the name too, if its path has a number', () => {
  const named = endpoints.filter((e) => 'shape' in e.query && 'confirm' in (e.query as z.ZodObject).shape)
  expect(named.map((e) => e.audit).toSorted()).toEqual([
    'environment.delete',
    'pipeline.delete',
    'product.delete',
    'service.delete',
    'stack.delete',
    'team.delete',
  ])
  for (const e of named) expect([e.audit, e.query.safeParse({}).success]).toEqual([e.audit, false])
})

const hostileIds = [
  '0',
  '-1',
  'NaN',
  '1e309',
  '1;--',
  '../1',
  '{x}',
  someUuid.toUpperCase(),
  `{${someUuid}}`,
  someUuid.replaceAll('-', ''),
  '\u0000',
  '9'.repeat(1_900),
  '9'.repeat(10_000),
  "' or 1=1 --",
  '%',
  '__proto__',
]
const withParams = (e: Endpoint) => paramsIn(e).length > 0
/** In the gate only a quarter of them for each parameter, in turn. */
const hostileIdsAt = (at: number) => (isFull ? hostileIds : hostileIds.filter((_, index) => index % 4 === at % 4))

describe.for(by(withParams))('%s', ([, e]) => {
  test('refuses a hostile id without an error', async () => {
    const wrong: unknown[] = []
    for (const [at, [name, schema]] of paramsIn(e).entries()) {
      // a parameter that accepts a word is a name, which none of these values harms
      const isName = schema.safeParse('x1').success
      for (const hostile of hostileIdsAt(endpoints.indexOf(e) + at)) {
        const { status } = await ask(app.admin, e, { ...paramsOf(e), [name]: hostile })
        if (status >= 500 || (status === 200 && !isName)) wrong.push([name, hostile.slice(0, 40), status])
      }
    }
    expect(wrong).toEqual([])
  })
})

const isList = (e: Endpoint) => e.method === 'GET' && 'shape' in e.query && 'pageSize' in (e.query as z.ZodObject).shape

describe.for(by(isList))('%s', ([, e]) => {
  const page = (query: Record<string, unknown>) => app.admin.request(e, { params: paramsOf(e), query })

  test('limits its pages', async () => {
    for (const query of [
      { pageSize: 0 },
      { pageSize: 1e9 },
      { pageSize: -2 },
      { requestPage: 0 },
      { requestPage: 1e18 },
      { requestPage: '1 or 1' },
    ])
      expect(forOwner(e) ? [400, 404] : [400]).toContain((await page(query)).statusCode)
    for (const query of [{ pageSize: -1 }, { pageSize: 9999 }, { pageSize: 1 }]) {
      const answer = await page(query)
      expect(answer.statusCode).toBeLessThan(500)
      const { data } = answer.json<{ data: { pageSize: number } | null }>()
      expect(data?.pageSize ?? 0).toBeLessThanOrEqual(1_000)
    }
  })
})

const hostileBodies = [
  'null',
  '[]',
  '"x"',
  '7',
  '{"username":{"$ne":1},"id":[],"name":{"a":1}}',
  `{"name":"${'x'.repeat(200_000)}"}`,
  '{"x":"\\u0000"}',
]
/** Refused by every call. */
const prototypes = [
  '{"__proto__":{"polluted":true}}',
  '{"name":"a","more":{"constructor":{"prototype":{"polluted":true}}}}',
  '[{"__proto__":{"polluted":true}}]',
]

describe.for(
  by(
    (e) =>
      e.method !== 'GET' &&
      e.upload === undefined &&
      e.access !== 'agent' &&
      !('beforePasswordChange' in e && e.access === 'user'),
  ),
)('%s', ([, e]) => {
  test('refuses a hostile body without an error', async () => {
    const caller = e.access === 'public' ? app.anonymous : app.admin
    const path = addressOf(e)
    for (const payload of hostileBodies) {
      const { statusCode } = await caller.raw({
        method: e.method,
        url: path,
        headers: { 'content-type': 'application/json' },
        payload,
      })
      expect([payload.slice(0, 40), statusCode < 500]).toEqual([payload.slice(0, 40), true])
    }
    for (const payload of prototypes) {
      const headers = { 'content-type': 'application/json' }
      const { statusCode } = await caller.raw({ method: e.method, url: path, headers, payload })
      expect([400, 404]).toContain(statusCode)
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})
