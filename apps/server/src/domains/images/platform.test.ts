import { platformRegistries } from '@gantry/contract/images/platform-registries'
import { registries } from '@gantry/contract/images/registries'
import { search } from '@gantry/contract/search/search'
import { mask } from '@gantry/contract/validators'
import { expect, test } from 'vitest'
import type { Registry } from '../../adapters/registry/registry.ts'
import { testPipeline } from '../../../test/build-agent.ts'
import { fakePorts } from '../../../test/fake-ports.ts'
import { testApp } from '../../../test/test-app.ts'
import { jsonb } from '../../db/json.ts'
import { Fault } from '../../kernel/fault.ts'
import { putSandbox } from './registries.store.ts'

/** The passwords with which the product logged in to the registry. */
const passwords: string[] = []
const port: Registry = {
  ...fakePorts().registry,
  verify: async ({ password = '' }) => {
    if (password === 'wrong') throw new Fault('invalid', 'registry-wrong-password', { host: 'registry.example.test' })
    passwords.push(password)
  },
}
const app = await testApp({ ports: { registry: port } })
let made = 0

const create = async (password = 'secret') =>
  app.admin.call(platformRegistries.create, {
    body: { name: `shared ${++made}`, url: 'https://registry.example.test', username: 'ann', password },
  })
const named = async (team: Awaited<ReturnType<typeof app.team>>) =>
  (await team.leader.call(registries.list, { params: { teamId: team.id } })).map(({ name }) => name)

test('only teams that a platform registry is assigned to can use it', async () => {
  const [team, other] = [await app.team(), await app.team()]
  const { id, name } = await create()
  const params = { id, teamId: team.id }
  expect(await named(team)).not.toContain(name)
  expect(await app.admin.call(platformRegistries.assigned, { params })).toBe(false)

  const assigned = await app.admin.call(platformRegistries.assign, { params })
  expect(assigned.teams).toMatchObject([{ id: team.id }])
  await app.admin.call(platformRegistries.assign, { params })
  expect(await app.admin.call(platformRegistries.assigned, { params })).toBe(true)
  expect(await named(team)).toContain(name)
  expect(await named(other)).not.toContain(name)
  const repositories = (by: typeof team) =>
    by.leader.call(registries.repositories, { params: { teamId: by.id, registryId: id } })
  await expect(repositories(other)).rejects.toMatchObject({ status: 404, key: 'resource-missing' })

  const withdrawn = await app.admin.call(platformRegistries.withdraw, { params })
  expect(withdrawn.teams).toEqual([])
  expect(await named(team)).not.toContain(name)
  await expect(app.admin.call(platformRegistries.withdraw, { params })).rejects.toMatchObject({ status: 404 })
})

test('the search finds a platform registry only for teams that it is assigned to', async () => {
  const [team, other] = [await app.team(), await app.team()]
  const { id, name } = await create()
  await app.admin.call(platformRegistries.assign, { params: { id, teamId: team.id } })
  const found = async (by: typeof team) =>
    (await by.leader.call(search.find, { query: { keyword: name } })).items.filter(({ kind }) => kind === 'registry')
  expect(await found(team)).toMatchObject([{ name, team: { id: team.id } }])
  expect(await found(other)).toEqual([])
})

test('a team cannot change a platform registry', async () => {
  const team = await app.team()
  const { id, name } = await create()
  await app.admin.call(platformRegistries.assign, { params: { id, teamId: team.id } })
  const params = { teamId: team.id, registryId: id }
  const refused = { status: 403, key: 'images-registry-shared' }
  const body = { name: 'ours', url: 'https://elsewhere.example.test' }
  await expect(team.leader.call(registries.update, { params, body })).rejects.toMatchObject(refused)
  await expect(team.leader.call(registries.remove, { params })).rejects.toMatchObject(refused)
  await expect(
    team.leader.call(registries.verify, { body: { id, url: 'https://registry.example.test', password: mask } }),
  ).rejects.toMatchObject({ status: 404 })
  expect(await named(team)).toContain(name)
})

test('a registry that cannot be reached or refuses the login is not saved, and a stored password is sent to no other host', async () => {
  const before = await app.admin.call(platformRegistries.list)
  await expect(create('wrong')).rejects.toMatchObject({ key: 'registry-wrong-password' })
  expect(await app.admin.call(platformRegistries.list)).toEqual(before)

  const { id, name, url, username, password } = await create('secret')
  expect(password).toBe(mask)
  const verify = (url: string) => app.admin.call(registries.verify, { body: { id, url, username, password: mask } })
  const update = (url: string) =>
    app.admin.call(platformRegistries.update, { params: { id }, body: { name, url, username, password: mask } })
  passwords.length = 0
  await verify(url)
  await update(url)
  await verify('https://elsewhere.example.test')
  await update('https://elsewhere.example.test')
  expect(passwords).toEqual(['secret', 'secret', '', ''])
})

test('a platform registry that a pipeline uses can neither be withdrawn from its team nor removed', async () => {
  const [team, other] = [await app.team(), await app.team()]
  const { id } = await create()
  for (const teamId of [team.id, other.id]) await app.admin.call(platformRegistries.assign, { params: { id, teamId } })
  const { id: pipelineId } = await testPipeline(app, team)
  const definition = jsonb({ stages: [{ jobs: [{ steps: [{ type: 'image', registryId: id }] }] }] })
  await app.db.updateTable('pipeline').set({ definition }).where('id', '=', pipelineId).execute()

  const withdraw = (teamId: number) => app.admin.call(platformRegistries.withdraw, { params: { id, teamId } })
  const refused = { status: 409, key: 'images-registry-in-use' }
  await expect(withdraw(team.id)).rejects.toMatchObject(refused)
  await expect(app.admin.call(platformRegistries.remove, { params: { id } })).rejects.toMatchObject(refused)
  expect((await withdraw(other.id)).teams).toMatchObject([{ id: team.id }])
  await app.db.deleteFrom('pipeline').where('id', '=', pipelineId).execute()
  await app.admin.call(platformRegistries.remove, { params: { id } })
  expect(await named(team)).toEqual([])
})

test('calls for platform registries find no registries of teams and no unknown teams, and cannot change the simulated one', async () => {
  const team = await app.team()
  const body = { name: 'own', url: 'https://registry.example.test' }
  const own = await team.leader.call(registries.create, { params: { teamId: team.id }, body })
  const { id } = await create()
  const none = 2_000_000_000
  const missing = { status: 404, key: 'resource-missing' }
  for (const params of [{ id: own.id }, { id: none }]) {
    await expect(app.admin.call(platformRegistries.update, { params, body })).rejects.toMatchObject(missing)
    await expect(app.admin.call(platformRegistries.remove, { params })).rejects.toMatchObject(missing)
  }
  await expect(
    app.admin.call(platformRegistries.assign, { params: { id: own.id, teamId: team.id } }),
  ).rejects.toMatchObject(missing)
  await expect(app.admin.call(platformRegistries.assign, { params: { id, teamId: none } })).rejects.toMatchObject(
    missing,
  )
  await expect(team.leader.call(platformRegistries.list)).rejects.toMatchObject({ status: 403 })

  await putSandbox(app.db, 'http://127.0.0.1:1')
  const simulated = (await app.admin.call(platformRegistries.list)).find(({ sandbox }) => sandbox)?.id ?? 0
  await expect(app.admin.call(platformRegistries.remove, { params: { id: simulated } })).rejects.toMatchObject({
    status: 409,
    key: 'images-registry-simulated',
  })
})
