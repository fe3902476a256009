import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join as path } from 'node:path'
import { createServer } from 'node:tls'
import { namespaces } from '@gantry/contract/harbor/projects'
import { replications } from '@gantry/contract/harbor/replication'
import { harbors } from '@gantry/contract/harbor/servers'
import { registries } from '@gantry/contract/images/registries'
import { mask } from '@gantry/contract/validators'
import { afterAll, describe, expect, test } from 'vitest'
import { harborApp } from '../../../../test/harbor-app.ts'

const pem = (name: string) => readFileSync(path(import.meta.dirname, '../../../../test/certificates', name), 'utf8')
const authority = pem('ca.pem').trim()

describe('a Harbor with a certificate of a private CA', async () => {
  const { app, simulated, harbor, join, create, assign, settle, port } = await harborApp()
  /** The same Harbor behind that certificate. */
  const front = createServer({ cert: pem('server.pem'), key: pem('server-key.pem') }, (near) => {
    const { hostname, port } = new URL(simulated.url)
    const far = connect(Number(port), hostname)
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
    open.add(far)
  })
  const open = new Set<{ destroy: () => void }>()
  await once(front.listen(0, '127.0.0.1'), 'listening')
  afterAll(() => {
    front.close()
    for (const one of open) one.destroy()
  })
  const url = `https://127.0.0.1:${(front.address() as AddressInfo).port}`
  const untrusted = { key: 'outbound-tls-untrusted' }

  test('is joined and read with that CA, and refused without it', async () => {
    const before = await app.admin.call(harbors.list)
    await expect(join({ url })).rejects.toMatchObject(untrusted)
    await expect(join({ url, ca: pem('other.pem') })).rejects.toMatchObject(untrusted)
    await expect(join({ url, ca: 'no certificate' })).rejects.toMatchObject({ status: 400, key: 'registry-ca-invalid' })
    expect(await app.admin.call(harbors.list)).toEqual(before)

    const { id, name, ca, revision } = await join({ url, ca: authority })
    expect(ca).toBe(authority)
    expect(await app.admin.call(harbors.info, { params: { id } })).toMatchObject({ healthy: true })
    const given = { url, username: 'admin', password: mask }
    await app.admin.call(harbors.verify, { body: { ...given, id, ca } })
    await expect(app.admin.call(harbors.verify, { body: { ...given, id } })).rejects.toMatchObject(untrusted)
    const change = { params: { id }, body: { ...given, name, revision } }
    await expect(app.admin.call(harbors.update, change)).rejects.toMatchObject(untrusted)
    expect(await app.admin.call(harbors.get, { params: { id } })).toMatchObject({ ca, revision })
  })

  test('is a registry of its teams with the same CA, also after a change of it', async () => {
    const team = await app.team()
    const joined = await join({ url, ca: authority })
    const { projectId, name } = await create(undefined, joined.id)
    await simulated.push(`${name}/web`, '1.0')
    await assign(projectId, [team.id], joined.id)
    await settle()
    const { items } = await team.leader.call(namespaces.list, { params: { tenantId: team.id } })
    expect(items).toMatchObject([{ pull: 'ready' }])
    const registryOf = async () =>
      (await team.leader.call(registries.list, { params: { teamId: team.id } })).find(
        ({ harborId }) => harborId !== null,
      )
    const registry = await registryOf()
    expect(registry?.ca).toBe(authority)
    const both = `${authority}\n${pem('other.pem').trim()}`
    const body = { name: joined.name, url, username: 'admin', password: mask, ca: both }
    await app.admin.call(harbors.update, { params: { id: joined.id }, body })
    expect(await registryOf()).toMatchObject({ id: registry?.id, ca: both })
    await settle()
    expect(await registryOf()).toMatchObject({ id: registry?.id, ca: both })
  })

  test('is trusted by a Harbor that copies to it', async () => {
    const team = await app.team()
    const target = await join({ url, ca: authority })
    const [from, into] = [await create(), await create(undefined, target.id)]
    await assign(from.projectId, [team.id])
    await assign(into.projectId, [team.id], target.id)
    await simulated.push(`${from.name}/web`, '1.0')
    const authorities: unknown[] = []
    const { addTarget } = port
    port.addTarget = (access, other) => {
      authorities.push(other.ca)
      return addTarget(access, other)
    }
    await team.leader.call(replications.start, {
      params: { id: harbor.id },
      body: {
        images: [{ repo: `${from.name}/web`, tag: '1.0' }],
        target: { harborId: target.id, projectId: into.projectId },
      },
    })
    expect(authorities).toEqual([authority])
  })
})
