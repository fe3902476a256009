import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { certificates } from '@gantry/contract/certificates/certificates'
import { search } from '@gantry/contract/search/search'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { certificates as pairs } from '../../../test/certificates.ts'
import { refusalOf, testApp } from '../../../test/test-app.ts'

const app = await testApp()
const pem = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/certificates', name), 'utf8')
const [first, second] = pairs
const pair = ({ certificate, key }: { certificate: string; key: string } = first) => ({ certificate, privateKey: key })
const stored = (name: string) => ({ certificate: pem(`${name}.pem`), privateKey: pem(`${name}-key.pem`) })

let made = 0
const add = (given = pair(), name = `certificate ${++made}`) =>
  app.admin.call(certificates.create, { body: { name, ...given } })
const refused = (given: ReturnType<typeof pair>) => refusalOf(add(given))
const one = (id: number) => ({ params: { certificateId: id } })

test('a certificate shows its hosts, issuer and validity', async () => {
  const added = await add(pair(), 'of the shop')
  expect(added).toMatchObject({
    name: 'of the shop',
    subject: 'CN=example',
    issuer: 'CN=example',
    names: ['*.example.com', '*.gantry.test'],
    fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
    from: '2026-11-26T03:16:37.000Z',
    until: '2126-11-02T03:16:37.000Z',
    state: 'valid',
    teams: [],
    domains: 0,
    services: 0,
  })
  expect(added.daysLeft).toBeGreaterThan(36_000)
  expect(await app.admin.call(certificates.get, one(added.id))).toEqual(added)
  const found = await app.admin.call(search.find, { query: { keyword: 'of the shop' } })
  expect(found.items).toMatchObject([{ kind: 'certificate', name: 'of the shop', place: { id: added.id } }])
})

describe('these are refused:', () => {
  test('a private key of another certificate', async () => {
    expect(await refused({ ...pair(), privateKey: second.key })).toMatchObject({
      status: 400,
      key: 'certificates-key-other',
    })
  })

  test('a certificate that has expired, or that TLS refuses as too weak', async () => {
    expect(await refused(stored('expired'))).toMatchObject({ status: 400, key: 'certificates-expired' })
    expect(await refused(stored('weak'))).toMatchObject({ status: 400, key: 'certificates-weak' })
  })

  test('a chain of a megabyte, and one of very many certificates', async () => {
    const long = await refused({ ...pair(), certificate: first.certificate.repeat(1_700) })
    expect([400, 413]).toContain(long.status)
    expect(await refused({ ...pair(), certificate: 'x'.repeat(64_001) })).toMatchObject({
      status: 400,
      problems: [{ path: 'certificate', key: 'certificates-too-long' }],
    })
    expect(await refused({ ...pair(), certificate: `${first.certificate}\n`.repeat(11) })).toMatchObject({
      status: 400,
      key: 'certificates-chain-long',
    })
  })

  test('a chain with a gap, but not the complete chain', async () => {
    const { certificate, privateKey } = stored('server')
    expect(await refused({ certificate: `${certificate}\n${pem('other.pem')}`, privateKey })).toMatchObject({
      status: 400,
      key: 'certificates-chain-gap',
    })
    expect(await add({ certificate: `${certificate}\n${pem('ca.pem')}`, privateKey })).toMatchObject({
      names: ['cluster.test'],
    })
  })

  test.each([
    ['text that is no certificate', { ...pair(), certificate: 'hello' }, 'certificates-chain-format'],
    [
      'a broken certificate',
      { ...pair(), certificate: first.certificate.replace('MII', 'MIJ') },
      'certificates-chain-format',
    ],
    [
      'a key beside the certificate, which would be stored as text',
      { ...pair(), certificate: `${first.certificate}\n${first.key}` },
      'certificates-chain-format',
    ],
    ['text that is no key', { ...pair(), privateKey: 'hello' }, 'certificates-key-format'],
    [
      'a key with a passphrase',
      { ...pair(), privateKey: first.key.replaceAll('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY') },
      'certificates-key-locked',
    ],
  ])('%s', async (_what, given, key) => {
    expect(await refused(given)).toMatchObject({ status: 400, key })
  })

  test('a certificate without host names', async () => {
    expect(await refused(stored('client'))).toMatchObject({ status: 400, key: 'certificates-no-names' })
  })

  test('a name that exists already', async () => {
    const { name } = await add()
    expect(await refusalOf(add(pair(), name))).toMatchObject({ status: 409, key: 'certificates-name-taken' })
  })
})

test('no answer, audit row or plain column contains a private key in any encoding', async () => {
  const team = await app.team()
  const { id, name } = await add()
  const body = { name, ...pair(second), revision: 1 }
  const answers = [
    await app.admin.call(certificates.renew, { ...one(id), body }),
    await refused({ ...pair(), privateKey: second.key }),
    await app.admin.call(certificates.allocate, { params: { certificateId: id, teamId: team.id } }),
    await app.admin.call(certificates.list, { query: { pageSize: -1 } }),
    await team.leader.call(certificates.ofTeam, { params: { teamId: team.id } }),
    await app.db.selectFrom('audit_log').select(['object', 'detail', 'url', 'message']).execute(),
    await app.db.selectFrom('certificate').selectAll().execute(),
  ]
  const lines = [first, second].flatMap(({ key }) => key.split('\n').slice(1, -1))
  const der = [first, second].map(({ key }) => Buffer.from(key.split('\n').slice(1, -1).join(''), 'base64'))
  const spellings = [
    ...lines.map((line) => line.slice(0, 60)),
    ...lines.map((line) => Buffer.from(line).toString('base64').slice(4, 60)),
    ...der.flatMap((bytes) => [bytes.toString('hex').slice(40, 120), bytes.toString('base64url').slice(20, 80)]),
  ]
  const all = JSON.stringify(answers)
  expect(all).toContain('sealed1.')
  expect(spellings.filter((one) => all.includes(one))).toEqual([])
})

test('certificates that have expired or expire soon are marked, and can be filtered', async () => {
  const [soon, over, fine] = [await add(), await add(), await add()]
  const until = (id: number, days: number) =>
    app.db
      .updateTable('certificate')
      .set({ valid_until: sql`now() + make_interval(days => ${days}, hours => 1)` })
      .where('id', '=', id)
      .execute()
  await until(soon.id, 29)
  await until(over.id, -3)
  await until(fine.id, 31)
  const idsOf = async (state: 'expiring' | 'expired' | 'valid') =>
    (await app.admin.call(certificates.list, { query: { state, pageSize: -1, sort: '-until' } })).items.map(
      ({ id, daysLeft }) => [id, daysLeft] as const,
    )
  expect(await idsOf('expiring')).toEqual([[soon.id, 29]])
  expect(await idsOf('expired')).toEqual([[over.id, -3]])
  expect((await idsOf('valid')).at(-1)).toEqual([fine.id, 31])
})

describe('a team', () => {
  test('sees only the certificates that are allocated to it', async () => {
    const [team, other] = [await app.team(), await app.team()]
    const { id, name } = await add()
    await add()
    const allocation = { params: { certificateId: id, teamId: team.id } }
    expect(await app.admin.call(certificates.allocate, allocation)).toMatchObject({
      teams: [{ id: team.id, name: team.name }],
    })
    const seen = async (of: typeof team) =>
      (await of.leader.call(certificates.ofTeam, { params: { teamId: of.id } })).items
    expect(await seen(team)).toMatchObject([{ id, name, names: ['*.example.com', '*.gantry.test'] }])
    expect(await seen(other)).toEqual([])
    expect(await refusalOf(team.leader.call(certificates.list, {}))).toMatchObject({ status: 403 })
    expect(await app.admin.call(certificates.withdraw, allocation)).toMatchObject({ teams: [] })
    expect(await seen(team)).toEqual([])
    expect(await refusalOf(app.admin.call(certificates.withdraw, allocation))).toMatchObject({ status: 404 })
  })
})

describe('a certificate is replaced', () => {
  test('by one with another key, which is checked like a new one', async () => {
    const { id, name } = await add()
    const before = await app.admin.call(certificates.get, one(id))
    const wrong = { name, ...pair(second), privateKey: first.key }
    expect(await refusalOf(app.admin.call(certificates.renew, { ...one(id), body: wrong }))).toMatchObject({
      key: 'certificates-key-other',
    })
    const after = await app.admin.call(certificates.renew, { ...one(id), body: { name, ...pair(second) } })
    expect(after).toMatchObject({ id, name, revision: 2 })
    expect(after.fingerprint).not.toBe(before.fingerprint)
  })

  test('only on the latest revision', async () => {
    const { id, name, revision } = await add()
    await app.admin.call(certificates.renew, { ...one(id), body: { name, ...pair(second), revision } })
    const late = app.admin.call(certificates.renew, { ...one(id), body: { name, ...pair(), revision } })
    expect(await refusalOf(late)).toMatchObject({ status: 409, key: 'certificates-changed' })
  })
})

test('a deleted certificate is not found any more', async () => {
  const { id } = await add()
  await app.admin.call(certificates.remove, one(id))
  expect(await refusalOf(app.admin.call(certificates.get, one(id)))).toMatchObject({ status: 404 })
  expect(await refusalOf(app.admin.call(certificates.remove, one(id)))).toMatchObject({ status: 404 })
})
