import { expect, test } from 'vitest'
import { digestOf, parseImageName } from './names.ts'

const digest = `sha256:${'0a'.repeat(32)}`

test.each([
  ['base', { repository: 'base' }],
  ['base/os_1__a--b.c', { repository: 'base/os_1__a--b.c' }],
  ['base/os:1.0_x-Y', { repository: 'base/os', tag: '1.0_x-Y' }],
  [`base/os@${digest}`, { repository: 'base/os', digest }],
  [`base/os:1@${digest}`, { repository: 'base/os', tag: '1', digest }],
])('%s is an image name', (text, name) => {
  expect(parseImageName(text)).toEqual(name)
})

test.each([
  '',
  ':1',
  '@',
  'Base',
  'base image',
  'a//b',
  'a/../b',
  'a:',
  'a:-1',
  `a:${'x'.repeat(129)}`,
  'a@sha256:1',
  `a@${digest}@${digest}`,
  'host:5000/a',
  'a\n',
  `${'a/'.repeat(200)}a`,
])('%j is not an image name', (text) => {
  expect(parseImageName(text)).toBeUndefined()
})

test('computes a digest from the bytes, whether or not they are text', () => {
  expect(digestOf('é')).toBe(digestOf(Buffer.from('é')))
  expect(digestOf('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})
