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

test('the contexts of a kubeconfig, and its current one', () => {
  expect(contextsOf(config('production'))).toEqual({ names: ['staging', 'production'], current: 'production' })
  expect(contextsOf(config('gone'))).toEqual({ names: ['staging', 'production'], current: undefined })
})

test('reads a kubeconfig in a Markdown fence with Windows line ends', () => {
  const pasted = `\uFEFF  \`\`\`yaml${config('production').replaceAll('\n', '\r\n  ')}\`\`\``
  expect(contextsOf(pasted)).toEqual({ names: ['staging', 'production'], current: 'production' })
})

test.each(['', 'a: [', 'just words', '[]', 'contexts: 3', 'contexts: [3, {name: 4}, null]'])(
  'an invalid kubeconfig has no contexts: %j',
  (text) => {
    expect(contextsOf(text)).toEqual({ names: [], current: undefined })
  },
)

const nothing = { names: [], current: undefined }

test('a text with an endless or undefined alias has no contexts', () => {
  const bomb = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(10)}]`)
  expect(contextsOf('a: *b')).toEqual(nothing)
  expect(contextsOf(`${config('staging')}\na0: &a0 x\n${bomb.join('\n')}`)).toEqual(nothing)
  expect(contextsOf('a: '.repeat(6000))).toEqual(nothing)
  expect(contextsOf('['.repeat(19_000))).toEqual(nothing)
})

const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: v`).join('\n')

test('many keys of one map take no longer than many lines, and texts beyond the server’s limit are not parsed', () => {
  expect(contextsOf(`${config('staging')}\n${keys(9_000)}`).names).toEqual(['staging', 'production'])
  expect(contextsOf(`${config('staging')}\n${keys(60_000)}`)).toEqual(nothing)
})

test('any text is parsed without an exception', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => Array.isArray(contextsOf(text).names)))
})
