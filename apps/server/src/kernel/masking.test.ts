import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mask } from '@gantry/contract/validators'
import { keepOutOfLogs, masked, masker } from './masking.ts'
import { openLog } from './log.ts'
import { keysOf, seal } from './secrets.ts'

const secret = fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme-ascii' }).filter((s) => s.trim().length >= 8)
const around = fc.string({ maxLength: 20, unit: 'grapheme-ascii' })

test('no spelling of a secret is left: plain, JSON, URL, base64 at any offset', () => {
  fc.assert(
    fc.property(secret, around, around, (secret, before, after) => {
      const hide = masker([secret])
      const encoded = Buffer.from(before + secret + after).toString('base64')
      const core = Buffer.from(secret).toString('base64').slice(4, 8)
      expect(hide(`${before}${secret}${after}`)).not.toContain(secret.trim())
      expect(hide(JSON.stringify({ x: secret }))).not.toContain(JSON.stringify(secret).slice(1, -1))
      expect(hide(encodeURIComponent(secret))).not.toContain(encodeURIComponent(secret))
      // What is left of the encoding says at most the bytes that it shares with its neighbours.
      expect(before.length % 3 === 0 && hide(encoded).includes(core)).toBe(false)
    }),
  )
})

test('a secret of several lines is hidden line by line', () => {
  const key = '-----BEGIN THING-----\nline-one-of-it\nline-two-of-it\n-----END THING-----'
  expect(masker([key])('build says: line-two-of-it')).toBe(`build says: ${mask}`)
})

test('one secret inside another goes whole', () => {
  expect(masker(['password', 'password-and-more'])('x password-and-more y')).toBe(`x ${mask} y`)
})

test('as many secrets as a pipeline can have, as long as they may be, and all alike', () => {
  const long = Array.from({ length: 100 }, (_, at) =>
    Array.from({ length: 1_360 }, (_, line) => `alike-${at}-${line}`.padEnd(23, '.')).join('\n'),
  )
  const hide = masker(long)
  for (const secret of [long[0] ?? '', long[99] ?? '']) {
    expect(hide(secret).replaceAll(mask, '').trim()).toBe('')
    expect(hide(JSON.stringify(secret).slice(0, 8_000)).replaceAll(mask, '')).toMatch(/^"(.{0,31})$/)
  }
  expect(hide('alike-100-0')).toBe('alike-100-0')
})

test('a secret that another begins with does not keep the rest of it in sight', () => {
  const token = Array.from({ length: 40 }, (_, at) => String.fromCharCode(65 + at)).join('')
  expect(masker([token.slice(0, 29), token])(`x ${token} y`)).toBe(`x ${mask} y`)
})

test('half a character in a secret is no matter', () => {
  expect(masker(['pass\ud83dword'])('it was pass\ufffdword')).toBe(`it was ${mask}`)
})

test('short ones tear no holes', () => {
  expect(masker(['on', 'abc'])('on and on, abc')).toBe('on and on, abc')
})

test('an object loses what stands under telling names, at any depth', () => {
  const shown = masked({
    name: 'db',
    password: 'p',
    nested: [{ accessToken: 't', rePassword: 'r', kubeconfig: 'k' }],
    hasPassword: true,
    empty: { password: '' },
    pem: '-----BEGIN PRIVATE KEY-----\nx',
    variables: [
      { name: 'A', value: 'hidden', secret: true },
      { name: 'B', value: 'shown', secret: false },
    ],
    sealed: `x ${seal({ keys: keysOf(['a key of this test']) }, 'what is sealed')} y`,
  })
  expect(shown).toEqual({
    name: 'db',
    password: mask,
    nested: [{ accessToken: mask, rePassword: mask, kubeconfig: mask }],
    hasPassword: true,
    empty: { password: '' },
    pem: mask,
    variables: [
      { name: 'A', value: mask, secret: true },
      { name: 'B', value: 'shown', secret: false },
    ],
    sealed: `x ${mask} y`,
  })
})

test('a long text is cut, and not through a secret', () => {
  keepOutOfLogs('a secret at the very end')
  expect(masked(`${'x'.repeat(1_990)}a secret at the very end${'y'.repeat(9_000)}`)).toBe(
    `${'x'.repeat(1_990)}${mask}yy…`,
  )
})

test('the log shows no secret that was sealed, wherever it stands', () => {
  const lines: string[] = []
  const log = openLog('info', (line) => lines.push(line))
  const keys = keysOf(['a key for the log test'])
  seal({ keys }, 'tops3cret-value')
  log.info({ deep: { url: 'https://user:tops3cret-value@host' }, err: new Error('tops3cret-value') }, 'tops3cret-value')
  expect(lines.join('')).not.toContain('tops3cret-value')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', msg: mask })
})
