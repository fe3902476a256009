import { configEntries, configProfiles } from '@gantry/contract/config-centre/profiles'
import { configProjects } from '@gantry/contract/config-centre/projects'
import { configReaders } from '@gantry/contract/config-centre/readers'
import { configTemplates } from '@gantry/contract/config-centre/templates'
import { drift } from '@gantry/contract/stacks/drift'
import { services } from '@gantry/contract/stacks/services'
import type { ServiceSpecInput } from '@gantry/contract/stacks/spec'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as kinds from '../../adapters/kube/resources.ts'
import { inTx } from '../../kernel/context.ts'
import { applyAgain } from '../stacks/public.ts'
import { sandboxApp } from '../../../test/sandbox-app.ts'
import { refusalOf } from '../../../test/test-app.ts'

/** Services that read a configuration, and the effect of its changes on them. */
const { app, direct, newEnvironment } = await sandboxApp()

let team: Awaited<ReturnType<typeof app.team>>
let envId = ''
beforeAll(async () => {
  team = await app.team()
  envId = (await newEnvironment('sandbox', team)).uuid
})

let made = 0
const small = { cpu: '0.1', memory: '32Mi' }

/** A project with two keys and a template, and a stack. */
async function begin() {
  const name = `shop-${++made}`
  const params = { teamId: team.id, name }
  await team.leader.call(configProjects.create, { params: { teamId: team.id }, body: { name } })
  const { uuid } = await team.leader.call(configProfiles.create, { params, body: { name: 'production' } })
  const template = await team.leader.call(configTemplates.create, {
    params,
    body: { name: 'app.conf', content: 'host=${HOST}\n' },
  })
  const profile = { params: { teamId: team.id, uuid } }
  await team.leader.call(configEntries.add, { ...profile, body: { key: 'HOST', value: 'db' } })
  await team.leader.call(configEntries.add, {
    ...profile,
    body: { key: 'PASSWORD', value: 'swordfish', secret: true },
  })
  const stack = await team.leader.call(stacks.create, { params: { teamId: team.id }, body: { name, envId } })
  const create = (more: Partial<ServiceSpecInput> = {}, by = team.leader, serviceName = 'web') =>
    by.call(services.create, {
      params: { teamId: team.id, stackId: stack.id, serviceName },
      body: {
        image: 'registry.example.test/web:1',
        resources: small,
        configuration: {
          project: name,
          profile: 'production',
          templates: [{ template: 'app.conf', path: '/etc/app.conf' }],
        },
        ...more,
      },
    })
  const put = (key: string, value: string, secret = false) =>
    team.leader.call(configEntries.update, { ...profile, body: { key, value, secret } })
  const namespace = `${team.name}-${name}`
  const deployment = async () => (await direct.find(kinds.deployments, { namespace, name: 'web' }))?.spec?.template
  const readers = async (query: { profile?: string; template?: string } = {}) =>
    (await team.leader.call(configReaders.list, { params: { teamId: team.id }, query: { project: name, ...query } }))
      .items
  return { name, profile, template, create, put, namespace, deployment, readers, stack }
}

const of = (id: number) => ({ params: { teamId: team.id, envId, id } })

const settled = (id: number, wanted = 'stable') =>
  eventually(
    async () => {
      await app.reconcile()
      return team.leader.call(services.get, of(id))
    },
    (service) => service.state === wanted,
  )

const text = (base64 = '') => Buffer.from(base64, 'base64').toString()

describe('a service that reads a configuration', () => {
  test('gets keys as variables and templates as files, secrets by a Secret, and its own variables take precedence', async () => {
    const { create, deployment, namespace } = await begin()
    const { id } = await create({ environment: [{ name: 'HOST', value: 'own' }] })
    const service = await settled(id)
    const [container] = (await deployment())?.spec?.containers ?? []
    expect(container?.env).toEqual([
      { name: 'HOST', value: 'own' },
      { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'web-env', key: 'PASSWORD' } } },
    ])
    expect(container?.volumeMounts).toMatchObject([{ mountPath: '/etc/app.conf', readOnly: true }])
    const files = await direct.find(kinds.configMaps, { namespace, name: 'web.files' })
    expect(Object.values(files?.data ?? {})).toEqual(['host=db\n'])
    const secret = await direct.find(kinds.secrets, { namespace, name: 'web-env' })
    expect(text(secret?.data?.['PASSWORD'])).toBe('swordfish')
    expect(service.spec.environment).toEqual([{ name: 'HOST', value: 'own', secret: false }])
    expect(JSON.stringify(service)).not.toContain('swordfish')
  })

  test('gets a template with a secret as a secret file, and no variables if they are switched off', async () => {
    const { name, template, create, deployment, namespace } = await begin()
    await team.leader.call(configTemplates.update, {
      params: { teamId: team.id, uuid: template.uuid },
      body: { name: 'app.conf', content: 'password=${PASSWORD}' },
    })
    const { id } = await create({
      configuration: {
        project: name,
        profile: 'production',
        env: false,
        templates: [{ template: 'app.conf', path: '/etc/app.conf' }],
      },
    })
    await settled(id)
    expect((await deployment())?.spec?.containers[0]?.env ?? []).toEqual([])
    expect(await direct.find(kinds.configMaps, { namespace, name: 'web.files' })).toBeUndefined()
    const secret = await direct.find(kinds.secrets, { namespace, name: 'web.files' })
    expect(Object.values(secret?.data ?? {}).map(text)).toEqual(['password=swordfish'])
  })

  test('is rolled out with new pods when a value changes', async () => {
    const { create, put, deployment, readers } = await begin()
    const { id } = await create()
    await settled(id)
    const before = (await deployment())?.metadata?.annotations
    expect(await readers()).toMatchObject([{ service: 'web', state: 'stable', current: true }])
    await put('PASSWORD', 'trout', true)
    expect(await readers()).toMatchObject([{ state: 'restarting', current: false }])
    const { revision } = await settled(id)
    const after = (await deployment())?.metadata?.annotations
    expect(after?.['gantry.dev/configuration']).not.toBe(before?.['gantry.dev/configuration'])
    expect(revision).toBe(1)
    expect(await readers()).toMatchObject([
      { templates: ['app.conf'], profile: 'production', env: true, cluster: 'sandbox', current: true },
    ])
    expect(await team.leader.call(drift.get, of(id))).toEqual({ settled: true, fields: [] })
  })

  test('is rolled out when its template changes, but not when another template does', async () => {
    const { name, template, create, readers, namespace } = await begin()
    const { id } = await create()
    await settled(id)
    const params = { teamId: team.id, name }
    const other = await team.leader.call(configTemplates.create, { params, body: { name: 'other', content: '' } })
    await team.leader.call(configTemplates.update, {
      params: { teamId: team.id, uuid: other.uuid },
      body: { name: 'other', content: 'x' },
    })
    expect(await readers()).toMatchObject([{ state: 'stable', current: true }])
    expect(await readers({ template: 'other' })).toEqual([])
    await team.leader.call(configTemplates.update, {
      params: { teamId: team.id, uuid: template.uuid },
      body: { name: 'app.conf', content: 'at=${HOST}' },
    })
    await settled(id)
    const files = await direct.find(kinds.configMaps, { namespace, name: 'web.files' })
    expect(Object.values(files?.data ?? {})).toEqual(['at=db'])
  })

  test('and is a job keeps its configuration until it is restarted, even if it is applied again meanwhile', async () => {
    const { create, put, namespace, readers } = await begin()
    const { id } = await create({ workload: 'job', command: ['sh', '-c', 'echo done'] })
    await settled(id)
    const ref = { namespace, name: 'web' }
    const before = await direct.get(kinds.jobs, ref)
    await put('HOST', 'other')
    expect(await readers()).toMatchObject([{ state: 'stable', current: false }])
    await inTx(app.ctx(), (ctx) => applyAgain(ctx, [id]))
    expect(await settled(id)).toMatchObject({ message: '' })
    const after = await direct.get(kinds.jobs, ref)
    expect([after.metadata?.uid, after.spec]).toEqual([before.metadata?.uid, before.spec])
    const files = await direct.find(kinds.configMaps, { namespace, name: 'web.files' })
    expect(Object.values(files?.data ?? {})).toEqual(['host=db\n'])
    expect(await readers()).toMatchObject([{ current: false }])
    await team.leader.call(services.restart, {
      params: { teamId: team.id, envId, stackName: (await readers())[0]?.stack ?? '' },
      body: ['web'],
    })
    await settled(id)
    expect((await direct.get(kinds.jobs, ref)).spec?.template.spec?.containers[0]?.env).toContainEqual({
      name: 'HOST',
      value: 'other',
    })
    expect(await readers()).toMatchObject([{ current: true }])
  })

  test('is locked in a fixed order, so that concurrent changes do not deadlock', async () => {
    const { create, put } = await begin()
    const first = await create()
    const second = await create({}, team.leader, 'api')
    for (const { id } of [first, second]) await settled(id)
    // updated last, so that a scan without a fixed order would find it after the second one
    await app.db.updateTable('service').set({ drift: 0 }).where('id', '=', first.id).execute()
    const change = await app.db.transaction().execute(async (tx) => {
      const lock = (id: number) => tx.selectFrom('service').select('id').where('id', '=', id).forUpdate()
      await lock(first.id).execute()
      const waiting = put('HOST', 'other')
      await eventually(
        () => sql`select from pg_locks where not granted`.execute(app.db),
        ({ rows }) => rows.length > 0,
      )
      await lock(second.id).noWait().execute()
      return { waiting }
    })
    await change.waiting
  })

  test('keeps what it reads from being deleted or renamed, and from losing a key that a template needs', async () => {
    const { name, profile, template, create } = await begin()
    const { id } = await create()
    await settled(id)
    const ofTemplate = { params: { teamId: team.id, uuid: template.uuid } }
    const refusals = [
      () => team.leader.call(configProfiles.remove, profile),
      () => team.leader.call(configTemplates.remove, ofTemplate),
      () => team.leader.call(configProjects.remove, { params: { teamId: team.id, name } }),
    ]
    for (const call of refusals) {
      const refusal = await refusalOf(call())
      expect(refusal).toMatchObject({ status: 409, key: 'config-in-use' })
      expect(refusal.message).toContain(`${name}/web`)
    }
    expect(
      await refusalOf(team.leader.call(configProfiles.update, { ...profile, body: { name: 'live' } })),
    ).toMatchObject({ key: 'config-name-in-use' })
    expect(
      await refusalOf(
        team.leader.call(configTemplates.update, { ...ofTemplate, body: { name: 'x.conf', content: '' } }),
      ),
    ).toMatchObject({ key: 'config-name-in-use' })
    const refusal = await refusalOf(team.leader.call(configEntries.remove, { ...profile, query: { key: 'HOST' } }))
    expect(refusal).toMatchObject({ status: 409, key: 'config-keys-missing' })
    expect(refusal.message).toContain('HOST')
    expect(await team.leader.call(services.get, of(id))).toMatchObject({ state: 'stable' })
    expect(await team.leader.call(configProfiles.get, profile)).toMatchObject({ services: 1, keys: 2 })
  })

  test('still counts as a reader while a rollback would restore it', async () => {
    const { profile, create } = await begin()
    const { id } = await create()
    await settled(id)
    await team.leader.call(services.upgrade, {
      ...of(id),
      body: { image: 'registry.example.test/web:2', resources: small },
    })
    await settled(id, 'upgraded')
    const remove = () => team.leader.call(configProfiles.remove, profile)
    expect(await refusalOf(remove())).toMatchObject({ key: 'config-in-use' })
    await team.leader.call(services.confirm, of(id))
    await settled(id)
    await remove()
  })
})

describe('a service is refused', () => {
  test('if the profile or template does not exist, or the profile lacks a key', async () => {
    const { name, create, template } = await begin()
    const read = (profile: string, file: string) =>
      create({ configuration: { project: name, profile, templates: [{ template: file, path: '/f' }] } })
    expect(await refusalOf(read('none', 'app.conf'))).toMatchObject({ status: 409, key: 'config-profile-unknown' })
    expect(await refusalOf(read('production', 'none'))).toMatchObject({ status: 409, key: 'config-template-unknown' })
    await team.leader.call(configTemplates.update, {
      params: { teamId: team.id, uuid: template.uuid },
      body: { name: 'app.conf', content: '${HOST} ${PORT}' },
    })
    expect(await refusalOf(read('production', 'app.conf'))).toMatchObject({ status: 409, key: 'config-keys-missing' })
  })

  test('if two files have the same path', async () => {
    const { create } = await begin()
    expect(await refusalOf(create({ files: [{ path: '/etc/app.conf', content: '' }] }))).toMatchObject({
      status: 400,
      problems: [{ key: 'mount-paths-unique' }],
    })
  })

  test('if its user may not view configurations, because a container shows their secrets', async () => {
    const { create } = await begin()
    const rights = ['stack_stack_view', 'stack_service_view', 'stack_service_create']
    expect(await refusalOf(create({}, await team.member(rights)))).toMatchObject({ status: 403 })
    await create({}, await team.member([...rights, 'config_project_view']))
  })
})

test('readers are listed only for users who may view both', async () => {
  const { create, readers } = await begin()
  const { id } = await create()
  await settled(id)
  expect(await readers({ profile: 'test' })).toEqual([])
  const params = { teamId: team.id }
  const input = { params, query: { sort: '-stack', keyword: 'web' } }
  expect((await team.leader.call(configReaders.list, input)).items[0]).toMatchObject({ service: 'web' })
  const viewer = await team.member(['config_project_view'])
  expect(await refusalOf(viewer.call(configReaders.list, { params }))).toMatchObject({ status: 403 })
})
