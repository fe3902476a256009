import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mask } from '@gantry/contract/validators'
import { masked, masker, openSecrets } from './masking.ts'
import { openLog, openScope } from '../log.ts'
import { keysOf, open, seal } from './secrets.ts'
import { newToken } from '../../identity/sessions.ts'

/** Strong enough to be masked, even after trimming. */
const secret = fc
  .string({ minLength: 14, maxLength: 40, unit: 'grapheme-ascii' })
  .filter((text) => new Set(text.trim()).size >= 13)
const nothing = (text: string) => text
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
      // The remaining characters encode at most the bytes that the secret shares with its neighbours.
      expect(before.length % 3 === 0 && hide(encoded).includes(core)).toBe(false)
    }),
  )
})

test.each(['p%40ss%20w0rd%2F-100%25', 'p%40ss%20w0rd%2f-100%25', 'p%40ss+w0rd%2F-100%25', 'p@ss%20w0rd/-100%25'])(
  'masks part of an address or a form: %s',
  (spelt) => {
    expect(masker(['p@ss w0rd/-100%'])(`x=${spelt}&y`)).toBe(`x=${mask}&y`)
  },
)

test('a secret of several lines is masked line by line', () => {
  const key = '-----BEGIN THING-----\nline-one-of-it\nline-two-of-it\n-----END THING-----'
  expect(masker([key])('build says: line-two-of-it')).toBe(`build says: ${mask}`)
})

test.each(['\n', '\r\n'])('masks base64 that is broken into lines by %j, and leaves the text around it', (end) => {
  const token = 'a-token-of-sixty-five-characters-0123456789abcdefghijklmnopqrstuvwx'
  for (let width = 4; width <= 76; width += 4) {
    const lines = btoa(token).match(new RegExp(`.{1,${width}}`, 'g')) ?? []
    expect(masker([token])(`one${end}two:${end}${lines.join(end)}`)).toMatch(
      new RegExp(`^one${end}two:${end}(\\*{8}\\s*)+[\\w=\\s]{0,6}$`),
    )
  }
})

test('a secret inside another is masked with it', () => {
  expect(masker(['password', 'password-and-more'])('x password-and-more y')).toBe(`x ${mask} y`)
})

test('masks as many secrets as a pipeline can have, of any length and all alike', () => {
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

test('a secret that is the prefix of another does not leave the rest of it unmasked', () => {
  const token = Array.from({ length: 40 }, (_, at) => String.fromCharCode(65 + at)).join('')
  expect(masker([token.slice(0, 29), token])(`x ${token} y`)).toBe(`x ${mask} y`)
})

test('an unpaired surrogate in a secret does no harm', () => {
  expect(masker(['half-a-pass\ud83dword'])('it was half-a-pass\ufffdword')).toBe(`it was ${mask}`)
})

test.for(['on', 'payroll', 'admin123', '/api/tenants/', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'null', '          '])(
  'the weak secret %j masks no ordinary text, whole or as a line of a strong one',
  (weak) => {
    const text = JSON.stringify({
      url: `/api/tenants/1?x=admin123`,
      text: `on and on, payroll, null${' '.repeat(20)}aaaaaaaa`,
    })
    const strong = `${weak}\nand-9-more-lines-Of-it`
    for (const secrets of [[weak], [strong]]) {
      expect(masker(secrets)(text)).toBe(text)
      expect(masker(secrets)(Buffer.from(text).toString('base64'))).toBe(Buffer.from(text).toString('base64'))
    }
    expect(masker([strong])('x and-9-more-lines-Of-it')).toBe(`x ${mask}`)
  },
)

test('a long-running call remembers a bounded number of secrets, and forgets the oldest', () => {
  const secrets = openSecrets()
  const all = Array.from({ length: 1_010 }, () => randomUUID())
  all.forEach(secrets.add)
  expect(secrets.hide(all.slice(0, 11).join(' '))).toBe([...all.slice(0, 10), mask].join(' '))
  expect(secrets.hide(all.slice(-1_000).join(' '))).not.toMatch(/[a-f0-9]/)
  for (let at = 0; at < 5; at++) secrets.add(randomUUID().repeat(25_000))
  expect(secrets.hide(all.at(-1) ?? '')).toBe(all.at(-1))
})

test('an object’s values under secret names are masked, at any depth', () => {
  const document = {
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
    said: `x ${newToken('api')} y`,
  }
  expect(masked(document, nothing)).toEqual({
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
    said: `x ${mask} y`,
  })
})

test('a long text is truncated, but never within a secret', () => {
  const hide = masker(['a secret at the very end'])
  expect(masked(`${'x'.repeat(1_990)}a secret at the very end${'y'.repeat(9_000)}`, hide)).toBe(
    `${'x'.repeat(1_990)}${mask}yy…`,
  )
  // masking shortens the text, so that more of it fits
  const spaced = 'a secret at the very end '.repeat(400)
  expect(masked(spaced, hide)).not.toContain('secret')
})

function written(own: string[] = []) {
  const lines: string[] = []
  return { lines, log: openLog('info', (line) => lines.push(line), own) }
}

test('a log masks every secret that was sealed or opened with it; another log does not', () => {
  const { lines, log } = written()
  const keys = keysOf(['a key for the log test'])
  const [mine, other] = [openScope(log, { of: 'mine' }), openScope(log, { of: 'other' })]
  const sealed = seal({ keys, ...mine }, 'tops3cret-value')
  const say = { deep: { url: 'https://user:tops3cret-value@host' }, err: new Error('tops3cret-value') }
  mine.log.info(say, 'tops3cret-value')
  expect(lines.join('')).not.toContain('tops3cret-value')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', msg: mask, of: 'mine' })
  for (const unconcerned of [log, other.log]) unconcerned.info(say, 'tops3cret-value')
  expect(lines.slice(1).map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'tops3cret-value',
    'tops3cret-value',
  ])
  open({ keys, ...other }, sealed)
  other.log.info(say, 'tops3cret-value')
  expect(lines.at(-1)).not.toContain('tops3cret-value')
})

test('every log masks the installation’s own secrets, and the product’s tokens by their shape', () => {
  const { lines, log } = written(['the-key-0f-this-installation'])
  log.info({ text: `x the-key-0f-this-installation y ${newToken('session')} z` })
  openScope(log, {}).log.info(`https://host/?authorization=${newToken('ticket')}`)
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { text: `x ${mask} y ${mask} z` },
    { msg: `https://host/?authorization=${mask}` },
  ])
})

test('a secret that looks like part of a log line does not break the line', () => {
  const { lines, log } = written()
  const scope = openScope(log, { requestId: 'one' })
  scope.secrets.add('","requestId":"one","environment":"')
  scope.log.warn({ environment: 'first' }, 'said')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ requestId: 'one', environment: 'first', msg: 'said' })
})
