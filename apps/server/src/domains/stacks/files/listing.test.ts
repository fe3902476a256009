import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listingOf } from './listing.ts'

const one = { folder: '/', mode: 'rw-r--r--', size: 12, changedAt: '2026-01-02T03:04:05.000Z', target: '' }

test.for([
  ['-rw-r--r--    1 0        0              12 2026-01-02 03:04:05 +0000 a b', { ...one, name: 'a b', kind: 'file' }],
  ['-rw-r--r-- 1 0 0 12 2026-01-02 05:04:05.123456789 +0200 x', { ...one, name: 'x', kind: 'file' }],
  ['-rw-r--r--+ 1 0 0 12 2026-01-02 03:04:05 +0000 acl', { ...one, name: 'acl', kind: 'file' }],
  [
    'lrwxrwxrwx 1 0 0 12 2026-01-02 03:04:05 +0000 l -> /a -> b',
    { ...one, mode: 'rwxrwxrwx', name: 'l', kind: 'link', target: '/a -> b' },
  ],
  [
    'crw-rw-rw-    1 0        0          1,   3 2026-01-02 03:04:05 +0000 null',
    { ...one, mode: 'rw-rw-rw-', size: 0, name: 'null', kind: 'device' },
  ],
  ['prw-r--r-- 1 0 0 12 2026-01-02 03:04:05 +0000 pipe', { ...one, name: 'pipe', kind: 'other' }],
  ['drwxrwxrwt 2 0 0 12 2026-01-02 03:04:05 +0000 tmp', { ...one, mode: 'rwxrwxrwt', name: 'tmp', kind: 'folder' }],
] as const)('%s', ([line, entry]) => {
  expect(listingOf(`total 4\n${line}\n`, '/')).toEqual([entry])
})

test('folders below the listed one appear under their own names', () => {
  const text = `/var/log:\ntotal 4\ndrwxr-xr-x 2 0 0 12 2026-01-02 03:04:05 +0000 app\n\n/var/log/app:\ntotal 8\n-rw-r--r-- 1 0 0 12 2026-01-02 03:04:05 +0000 a.log\n`
  expect(listingOf(text, '/var/log').map(({ folder, name }) => `${folder}/${name}`)).toEqual([
    '/var/log/app',
    '/var/log/app/a.log',
  ])
})

test('any name is read back unchanged, even with line breaks', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .filter(
      (text) =>
        !text.includes('/') &&
        !text.includes('\0') &&
        !/\n(\n|$|total \d+$)/m.test(text) &&
        !text.startsWith('\n') &&
        !text.includes('\r'),
    )
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 5 }), (names) => {
      const lines = names.map((text) => `-rw-r--r-- 1 0 0 12 2026-01-02 03:04:05 +0000 ${text}`)
      expect(listingOf(`total 4\n${lines.join('\n')}\n`, '/').map((entry) => entry.name)).toEqual(names)
    }),
  )
})
