import { harborProjects } from '@gantry/contract/harbor/projects'
import { harbors } from '@gantry/contract/harbor/servers'
import { search } from '@gantry/contract/search/search'
import { mask } from '@gantry/contract/validators'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { harborApp } from '../../../../test/harbor-app.ts'
import { Fault } from '../../../kernel/fault.ts'

/** The passwords with which the product logged in to Harbors. */
const passwords: string[] = []
const { app, simulated, port, harbor, body, join, create, assign } = await harborApp()
const { url, access } = simulated
const { verify } = port
port.verify = (given, signal) => {
  passwords.push(given.password)
  return verify(given, signal)
}

test('a Harbor is saved only after a login, and its password is never shown', async () => {
  const made = await join()
  expect(made).toMatchObject({ url, username: 'admin', password: mask, isDefault: false, teams: [], revision: 1 })
  expect(made.version).toMatch(/^2\.\d+/)
  expect(await app.admin.call(harbors.get, { params: { id: made.id } })).toEqual(made)
  const stored = await app.db.selectFrom('harbor').select('password').where('id', '=', made.id).executeTakeFirst()
  expect(stored?.password).not.toContain(access.password)
})

test('a Harbor that cannot be reached, is no Harbor, or refuses the account is not saved', async () => {
  const before = await app.admin.call(harbors.list)
  const other = createServer((_, response) => response.end('{"hello":"world"}')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port: elsewhere } = other.address() as AddressInfo
  const refused: [more: object, key: string][] = [
    [{ password: 'wrong' }, 'harbor-credentials'],
    [{ url: 'http://127.0.0.1:1' }, 'outbound-unreachable'],
    [{ url: `http://127.0.0.1:${elsewhere}` }, 'harbor-not-one'],
    [{ url: 'http://169.254.169.254' }, 'outbound-refused'],
    [{ name: harbor.name }, 'harbor-name-taken'],
  ]
  for (const [more, key] of refused) await expect(join(more)).rejects.toMatchObject({ key })
  other.close()
  expect(await app.admin.call(harbors.list)).toEqual(before)
})

test('a masked password is kept and used only if the host is the same', async () => {
  const { id, name, revision } = await join()
  passwords.length = 0
  const given = { name, url, username: 'admin', password: mask }
  await app.admin.call(harbors.verify, { body: { ...given, id } })
  const changed = await app.admin.call(harbors.update, { params: { id }, body: { ...given, revision } })
  expect(changed.revision).toBe(revision + 1)
  const moved = { ...given, url: 'http://127.0.0.1:1' }
  await expect(app.admin.call(harbors.verify, { body: { ...moved, id } })).rejects.toMatchObject({ status: 502 })
  await expect(app.admin.call(harbors.update, { params: { id }, body: moved })).rejects.toMatchObject({ status: 502 })
  expect(passwords).toEqual([access.password, access.password, '', ''])
})

test('a change based on an outdated revision is refused', async () => {
  const { id, name } = await join()
  const change = (revision: number) =>
    app.admin.call(harbors.update, { params: { id }, body: { ...body({ name }), revision } })
  await change(1)
  await expect(change(1)).rejects.toMatchObject({ status: 409, key: 'harbor-changed' })
})

test('at most one Harbor is the default, and it is listed first', async () => {
  const [one, two] = [await join(), await join()]
  for (const { id } of [one, two]) await app.admin.call(harbors.makeDefault, { params: { id } })
  const list = await app.admin.call(harbors.list)
  expect(list.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([two.id])
  expect(list[0]?.id).toBe(two.id)
})

test('a Harbor with projects of teams cannot be removed', async () => {
  const team = await app.team()
  const { id } = await join()
  const { projectId } = await create(undefined, id)
  await assign(projectId, [team.id], id)
  const remove = () => app.admin.call(harbors.remove, { params: { id } })
  await expect(remove()).rejects.toMatchObject({ status: 409, key: 'harbor-in-use' })
  await assign(projectId, [], id)
  await remove()
  await expect(app.admin.call(harbors.get, { params: { id } })).rejects.toMatchObject({ status: 404 })
})

test('the details of a Harbor are read from it', async () => {
  await create()
  const info = await app.admin.call(harbors.info, { params: { id: harbor.id } })
  expect(info).toMatchObject({ healthy: true, supported: true, readOnly: false })
  expect(info.projects).toBeGreaterThan(0)
  expect(info.storage?.total).toBeGreaterThan(info.storage?.free ?? 0)
  expect(await app.admin.call(harbors.versions)).toContain(info.version.split('.').slice(0, 2).join('.'))
})

test('only administrators see Harbors, also in the search', async () => {
  const team = await app.team()
  await expect(team.leader.call(harbors.list)).rejects.toMatchObject({ status: 403 })
  const found = async (by: typeof app.admin) =>
    (await by.call(search.find, { query: { keyword: harbor.name } })).items.filter(({ kind }) => kind === 'harbor')
  expect((await found(app.admin))[0]).toMatchObject({ name: harbor.name, place: { id: harbor.id } })
  expect(await found(team.leader)).toEqual([])
})

test('a Harbor that does not answer fails its own page but not the list', async () => {
  const list = port.projects
  port.projects = () =>
    Promise.reject(new Fault('unavailable', 'outbound-timeout', { host: 'harbor.test', seconds: 5 }))
  await expect(app.admin.call(harborProjects.list, { params: { id: harbor.id }, query: {} })).rejects.toMatchObject({
    status: 503,
    key: 'outbound-timeout',
  })
  port.projects = list
  expect(await app.admin.call(harbors.list)).not.toEqual([])
})
