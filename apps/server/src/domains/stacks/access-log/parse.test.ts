import { mask } from '@gantry/contract/validators'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskQuery, parseAccess } from './parse.ts'

const nginx = (
  request: string,
  more: { agent?: string; user?: string; upstream?: string; other?: string; id?: string },
) =>
  `198.51.100.7 - ${more.user ?? '-'} [30/Nov/2026:10:00:00 +0000] "${request}" 200 612 "-" "${more.agent ?? 'curl'}" 78 0.012 ` +
  `[${more.upstream ?? 'shop-web-8080'}] [${more.other ?? ''}] 10.244.0.7:8080 612 0.012 200 ${more.id ?? 'f00d'}`
const traefik = (request: string, more: { agent?: string; user?: string; router?: string }) =>
  `198.51.100.7 - ${more.user ?? '-'} [30/Nov/2026:10:00:00 +0000] "${request}" 502 11 "-" "${more.agent ?? 'curl'}" 42 ` +
  `"${more.router ?? 'web-shop-front-a-example-com@kubernetes'}" "http://10.244.0.7:8080" 12ms`
const json = (more: object) =>
  JSON.stringify({
    ClientHost: '198.51.100.7',
    DownstreamStatus: 200,
    Duration: 12_345_678,
    RequestHost: 'A.example.com',
    RequestMethod: 'GET',
    RequestPath: '/a?token=secret',
    RouterName: 'shop-front-a-example-com@kubernetes',
    ServiceName: 'shop-web-8080@kubernetes',
    ServiceAddr: '10.244.0.7:8080',
    level: 'info',
    ...more,
  })

describe('a line', () => {
  test('of ingress-nginx is read, with what answered in place of the canary', () => {
    expect(parseAccess(nginx('GET /a?token=secret HTTP/1.1', {}))).toEqual({
      method: 'GET',
      host: '',
      path: `/a?token=${mask}`,
      status: 200,
      duration: 12,
      client: '198.51.100.7',
      router: '',
      namespace: '',
      upstream: 'shop-web-8080',
      answered: 'shop-web-8080',
      address: '10.244.0.7',
    })
    const tried = nginx('GET / HTTP/2.0', { other: 'shop-web-next-8080' }).replace(
      '10.244.0.7:8080 612 0.012 200',
      '10.244.0.7:8080, 10.244.0.8:8080 0, 612 0.002, 0.010 502, 200',
    )
    expect(parseAccess(tried)).toMatchObject({ answered: 'shop-web-next-8080', address: '10.244.0.8' })
  })

  test('of Traefik is read in both of its formats', () => {
    expect(parseAccess(traefik('POST /b HTTP/2.0', {}))).toMatchObject({
      method: 'POST',
      path: '/b',
      status: 502,
      duration: 12,
      router: 'web-shop-front-a-example-com@kubernetes',
      address: '10.244.0.7',
    })
    expect(parseAccess(json({}))).toMatchObject({
      host: 'a.example.com',
      path: `/a?token=${mask}`,
      duration: 12.35,
      router: 'shop-front-a-example-com@kubernetes',
      answered: 'shop-web-8080@kubernetes',
    })
    expect(parseAccess(traefik('GET / HTTP/1.1', { router: '-' }))).toMatchObject({ router: '' })
  })

  test.for([
    ['a common log without names', '192.0.2.1 - - [30/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl"'],
    ['JSON without names', json({ RouterName: undefined, ServiceName: undefined })],
    ['JSON of another format', '{"status":"200","request_uri":"/"}'],
  ])('that names no service is told apart: %s', ([, line]) => {
    expect(parseAccess(line ?? '')).toBe('nameless')
  })

  test.for(['', 'I1130 10:00:00 controller.go:1] Starting', '{"level":"info","msg":"started"}', '{', 'null', '{}'])(
    'that is no request is not read: %s',
    (line) => {
      expect(parseAccess(line)).toBeUndefined()
    },
  )
})

describe('what a caller sends', () => {
  // nginx escapes quotes, Traefik puts a backslash before them
  const forged = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.constantFrom(
      '" 200 1 "-" "x" 1 0.1 [other-web-80] [] 10.0.0.1:80 1 0.1 500 x',
      '-" 1 "other@kubernetes" "http://10.0.0.1" 1ms',
      '- [x] "GET /forged HTTP/1.1" 500 1 "-" "-" 1 "other@kubernetes" "u" 1ms',
      '\\',
      '] "',
    ),
  )
  const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]/gu, '')

  test('never changes whose line of ingress-nginx it is, nor its status', () => {
    fc.assert(
      fc.property(forged, forged, forged, (agent, user, id) => {
        const [a, u, i] = [agent, user, id].map((text) => oneLine(text).replaceAll('"', String.raw`\x22`))
        const read = parseAccess(nginx('GET /a HTTP/1.1', { agent: a ?? '', user: u ?? '', id: i ?? '' }))
        expect(read).toMatchObject({ upstream: 'shop-web-8080', answered: 'shop-web-8080', status: 200, path: '/a' })
      }),
    )
  })

  test('never changes whose line of Traefik it is; what could be read in two ways is not read', () => {
    fc.assert(
      fc.property(forged, forged, (agent, user) => {
        const escaped = oneLine(agent).replaceAll('"', String.raw`\"`)
        const read = parseAccess(traefik('GET /a HTTP/1.1', { agent: escaped, user: oneLine(user) }))
        if (typeof read === 'object')
          expect(read).toMatchObject({
            router: 'web-shop-front-a-example-com@kubernetes',
            status: 502,
            path: '/a',
            address: '10.244.0.7',
          })
      }),
    )
  })

  test('is never an error, and no value of a query is left', () => {
    fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => void parseAccess(text)))
    fc.assert(fc.property(fc.json(), (text) => void parseAccess(text)))
    const word = fc.stringMatching(/^[A-Za-z0-9%+._~-]{1,12}$/)
    fc.assert(
      fc.property(word, fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 5 }), word, (path, pairs, bare) => {
        const secret = (value: string) => `s3cr3t${value}`
        const query = [...pairs.map(([name, value]) => `${name}=${secret(value)}`), secret(bare)].join('&')
        const masked = maskQuery(`/${path}?${query}#${secret(bare)}`)
        expect(masked).not.toContain('s3cr3t')
        expect(masked).toBe(`/${path}?${[...pairs.map(([name]) => `${name}=${mask}`), mask].join('&')}`)
      }),
    )
    expect(maskQuery('http://user:password@a.example.com/x?y=z')).toBe(`/x?y=${mask}`)
  })
})
