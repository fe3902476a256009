import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contextsOf } from './kubeconfig.ts'

const config = (current: string) => `
current-context: ${current}
contexts:
  - name: staging
    context: { cluster: a, user: b }
  - name: production
    context: { cluster: c, user: d }
`

test('the contexts of a kubeconfig, and the one that it would use itself', () => {
  expect(contextsOf(config('production'))).toEqual({ names: ['staging', 'production'], current: 'production' })
  expect(contextsOf(config('gone'))).toEqual({ names: ['staging', 'production'], current: undefined })
})

test.each(['', 'a: [', 'just words', '[]', 'contexts: 3', 'contexts: [3, {name: 4}, null]'])(
  'what is no kubeconfig has no contexts: %j',
  (text) => {
    expect(contextsOf(text)).toEqual({ names: [], current: undefined })
  },
)

test('no text is too odd', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => Array.isArray(contextsOf(text).names)))
})
