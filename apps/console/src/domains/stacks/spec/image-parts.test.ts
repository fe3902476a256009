import fc from 'fast-check'
import { expect, test } from 'vitest'
import { imageOf, imageParts, shortDigest } from './image-parts.ts'

test.each([
  ['nginx', { host: '', path: 'nginx', tag: '', digest: '' }],
  ['nginx:1.29', { host: '', path: 'nginx', tag: '1.29', digest: '' }],
  ['team/app:2', { host: '', path: 'team/app', tag: '2', digest: '' }],
  ['localhost/app', { host: 'localhost', path: 'app', tag: '', digest: '' }],
  ['127.0.0.1:5000/team/app:2', { host: '127.0.0.1:5000', path: 'team/app', tag: '2', digest: '' }],
  ['r.example.org/app', { host: 'r.example.org', path: 'app', tag: '', digest: '' }],
  ['app:1@sha256:abc', { host: '', path: 'app', tag: '1', digest: 'sha256:abc' }],
])('parses %s', (image, parts) => {
  expect(imageParts(image)).toEqual(parts)
})

test('parses what it has composed', () => {
  const host = fc.constantFrom('', 'localhost', '127.0.0.1:5000', 'registry.example.org')
  const path = fc.constantFrom('app', 'team/app', 'a/b/c')
  const tag = fc.constantFrom('', 'latest', '1.2.3')
  fc.assert(
    fc.property(fc.record({ host, path, tag }), (parts) => {
      expect(imageParts(imageOf(parts))).toEqual({ ...parts, digest: '' })
    }),
  )
})

test('shortens a digest to its first twelve characters', () => {
  expect(shortDigest('sha256:1fc842ad9240115cd88ab4')).toBe('1fc842ad9240')
  expect(shortDigest('')).toBe('')
})
