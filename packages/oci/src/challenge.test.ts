import { expect, test } from 'vitest'
import { parseChallenge } from './challenge.ts'

test.each([
  ['Basic realm="x"', { scheme: 'basic' }],
  [
    'Bearer realm="https://a/b",service="s",scope="r:a:pull"',
    { scheme: 'bearer', realm: 'https://a/b', service: 's', scope: 'r:a:pull' },
  ],
  ['basic, bearer realm=https://a', { scheme: 'bearer', realm: 'https://a', service: '', scope: '' }],
  ['Bearer service="s"', undefined],
  ['Negotiate', undefined],
  ['', undefined],
])('%s', (header, challenge) => {
  expect(parseChallenge(header)).toEqual(challenge)
})
