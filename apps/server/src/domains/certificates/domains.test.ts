import { readFileSync } from 'node:fs'
import { certificates } from '@gantry/contract/certificates/certificates'
import { domains } from '@gantry/contract/certificates/domains'
import { search } from '@gantry/contract/search/search'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { beforeAll, describe, expect, test } from 'vitest'
import { certificates as pairs } from '../../../test/certificates.ts'
import { sandboxApp } from '../../../test/sandbox-app.ts'
import { refusalOf } from '../../../test/test-app.ts'

const { app, newEnvironment } = await sandboxApp()

type Team = Awaited<ReturnType<typeof app.team>>
let team: Team
let other: Team
let envId = ''
let certificateId = 0
beforeAll(async () => {
  const [{ certificate, key: privateKey }] = pairs
  team = await app.team()
  other = await app.team()
  envId = (await newEnvironment('sandbox', team, other)).uuid
  const added = await app.admin.call(certificates.create, { body: { name: 'of all', certificate, privateKey } })
  certificateId = added.id
  for (const { id: teamId } of [team, other])
    await app.admin.call(certificates.allocate, { params: { certificateId, teamId } })
})

const add = (domain: string, teamId: number | null = null) =>
  app.admin.call(domains.create, { params: { certificateId }, body: { domain, teamId } })
const give = (domain: string, teamId: number) => app.admin.call(domains.give, { params: { teamId }, body: { domain } })
const remove = (id: number) => app.admin.call(domains.remove, { params: { id } })

let made = 0
/** Creates a load balancer of a team that serves a host, in a stack of its own. */
async function serve(of: Team, host: string) {
  const params = { teamId: of.id }
  const stack = await of.leader.call(stacks.create, { params, body: { name: `stack-${++made}`, envId } })
  const on = (serviceName: string) => ({ params: { ...params, stackId: stack.id, serviceName } })
  await of.leader.call(services.create, {
    ...on('web'),
    body: { image: 'registry.example.test/web:1', ports: [{ port: 8080 }] },
  })
  const rules = [{ name: 'web', port: 80, host, targets: [{ service: 'web', port: 8080 }] }]
  await of.leader.call(services.create, { ...on('lb'), body: { outward: { type: 'lb', rules } } })
  return `${of.name}: ${stack.name}/lb`
}

describe('a domain has one canonical form', () => {
  test.each([
    ['Upper.EXAMPLE.com', 'upper.example.com'],
    ['dotted.example.com.', 'dotted.example.com'],
    ['bücher.example.com', 'xn--bcher-kva.example.com'],
    ['  spaced.example.com ', 'spaced.example.com'],
    ['ｗｉｄｅ.example.com', 'wide.example.com'],
  ])('%s', async (given, domain) => {
    const { id } = await add(given)
    expect(await app.admin.call(domains.check, { body: { domain: given } })).toMatchObject({ domain, free: false })
    expect(await refusalOf(add(domain))).toMatchObject({ status: 409, key: 'domains-taken' })
    const { items } = await app.admin.call(domains.ofCertificate, {
      params: { certificateId },
      query: { keyword: domain },
    })
    expect(items).toMatchObject([{ id, domain, certificateName: 'of all', teamId: null }])
    await remove(id)
  })

  test.each([
    '*.',
    '*',
    '*.com',
    '.example.com',
    'a..example.com',
    'a b.example.com',
    '*.*.example.com',
    '10.0.0.1',
    'a/b.example.com',
    'shop.example.com..',
    '-a.example.com',
    'a.*.example.com',
  ])('%s is no domain', async (given) => {
    expect(await refusalOf(add(given))).toMatchObject({ status: 400, key: 'domains-format' })
  })

  test('a domain that the certificate does not cover is refused', async () => {
    for (const domain of ['example.com', 'a.b.example.com', '*.b.example.com', 'shop.example.org'])
      expect(await refusalOf(add(domain))).toMatchObject({ status: 400, key: 'domains-not-covered' })
  })
})

describe('a domain belongs to one team', () => {
  test('once it is given to a team, another team does not get it', async () => {
    const { id, domain } = await add('given.example.com')
    expect(await give('GIVEN.example.com.', team.id)).toMatchObject({ teamId: team.id, teamName: team.name })
    expect(await give(domain, team.id)).toMatchObject({ teamId: team.id })
    expect(await refusalOf(give(domain, other.id))).toMatchObject({ status: 409, key: 'domains-of-team' })
    expect(await refusalOf(add(domain, other.id))).toMatchObject({ status: 409, key: 'domains-of-team' })
    const ofTeam = await team.leader.call(domains.ofTeam, { params: { teamId: team.id } })
    expect(ofTeam.items.map((one) => one.domain)).toContain(domain)
    expect((await other.leader.call(domains.ofTeam, { params: { teamId: other.id } })).items).toEqual([])
    const found = await app.admin.call(search.find, { query: { keyword: domain } })
    expect(found.items).toMatchObject([{ kind: 'domain', name: domain, place: { id, certificateId } }])
    await remove(id)
    expect(await refusalOf(give(domain, other.id))).toMatchObject({ status: 409, key: 'domains-unknown' })
  })

  test('that may use its certificate', async () => {
    const third = await app.team()
    expect(await refusalOf(add('third.example.com', third.id))).toMatchObject({
      status: 409,
      key: 'domains-not-allocated',
    })
    const { id } = await add('kept.example.com', team.id)
    const params = { certificateId, teamId: team.id }
    expect(await refusalOf(app.admin.call(certificates.withdraw, { params }))).toMatchObject({
      status: 409,
      key: 'certificates-team-has-domain',
    })
    await remove(id)
  })

  test('only one of two who add it concurrently', async () => {
    const both = await Promise.allSettled([add('race.example.com', team.id), add('race.example.com', other.id)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('the hosts of a domain', () => {
  test('are served only by its owner, and a domain takes precedence over the wildcard above it', async () => {
    const all = await add('*.gantry.test', team.id)
    const own = await add('own.gantry.test', other.id)
    expect(await refusalOf(serve(other, 'shop.gantry.test'))).toMatchObject({ status: 409, key: 'domains-elsewhere' })
    expect(await refusalOf(serve(other, '*.gantry.test'))).toMatchObject({ status: 409, key: 'domains-elsewhere' })
    expect(await refusalOf(serve(team, 'own.gantry.test'))).toMatchObject({ status: 409, key: 'domains-elsewhere' })
    await serve(team, 'shop.gantry.test')
    await serve(other, 'own.gantry.test')
    await serve(other, 'deep.shop.gantry.test')
    const { items } = await app.admin.call(domains.ofCertificate, {
      params: { certificateId },
      query: { keyword: 'gantry.test' },
    })
    expect(items.map(({ domain, ways }) => [domain, ways])).toEqual([
      [all.domain, 1],
      [own.domain, 1],
    ])
  })

  test('a wildcard host is refused if it covers another team’s domain', async () => {
    const { id } = await add('taken.example.com', other.id)
    expect(await refusalOf(serve(team, '*.example.com'))).toMatchObject({ status: 409, key: 'domains-elsewhere' })
    await remove(id)
  })

  test('keep the domain and its certificate from being deleted, and the refusal names the service', async () => {
    const { id } = await add('busy.example.com', team.id)
    const holder = await serve(team, 'busy.example.com')
    const refusal = await refusalOf(remove(id))
    expect(refusal).toMatchObject({ status: 409, key: 'domains-in-use' })
    expect(refusal.message).toContain(holder)
    const ofCertificate = await refusalOf(app.admin.call(certificates.remove, { params: { certificateId } }))
    expect(ofCertificate).toMatchObject({ status: 409, key: 'domains-in-use' })
  })

  test('served by another team keep a team from getting the domain', async () => {
    const holder = await serve(other, 'early.example.com')
    const refusal = await refusalOf(add('early.example.com', team.id))
    expect(refusal).toMatchObject({ status: 409, key: 'domains-used-by-others' })
    expect(refusal.message).toContain(holder)
    expect(await add('early.example.com', other.id)).toMatchObject({ ways: 1 })
  })
})

test('a certificate is not replaced by one that does not cover all its domains', async () => {
  const folder = new URL('../../../test/certificates/', import.meta.url)
  const pem = (name: string) => readFileSync(new URL(name, folder), 'utf8')
  await add('left.example.com', team.id)
  const body = { name: 'of all', certificate: pem('server.pem'), privateKey: pem('server-key.pem') }
  expect(await refusalOf(app.admin.call(certificates.renew, { params: { certificateId }, body }))).toMatchObject({
    status: 409,
    key: 'certificates-domain-lost',
  })
})
