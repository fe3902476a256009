import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { platformRegistries } from '@gantry/contract/images/platform-registries'
import { registries } from '@gantry/contract/images/registries'
import { afterAll, describe, expect, test } from 'vitest'
import { createOutbound } from '../../adapters/outbound/outbound.ts'
import { createRegistry } from '../../adapters/registry/registry.ts'
import { testApp } from '../../../test/test-app.ts'

const pem = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/certificates', name), 'utf8')

describe('a registry with a certificate of a private CA', async () => {
  const server = createServer({ cert: pem('server.pem'), key: pem('server-key.pem') }, (request, response) =>
    response.end(request.url?.startsWith('/v2/web/tags/list') === true ? '{"name":"web","tags":["1.0"]}' : '{}'),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  const app = await testApp({ ports: { outbound, registry: createRegistry(outbound) } })
  afterAll(async () => {
    await outbound.close()
    server.closeAllConnections()
    server.close()
  })

  test('is saved and read with that CA, and refused without it', async () => {
    const team = await app.team()
    const params = { teamId: team.id }
    const create = (ca: string) => app.admin.call(registries.create, { params, body: { name: 'own', url, ca } })
    await expect(create('')).rejects.toMatchObject({ key: 'outbound-tls-untrusted' })
    await expect(create(pem('other.pem'))).rejects.toMatchObject({ key: 'outbound-tls-untrusted' })
    expect(await team.leader.call(registries.list, { params })).toEqual([])
    const { id, ca } = await create(pem('ca.pem'))
    expect(ca).toBe(pem('ca.pem').trim())
    const tags = { params: { ...params, registryId: id }, query: { repo: 'web' } }
    expect((await team.leader.call(registries.tags, tags)).items).toMatchObject([{ name: '1.0' }])

    const change = (ca: string) =>
      app.admin.call(registries.update, { params: tags.params, body: { name: 'own', url, ca } })
    await expect(change('')).rejects.toMatchObject({ key: 'outbound-tls-untrusted' })
    expect(await team.leader.call(registries.list, { params })).toMatchObject([{ id, ca }])
    await app.admin.call(registries.verify, { body: { id, url, ca } })
    await expect(app.admin.call(registries.verify, { body: { id, url } })).rejects.toMatchObject({
      key: 'outbound-tls-untrusted',
    })
  })

  test('may belong to the platform too', async () => {
    const body = { name: 'own of the platform', url }
    const untrusted = { key: 'outbound-tls-untrusted' }
    await expect(app.admin.call(platformRegistries.create, { body })).rejects.toMatchObject(untrusted)
    const made = await app.admin.call(platformRegistries.create, { body: { ...body, ca: pem('ca.pem') } })
    expect(made.ca).toBe(pem('ca.pem').trim())
  })

  test.each(['no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
    'an invalid certificate is refused: %s',
    async (ca) => {
      const team = await app.team()
      const params = { teamId: team.id }
      const refused = { status: 400, key: 'registry-ca-invalid' }
      await expect(
        team.leader.call(registries.create, { params, body: { name: 'own', url, ca } }),
      ).rejects.toMatchObject(refused)
      await expect(team.leader.call(registries.verify, { body: { url, ca } })).rejects.toMatchObject(refused)
      expect(await team.leader.call(registries.list, { params })).toEqual([])
    },
  )
})
