import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { session } from '@gantry/contract/auth/session'
import { license } from '@gantry/contract/settings/license'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../test/test-app.ts'
import { jsonb } from '../../db/json.ts'
import { Fault } from '../../kernel/fault.ts'
import { keyIdOf, makeIssuer, signLicense, verifyLicense } from './license.ts'

const day = 24 * 3_600_000
const at = (days: number): string => new Date(Date.now() + days * day).toISOString()

const issuer = makeIssuer()
const onlyDomains = ['auth', 'users', 'teams', 'settings']
const app = await testApp({ onlyDomains, config: { licenseKey: issuer.x } })
const other = await testApp({ onlyDomains, config: { licenseKey: issuer.x }, beside: app })
const free = await testApp({ onlyDomains })
const team = await app.team()

const claims = (more = {}) => ({ holder: 'Example Ltd', issuedAt: at(-1), expiredAt: at(100), ...more })
const set = (text: string, by = app.admin) => by.call(license.set, { body: { license: text } })
const status = () => team.leader.call(license.status)
/** Pretends that time has passed since it was saved. */
const expireAt = (time: string) =>
  app.db
    .updateTable('setting')
    .set({ value: sql`jsonb_set(value, '{license,expiredAt}', ${jsonb(time)})` })
    .where('name', '=', 'license')
    .execute()

beforeEach(() => set(''))

test('an installation without an issuer needs no license, accepts none, and says how it would', async () => {
  expect(await free.admin.call(license.get)).toEqual({ issuer: '', license: null })
  expect(await free.admin.call(license.status)).toEqual({
    expired: false,
    expiresInTenDays: false,
    expiredAt: null,
    message: '',
  })
  await expect(set(signLicense(issuer.pem, claims()), free.admin)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('GANTRY_LICENSE_KEY'),
  })
})

test('a license is shown as signed on every server, and can be removed', async () => {
  const given = claims({ notes: 'With support', limits: { users: '500' } })
  await set(signLicense(issuer.pem, given))
  const expected = { issuer: keyIdOf(issuer.x), license: given }
  expect(await app.admin.call(license.get)).toEqual(expected)
  expect(await other.admin.call(license.get)).toEqual(expected)
  expect(await other.admin.call(license.status)).toMatchObject({ expired: false, expiredAt: given.expiredAt })
  expect((await set('')).license).toBeNull()
  expect((await status()).expiredAt).toBeNull()
})

describe('a license is refused, and the present one kept, if', () => {
  const [head = '', body = '', signature = ''] = signLicense(issuer.pem, claims()).split('.')
  const forged = Buffer.from(JSON.stringify(claims({ expiredAt: at(9999) }))).toString('base64url')
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
  const nameless = Buffer.from(JSON.stringify({ alg: 'EdDSA' })).toString('base64url')
  test.each([
    ['it is no license', 'hello', 'license-malformed'],
    ['a part is missing', `${head}.${body}`, 'license-malformed'],
    ['it is not signed', `${unsigned}.${body}.${signature}`, 'license-malformed'],
    ['it was modified', `${head}.${forged}.${signature}`, 'license-signature'],
    ['it names no key and was signed with another', `${nameless}.${body}.${signature}`, 'license-signature'],
    ['somebody else issued it', signLicense(makeIssuer().pem, claims()), 'license-issuer'],
    ['it is not valid yet', signLicense(issuer.pem, claims({ issuedAt: at(1) })), 'license-early'],
    ['it has expired', signLicense(issuer.pem, claims({ expiredAt: at(-0.5) })), 'license-over'],
  ])('%s', async (_, text, key) => {
    const kept = claims()
    await set(signLicense(issuer.pem, kept))
    await expect(set(text)).rejects.toMatchObject({ status: 400, key })
    expect((await app.admin.call(license.get)).license).toMatchObject(kept)
  })
})

test('any text is either a valid license of the issuer or refused', () => {
  const good = signLicense(issuer.pem, claims())
  const changed = fc
    .tuple(fc.nat(good.length - 1), fc.constantFrom('A', 'z', '0', '-', '.', '{', ' '))
    .map(([place, sign]) => good.slice(0, place) + sign + good.slice(place + 1))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 100 }), changed), (text) => {
      try {
        // the last character of base64url has unused bits
        expect(verifyLicense(text, issuer.x, new Date()).holder).toBe('Example Ltd')
        expect(text.slice(0, -1)).toBe(good.slice(0, -1))
      } catch (error) {
        expect(error).toBeInstanceOf(Fault)
      }
    }),
  )
})

test('everybody is reminded ten days ahead, and after it has expired; nothing else changes', async () => {
  await set(signLicense(issuer.pem, claims()))
  expect(await status()).toMatchObject({ expired: false, expiresInTenDays: false, message: '' })
  await expireAt(at(11))
  expect((await status()).expiresInTenDays).toBe(false)
  await expireAt(at(9))
  expect(await status()).toMatchObject({
    expired: false,
    expiresInTenDays: true,
    message: expect.stringMatching(/expires at \d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d UTC\. Please renew it promptly\.$/),
  })
  await expireAt(at(-1))
  expect(await status()).toMatchObject({
    expired: true,
    expiresInTenDays: false,
    message: 'License has expired, contact the administrator to update',
  })
  expect((await team.leader.call(session.refresh, { query: { tenantId: team.id } })).licensedUntil).toBeTruthy()
})

test('a license of a former issuer key no longer counts, and nobody is reminded of it', async () => {
  await set(signLicense(issuer.pem, claims()))
  await expireAt(at(-1))
  const replaced = await testApp({ onlyDomains, config: { licenseKey: makeIssuer().x }, beside: app })
  expect(await replaced.admin.call(license.status)).toMatchObject({ expired: false, expiredAt: null, message: '' })
  expect((await replaced.admin.call(license.get)).license).toBeNull()
})

test('only users who may view system settings see the license, and only administrators set it', async () => {
  await expect(team.leader.call(license.get)).rejects.toMatchObject({ status: 403 })
  await expect(set('', team.leader)).rejects.toMatchObject({ status: 403 })
})

describe('the issuer’s command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-license-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'issuer.pem')
  const admin = (...args: string[]) =>
    new Promise<{ code: number; out: string; error: string }>((resolve) => {
      const program = join(import.meta.dirname, '../../admin.ts')
      execFile(process.execPath, [program, 'license', ...args], { env: {} }, (error, out, problems) =>
        resolve({ code: error ? Number(error.code) : 0, out, error: problems }),
      )
    })

  test('creates a key once, and signs a license that the server accepts', async () => {
    const made = await admin('key', file)
    const [, x = ''] = /GANTRY_LICENSE_KEY=(\S+)/.exec(made.out) ?? []
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const pem = readFileSync(file, 'utf8')
    expect(await admin('key', file)).toMatchObject({ code: 1, error: expect.stringContaining('EEXIST') })
    expect(readFileSync(file, 'utf8')).toBe(pem)
    const { out } = await admin('sign', file, 'Example Ltd', '2999-12-31', 'With support', 'users=500')
    expect(verifyLicense(out.trim(), x, new Date())).toMatchObject({
      holder: 'Example Ltd',
      expiredAt: '2999-12-31T23:59:59.000Z',
      notes: 'With support',
      limits: { users: '500' },
    })
  })

  test.each([
    [['sign', join(folder, 'none.pem'), 'Example Ltd', '2999-12-31'], /none\.pem: ENOENT/],
    [['sign', file, 'Example Ltd', 'tomorrow'], /“tomorrow” is not a date/],
    [['sign', file], /^Usage: npm run admin -- license key/],
    [['lend'], /^Usage: npm run admin -- license key/],
  ])('%j prints one line and exits with code 1', async (args, line) => {
    expect(await admin(...args)).toEqual({ code: 1, out: '', error: expect.stringMatching(line) })
  })
})
