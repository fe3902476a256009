import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { group, person, type Slapd, slapdThere, startSlapd } from '../../../test/slapd.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { parseFilter } from './filter.ts'
import { createLdap, type SearchWish } from './ldap.ts'

const ca = readFileSync(join(import.meta.dirname, '../../../test/certificates/ca.pem'), 'utf8')
const fault = (key: string) => expect.objectContaining({ key })

describe.skipIf(!slapdThere())('a real directory (needs the lab’s ldap)', () => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const ldap = createLdap(outbound)
  const budget = { budget: 5_000 }
  let slapd: Slapd
  let misnamed: Slapd
  let expired: Slapd

  beforeAll(async () => {
    slapd = await startSlapd({ sizeLimit: 700 })
    misnamed = await startSlapd({ certificate: 'other' })
    expired = await startSlapd({ certificate: 'expired' })
    slapd.change(Array.from({ length: 650 }, (_, at) => person(`p${String(at).padStart(3, '0')}`)).join('\n'))
    slapd.change(group('all', ['p000', 'p001']))
  })
  afterAll(async () => {
    await Promise.all([slapd.end(), misnamed.end(), expired.end(), outbound.close()])
  })

  const people = (more: Partial<SearchWish> = {}): SearchWish => ({
    base: `ou=people,${slapd.base}`,
    scope: 'sub',
    filter: parseFilter('(objectClass=person)'),
    attributes: ['uid', 'entryUUID'],
    limit: 1_000,
    ...more,
  })
  const reader = async (target: { url: string; startTls?: boolean; ca?: string }) => {
    const directory = await ldap.open({ startTls: false, ca: '', ...target }, budget)
    expect(await directory.bind(`cn=reader,${slapd.base}`, 'reader-secret')).toBe(true)
    return directory
  }

  test.each([
    ['in the clear', () => ({ url: slapd.url })],
    ['with StartTLS', () => ({ url: slapd.url, startTls: true, ca })],
    ['by LDAPS', () => ({ url: slapd.tlsUrl, ca })],
  ])('%s accepts a bind and is read', async (_, target) => {
    const directory = await reader(target())
    expect(await directory.bind(`cn=reader,${slapd.base}`, 'wrong')).toBe(false)
    expect(await directory.bind(`cn=reader,${slapd.base}`, '')).toBe(false)
    expect(await directory.bind(`cn=reader,${slapd.base}`, 'reader-secret')).toBe(true)
    const { entries, more } = await directory.search(people({ filter: parseFilter('(uid=p007)') }))
    expect({ dns: entries.map(({ dn }) => dn), more }).toEqual({
      dns: [`uid=p007,ou=people,${slapd.base}`],
      more: false,
    })
    directory.close()
  })

  test('a search continues over its pages, and stops at its limit', async () => {
    const directory = await reader({ url: slapd.url })
    const all = await directory.search(people())
    expect([all.entries.length, all.more]).toEqual([650, false])
    const some = await directory.search(people({ limit: 620 }))
    expect([some.entries.length, some.more]).toEqual([620, true])
    const one = await directory.search(people({ limit: 1 }))
    expect([one.entries.length, one.more]).toEqual([1, true])
    directory.close()
  })

  test('a size limit of the directory does not truncate the list silently', async () => {
    const small = await startSlapd({ sizeLimit: 3 })
    small.change(['a', 'b', 'c', 'd', 'e'].map((uid) => person(uid)).join('\n'))
    const directory = await reader({ url: small.url })
    const { entries, more } = await directory.search(people())
    expect([entries.length, more]).toEqual([3, true])
    directory.close()
    await small.end()
  })

  test.each([
    ['an unknown authority', () => ({ url: slapd.url, startTls: true, ca: '' }), 'ldap-tls-untrusted'],
    ['an unknown authority, LDAPS', () => ({ url: slapd.tlsUrl, startTls: false, ca: '' }), 'ldap-tls-untrusted'],
    ['another name', () => ({ url: misnamed.url, startTls: true, ca }), 'ldap-tls-name'],
    ['another name, LDAPS', () => ({ url: misnamed.tlsUrl, startTls: false, ca }), 'ldap-tls-name'],
    ['an expired certificate', () => ({ url: expired.tlsUrl, startTls: false, ca }), 'ldap-tls-expired'],
    [
      'LDAPS at a port for LDAP',
      () => ({ url: slapd.url.replace('ldap:', 'ldaps:'), startTls: false, ca }),
      'ldap-tls-missing',
    ],
    [
      'LDAP at a port for LDAPS',
      () => ({ url: slapd.tlsUrl.replace('ldaps:', 'ldap:'), startTls: true, ca }),
      'ldap-closed',
    ],
  ])('%s is refused with its cause', async (_, target, key) => {
    await expect(ldap.open(target(), budget)).rejects.toEqual(fault(key))
  })

  test('the lab’s directory does not offer StartTLS', async () => {
    await expect(ldap.open({ url: 'ldap://127.0.0.1:13389', startTls: true, ca }, budget)).rejects.toEqual(
      fault('ldap-start-tls-unsupported'),
    )
  })

  test('a referral is not followed', async () => {
    const directory = await reader({ url: slapd.url })
    await expect(directory.search(people({ base: 'dc=elsewhere' }))).rejects.toEqual(fault('ldap-base-missing'))
    slapd.change(
      `dn: ou=branch,${slapd.base}\nobjectClass: referral\nobjectClass: extensibleObject\nou: branch\nref: ldap://127.0.0.1:1/ou=branch,${slapd.base}\n`,
    )
    await expect(directory.search(people({ base: `ou=branch,${slapd.base}` }))).rejects.toEqual(fault('ldap-referral'))
    const { references } = await directory.search(people({ base: slapd.base, limit: 5_000 }))
    expect(references).toBe(1)
    directory.close()
  })

  test('a directory that accepts and never answers costs its budget, and delays only its own users', async () => {
    await slapd.freeze()
    try {
      const hanging = Array.from({ length: 20 }, async () => {
        const directory = await ldap.open({ url: slapd.url, startTls: false, ca: '' }, { budget: 3_000 })
        await directory.bind(`cn=reader,${slapd.base}`, 'reader-secret').finally(() => directory.close())
      })
      const ended = Promise.race(hanging.map((one) => one.catch(() => 'ended')))
      const other = reader({ url: misnamed.url })
      expect(await Promise.race([other, ended])).not.toBe('ended')
      ;(await other).close()
      for (const result of await Promise.allSettled(hanging))
        expect(result).toMatchObject({ status: 'rejected', reason: { key: 'ldap-timeout' } })
    } finally {
      slapd.thaw()
    }
  })
})
