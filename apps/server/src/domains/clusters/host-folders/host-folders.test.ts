import { hostFolders } from '@gantry/contract/clusters/host-folders'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { refusalOf } from '../../../../test/test-app.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { jsonb } from '../../../db/json.ts'
import { folderClaimName, folderVolumeName } from './folder-objects.ts'

const { app, direct, gateway, newEnvironment } = await sandboxApp()
let env = ''
let team: Awaited<ReturnType<typeof app.team>>
let other: Awaited<ReturnType<typeof app.team>>
beforeAll(async () => {
  team = await app.team()
  other = await app.team()
  env = (await newEnvironment('one', team, other)).uuid
})

const open = (path: string, more: { teamId?: number; readOnly?: boolean } = {}) =>
  app.admin.call(hostFolders.open, { params: { env }, body: { path, teamId: team.id, ...more } })
const close = (id: number) => app.admin.call(hostFolders.close, { params: { env, id } })

let made = 0
async function newStack(of = team) {
  const body = { name: `stack-${++made}`, envId: env }
  const { id } = await of.leader.call(stacks.create, { params: { teamId: of.id }, body })
  return of.leader.call(stacks.get, { params: { teamId: of.id, envId: env, stackId: id } })
}
const add = (stackId: number, folder: string, { readOnly = true, of = team, serviceName = 'web' } = {}) =>
  of.leader.call(services.create, {
    params: { teamId: of.id, stackId, serviceName },
    body: {
      image: 'registry.example.test/web:1',
      resources: { cpu: '0.1', memory: '32Mi' },
      volumes: [{ name: 'media', path: '/media', type: 'host', folder, readOnly }],
    },
  })
const reconciled = <T>(look: () => Promise<T>, isThere: (seen: T) => boolean) =>
  eventually(
    async () => {
      await app.reconcile()
      return look()
    },
    isThere,
    { ms: 30_000 },
  )

test('a folder open to the team is a volume of its services, and is removed with the stack', async () => {
  await open('/srv/media/', { readOnly: true })
  expect(await team.leader.call(hostFolders.ofTeam, { params: { teamId: team.id, env } })).toEqual([
    { path: '/srv/media', readOnly: true },
  ])
  const stack = await newStack()
  const { namespace } = stack
  const { id } = await add(stack.id, '/srv/media')
  await add(stack.id, '/srv/media', { serviceName: 'also' })
  await reconciled(
    () => team.leader.call(services.get, { params: { teamId: team.id, envId: env, id } }),
    ({ state }) => state === 'stable',
  )
  const volume = { name: folderVolumeName(namespace, '/srv/media') }
  const { spec } = await direct.get(kinds.persistentVolumes, volume)
  expect(spec).toMatchObject({ hostPath: { path: '/srv/media', type: 'Directory' }, claimRef: { namespace } })
  const { items } = await direct.list(kinds.pods, { namespace })
  expect(items[0]?.spec?.volumes).toContainEqual({
    name: 'media',
    persistentVolumeClaim: { claimName: folderClaimName('/srv/media'), readOnly: true },
  })

  const [folder] = await app.admin.call(hostFolders.list, { params: { env } })
  expect(folder?.services).toEqual([`${stack.name}/also`, `${stack.name}/web`])
  expect(await refusalOf(close(folder?.id ?? 0))).toMatchObject({ status: 409, key: 'host-folder-in-use' })

  const params = { teamId: team.id, envId: env, stackId: stack.id }
  await team.leader.call(stacks.remove, { params, query: { confirm: stack.name } })
  await reconciled(
    () => direct.find(kinds.persistentVolumes, volume),
    (found) => found === undefined,
  )
  await close(folder?.id ?? 0)
  expect(await refusalOf(add((await newStack()).id, '/srv/media'))).toMatchObject({ key: 'host-folder-closed' })
})

describe('these folders are refused:', () => {
  test('closed ones, another team’s, those below an open one, and a read-only one for writing', async () => {
    await open('/srv/theirs', { teamId: other.id })
    await open('/srv/read')
    const { id } = await newStack()
    for (const folder of ['/etc', '/srv/theirs', '/srv/read/below', '/srv/read/.'])
      expect(await refusalOf(add(id, folder))).toMatchObject({ status: 409, key: 'host-folder-closed' })
    expect(await refusalOf(add(id, '/srv/read', { readOnly: false }))).toMatchObject({ key: 'host-folder-read-only' })
    for (const folder of ['/', '/srv/../etc', 'srv'])
      expect(await refusalOf(add(id, folder))).toMatchObject({ status: 400 })
    expect((await team.leader.call(stacks.get, { params: { teamId: team.id, envId: env, stackId: id } })).name).toBe(
      `stack-${made}`,
    )
  })

  test('those inside or around an open one, and those already open to the team', async () => {
    await open('/data/shared', { teamId: other.id, readOnly: false })
    for (const path of ['/data', '/data/shared/inner'])
      expect(await refusalOf(open(path))).toMatchObject({ status: 409, key: 'host-folder-nested' })
    expect(await refusalOf(open('/data/./shared', { teamId: other.id }))).toMatchObject({ key: 'host-folder-open' })
    // two teams may have the same folder
    await open('/data/shared')
  })

  test('those opened by a user who is not an administrator', async () => {
    const call = team.leader.call(hostFolders.open, { params: { env }, body: { path: '/srv/own', teamId: team.id } })
    expect(await refusalOf(call)).toMatchObject({ status: 403 })
  })
})

test('if a service begins to use a folder while it is closed, one of the two is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await open(`/race/${round}`)
    const stack = await newStack()
    const outcome = (call: Promise<unknown>) =>
      call.then(
        () => 'done',
        () => 'refused',
      )
    const [closed, began] = await Promise.all([outcome(close(id)), outcome(add(stack.id, `/race/${round}`))])
    expect([closed, began].filter((one) => one === 'done')).toHaveLength(1)
  }
})

test('a folder whose cluster does not answer stays closed to new services, and closing it again continues', async () => {
  const { id } = await open('/srv/half')
  const stack = await newStack()
  gateway.hooks.refuses = (method, path) => method === 'DELETE' && path.includes(folderClaimName('/srv/half'))
  try {
    expect(await refusalOf(close(id))).toMatchObject({ status: 502 })
  } finally {
    gateway.hooks.refuses = undefined
  }
  expect(await refusalOf(add(stack.id, '/srv/half'))).toMatchObject({ key: 'host-folder-closed' })
  const folder = async () => (await app.admin.call(hostFolders.list, { params: { env } })).find((one) => one.id === id)
  expect(await folder()).toMatchObject({ closing: true, services: [] })
  await close(id)
  expect(await folder()).toBeUndefined()
})

test('a folder that a rollback of an open release would use again is not closed', async () => {
  const { id } = await open('/srv/back')
  const stack = await newStack()
  const spec = { volumes: [{ name: 'media', path: '/media', type: 'host', folder: '/srv/back', readOnly: true }] }
  const values = {
    stack_id: stack.id,
    version: '2.0',
    action: 'upgrade' as const,
    state: 'open' as const,
    made: [],
    changed: ['web'],
    removed: [],
    before: jsonb({ web: { spec } }),
    inputs: jsonb({}),
    by: team.leader.name,
  }
  await app.db.insertInto('stack_release').values(values).execute()
  expect(await refusalOf(close(id))).toMatchObject({ status: 409, key: 'host-folder-in-use' })
  const folder = (await app.admin.call(hostFolders.list, { params: { env } })).find((one) => one.id === id)
  expect(folder).toMatchObject({ closing: false, services: [`${stack.name}/web`] })
  await app.db.updateTable('stack_release').set({ state: 'returned' }).where('stack_id', '=', stack.id).execute()
  await close(id)
})
