import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRepository } from '@gantry/oci/names'
import { formatImageRef, parseImageRef, registryUrl } from './image-ref.ts'

const digest = `sha256:${'0a'.repeat(32)}`

describe('an image reference', () => {
  test.each([
    ['nginx', { host: 'docker.io', repository: 'library/nginx', tag: 'latest' }],
    ['nginx:1.27', { host: 'docker.io', repository: 'library/nginx', tag: '1.27' }],
    ['docker.io/nginx', { host: 'docker.io', repository: 'library/nginx', tag: 'latest' }],
    ['index.docker.io/bitnami/redis:7', { host: 'docker.io', repository: 'bitnami/redis', tag: '7' }],
    ['team/service', { host: 'docker.io', repository: 'team/service', tag: 'latest' }],
    ['localhost/x', { host: 'localhost', repository: 'x', tag: 'latest' }],
    ['localhost:5000/a/b:v1', { host: 'localhost:5000', repository: 'a/b', tag: 'v1' }],
    ['127.0.0.1:15000/demo/hello', { host: '127.0.0.1:15000', repository: 'demo/hello', tag: 'latest' }],
    ['[::1]:5000/a', { host: '[::1]:5000', repository: 'a', tag: 'latest' }],
    ['GHCR.io/a/b_c__d-e.f', { host: 'ghcr.io', repository: 'a/b_c__d-e.f', tag: 'latest' }],
    ['Registry/a', { host: 'Registry', repository: 'a', tag: 'latest' }],
    [`ghcr.io/a/b@${digest}`, { host: 'ghcr.io', repository: 'a/b', digest }],
    [`ghcr.io/a/b:1@${digest}`, { host: 'ghcr.io', repository: 'a/b', tag: '1', digest }],
  ])('%s is read', (text, ref) => {
    expect(parseImageRef(text)).toEqual(ref)
  })

  test.each([
    '',
    '/',
    ':1',
    'a:',
    'A',
    'a//b',
    'a/',
    '/a',
    'a b',
    'a/../b',
    '../a',
    'a/b:x y',
    'a:-1',
    `a:${'x'.repeat(129)}`,
    'a@sha256:1',
    `a@${digest}@${digest}`,
    `a@${digest.toUpperCase()}`,
    'http://host/a',
    'user@host/a',
    'host:port/a',
    'host:123456/a',
    '-a.b/c',
    'a\n',
    `ghcr.io/${'a/'.repeat(200)}a`,
  ])('%j is not a reference', (text) => {
    expect(parseImageRef(text)).toBeUndefined()
  })

  test('is parsed back unchanged after formatting', () => {
    const part = fc.stringMatching(/^[a-z0-9]{1,8}((\.|_|__|-{1,3})[a-z0-9]{1,4}){0,2}$/)
    const ref = fc.record(
      {
        host: fc.oneof(
          fc.domain(),
          fc.tuple(fc.domain(), fc.nat(65_535)).map(([name, port]) => `${name}:${port}`),
        ),
        repository: fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
        tag: fc.stringMatching(/^\w[\w.-]{0,30}$/),
        digest: fc.constant(digest),
      },
      { requiredKeys: ['host', 'repository'] },
    )
    fc.assert(
      fc.property(ref, (given) => {
        fc.pre(given.tag !== undefined || given.digest !== undefined)
        expect(parseImageRef(formatImageRef(given))).toEqual(given)
      }),
    )
  })

  test('of any text is parsed into safe parts, or refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z./:@-]{1,30}$/)), (text) => {
        const ref = parseImageRef(text)
        if (ref === undefined) return
        expect(isRepository(ref.repository)).toBe(true)
        expect(ref.repository).not.toMatch(/\.\.|\/\//)
        expect(URL.canParse(registryUrl(ref.host)) || /:\d{5}$/.test(ref.host)).toBe(true)
        expect(parseImageRef(formatImageRef(ref))).toEqual(ref)
      }),
    )
  })
})
