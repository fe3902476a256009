import { readFileSync } from 'node:fs'
import { certificates } from '@gantry/contract/certificates/certificates'
import type { OutwardInput } from '@gantry/contract/stacks/outward'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, expect, test } from 'vitest'
import * as kinds from '../../../adapters/kube/resources.ts'
import { certificates as pairs } from '../../../../test/certificates.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { refusalOf, Refused } from '../../../../test/test-app.ts'

/** Hosts that are served with a certificate of the platform. */
const { app, direct, newEnvironment } = await sandboxApp()

type Team = Awaited<ReturnType<typeof app.team>>
const [first, second] = pairs
const bodyOf = (name: string, { certificate, key: privateKey }: { certificate: string; key: string }) => ({
  name,
  certificate,
  privateKey,
})
let team: Team
let other: Team
let envId = ''
beforeAll(async () => {
  team = await app.team()
  other = await app.team()
  envId = (await newEnvironment('sandbox', team, other)).uuid
})

let made = 0
/** A certificate of the team, and a stack with a service that receives requests. */
async function begin() {
  const name = `certified-${++made}`
  const { id: certificateId } = await app.admin.call(certificates.create, { body: bodyOf(name, first) })
  const allocation = { params: { certificateId, teamId: team.id } }
  await app.admin.call(certificates.allocate, allocation)
  const created = await team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name, envId } })
  const params = { teamId: team.id, stackId: created.id }
  await team.leader.call(services.create, {
    params: { ...params, serviceName: 'web' },
    body: { image: 'registry.example.test/web:1', ports: [{ port: 8080 }] },
  })
  const host = `${name}.example.com`
  const add = (outward: OutwardInput, serviceName = 'out') =>
    team.leader.call(services.create, { params: { ...params, serviceName }, body: { outward } })
  const namespace = `${team.name}-${name}`
  const served = async () => {
    const secret = await direct.find(kinds.secrets, { namespace, name: `out.tls.${host}` })
    return Buffer.from(secret?.data?.['tls.key'] ?? '', 'base64').toString()
  }
  return { name, certificateId, allocation, host, add, served, one: { params: { certificateId } } }
}

const balanced = (host: string, certificateId: number): OutwardInput => ({
  type: 'lb',
  rules: [{ name: 'web', protocol: 'HTTPS', port: 443, host, targets: [{ service: 'web', port: 8080 }] }],
  certificates: [{ host, certificateId }],
})

const settled = (id: number, wanted = 'stable') =>
  eventually(
    async () => {
      await app.reconcile()
      return team.leader.call(services.get, { params: { teamId: team.id, envId, id } })
    },
    (service) => service.state === wanted,
  )

const line = (key: string) => key.split('\n')[1] ?? ''

test('a host is served with a certificate of the team, whose key is in the cluster and in no answer', async () => {
  const { host, certificateId, add, served, one } = await begin()
  const { id } = await add(balanced(host, certificateId))
  const service = await settled(id)
  expect(await served()).toContain(line(first.key))
  expect(service.spec.outward).toMatchObject({ certificates: [{ host, certificateId, certificate: '', key: '' }] })
  expect(JSON.stringify(service)).not.toContain(line(first.key))
  expect(await app.admin.call(certificates.get, one)).toMatchObject({ services: 1 })
})

test('a renewed certificate reaches the services that use it', async () => {
  const { name, host, certificateId, add, served, one } = await begin()
  const { id } = await add({
    type: 'ingress',
    group: 'sandbox',
    hosts: [{ host, tls: { certificateId }, paths: [{ service: 'web', port: 8080 }] }],
  })
  await settled(id)
  expect(await served()).toContain(line(first.key))
  await app.admin.call(certificates.renew, { ...one, body: bodyOf(name, second) })
  await settled(id)
  expect(await served()).toContain(line(second.key))
})

test('a certificate in use cannot be deleted, taken from the team, or replaced by one for other hosts', async () => {
  const { name, host, certificateId, allocation, add, one } = await begin()
  const { id } = await add(balanced(host, certificateId))
  await settled(id)
  const removal = await refusalOf(app.admin.call(certificates.remove, one))
  expect(removal).toMatchObject({ status: 409, key: 'certificates-in-use' })
  expect(removal.message).toContain(`${team.name}: ${name}/out`)
  expect(await refusalOf(app.admin.call(certificates.withdraw, allocation))).toMatchObject({
    status: 409,
    key: 'certificates-in-use',
  })
  const pem = (file: string) => readFileSync(new URL(`../../../../test/certificates/${file}`, import.meta.url), 'utf8')
  const elsewhere = { name, certificate: pem('server.pem'), privateKey: pem('server-key.pem') }
  expect(await refusalOf(app.admin.call(certificates.renew, { ...one, body: elsewhere }))).toMatchObject({
    status: 409,
    key: 'certificates-host-lost',
  })
  const params = { teamId: team.id, envId, idAndType: `${id}_lb` }
  await team.leader.call(services.remove, { params, query: { confirm: 'out' } })
  await eventually(async () => {
    await app.reconcile()
    expect(await app.admin.call(certificates.get, one)).toMatchObject({ services: 0 })
  })
  await app.admin.call(certificates.remove, one)
})

test('if a certificate is renewed while a service begins to use it, the service gets the new one or one call is refused', async () => {
  const pem = (file: string) => readFileSync(new URL(`../../../../test/certificates/${file}`, import.meta.url), 'utf8')
  for (let round = 0; round < 5; round++) {
    const { name, host, certificateId, add, one } = await begin()
    const elsewhere = { name, certificate: pem('server.pem'), privateKey: pem('server-key.pem') }
    const [renewal, use] = await Promise.all(
      [app.admin.call(certificates.renew, { ...one, body: elsewhere }), add(balanced(host, certificateId))].map(
        (call) =>
          call.then(
            () => '',
            (error: unknown) => (error instanceof Refused ? error.key : String(error)),
          ),
      ),
    )
    if (renewal === '') expect(use).toBe('certificates-host-other')
    else
      expect([['certificates-host-lost', 'certificates-used-meanwhile'], use]).toEqual([
        expect.arrayContaining([renewal]),
        '',
      ])
  }
})

test('another team’s certificate, one for another host, and one together with an entered certificate are refused', async () => {
  const { certificateId, host, add, one } = await begin()
  const { id: foreign } = await app.admin.call(certificates.create, { body: bodyOf(`of other ${made}`, first) })
  await app.admin.call(certificates.allocate, { params: { certificateId: foreign, teamId: other.id } })
  for (const id of [foreign, 2_000_000_000])
    expect(await refusalOf(add(balanced(host, id)))).toMatchObject({ status: 409, key: 'certificates-not-allocated' })
  expect(await refusalOf(add(balanced('shop.example.org', certificateId)))).toMatchObject({
    status: 400,
    key: 'certificates-host-other',
  })
  const both = { ...balanced(host, certificateId), certificates: [{ host, certificateId, ...first }] }
  expect((await refusalOf(add(both as OutwardInput))).problems).toMatchObject([
    { key: 'certificate-one-of' },
    { key: 'certificate-one-of' },
  ])
  expect(await app.admin.call(certificates.get, one)).toMatchObject({ services: 0 })
})
