import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '@gantry/contract/endpoint'
import { refusal, sent, server, signedIn, useConsole } from '../../test/app.tsx'
import { addressOf, call, CallError, timeoutMs } from './call.ts'

useConsole()

const list = endpoint({
  method: 'GET',
  path: '/api/tenants/:teamId/things/:name',
  access: 'user',
  summary: 'Things',
  params: z.object({ teamId: z.number(), name: z.string() }),
  query: z.object({ keyword: z.string().optional(), page: z.number().optional(), state: z.string().nullish() }),
  data: z.array(z.string()),
})
const path = 'GET /api/tenants/1/things/a%2Fb'
const params = { teamId: 1, name: 'a/b' }

describe('a call', () => {
  test('drops empty query parameters and keeps zero', () => {
    expect(addressOf(list, { params, query: { keyword: '', page: 0, state: null } })).toBe(
      '/api/tenants/1/things/a%2Fb?page=0',
    )
  })

  test('carries the bearer token, the team, the version and the language', async () => {
    signedIn()
    server({ [path]: ['x'] })
    await expect(call(list, { params })).resolves.toEqual(['x'])
    const headers = Object.fromEntries(sent[0]?.headers ?? [])
    expect(headers).toMatchObject({
      authorization: 'Bearer token-of-ada',
      'x-tenant-id': '1',
      accept: 'application/vnd.gantry.v1+json',
      'accept-language': 'en',
    })
    expect(headers).not.toHaveProperty('content-type')
  })

  test('throws the key, the text and the field problems of a refusal', async () => {
    const problems = [{ path: 'name', key: 'name-taken', text: 'Taken' }]
    server({ [path]: refusal(400, 'request-invalid', 'Wrong', problems) })
    const error = await call(list, { params }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CallError)
    expect(error).toMatchObject({ status: 400, key: 'request-invalid', text: 'Wrong', problems })
  })

  test('recognizes a proxy that answers 200 with a page', async () => {
    server({ [path]: new Response('<html>Log in to the hotel</html>') })
    await expect(call(list, { params })).rejects.toMatchObject({ status: 500 })
  })

  test('times out after 300 s', () => {
    expect(timeoutMs).toBe(300_000)
  })

  test('is aborted at its timeout and reports that the server did not answer', async () => {
    const limit = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    server({
      [path]: () =>
        new Promise((_, reject) => {
          limit.signal.addEventListener('abort', () => reject(limit.signal.reason))
        }),
    })
    const running = call(list, { params })
    limit.abort()
    await expect(running).rejects.toMatchObject({ key: 'response-timeout' })
    expect(AbortSignal.timeout).toHaveBeenCalledWith(300_000)
  })

  test('of a visitor carries no token, because an old one would spoil a login', async () => {
    signedIn()
    server({ 'GET /api/open': [] })
    await call({ ...list, path: '/api/open', access: 'public' })
    expect(sent[0]?.headers.has('authorization')).toBe(false)
  })
})

afterEach(() => void vi.restoreAllMocks())
