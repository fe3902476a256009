import { limits } from '@gantry/contract/config-centre/names'
import { configHistory } from '@gantry/contract/config-centre/history'
import { configEntries, configProfiles, type EntryInput } from '@gantry/contract/config-centre/profiles'
import { configProjects } from '@gantry/contract/config-centre/projects'
import { configTemplates } from '@gantry/contract/config-centre/templates'
import { search } from '@gantry/contract/search/search'
import { mask } from '@gantry/contract/validators'
import { beforeEach, describe, expect, test } from 'vitest'
import { refusalOf, testApp } from '../../../test/test-app.ts'

const app = await testApp()
let team: Awaited<ReturnType<typeof app.team>>
beforeEach(async () => {
  team = await app.team()
})

const inTeam = () => ({ teamId: team.id })
const newProject = (name = 'shop', description = '') =>
  team.leader.call(configProjects.create, { params: inTeam(), body: { name, description } })
const newProfile = (name = 'production', project = 'shop') =>
  team.leader.call(configProfiles.create, { params: { ...inTeam(), name: project }, body: { name } })
const newTemplate = (name: string, content: string, project = 'shop') =>
  team.leader.call(configTemplates.create, { params: { ...inTeam(), name: project }, body: { name, content } })
const one = (uuid: string) => ({ params: { ...inTeam(), uuid } })
const add = (uuid: string, key: string, value: string, more: Partial<EntryInput> = {}) =>
  team.leader.call(configEntries.add, { ...one(uuid), body: { key, value, ...more } })
const change = (uuid: string, body: { key: string; value: string; secret?: boolean; revision?: number }) =>
  team.leader.call(configEntries.update, { ...one(uuid), body })
const entries = async (uuid: string) => (await team.leader.call(configEntries.list, one(uuid))).items
const pairs = async (uuid: string) => (await entries(uuid)).map(({ key, value }) => [key, value])
const projects = async (query: { prefix?: string; reverse_logic?: 'true'; keyword?: string; sort?: string } = {}) =>
  (await team.leader.call(configProjects.list, { params: inTeam(), query })).items.map(({ name }) => name)

async function shop() {
  await newProject()
  return newProfile()
}

async function importing(uuid: string, name: string, text: string, query: Record<string, string> = {}) {
  const search = new URLSearchParams({ name, ...query })
  const response = await team.leader.raw({
    method: 'POST',
    url: `/config-center/api/tenants/${team.id}/profiles/${uuid}/import?${search}`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: text,
  })
  return response.json<{ data: unknown; message: string; errorMsg: string }>()
}

const exported = async (uuid: string, format: 'properties' | 'yaml' = 'properties') =>
  team.leader.request(configProfiles.export, { ...one(uuid), query: { format } })

describe('projects', () => {
  test('are listed, filtered by a prefix or its absence, and searched', async () => {
    for (const name of ['shop-web', 'shop-api', 'billing']) await newProject(name)
    expect(await projects()).toEqual(['billing', 'shop-api', 'shop-web'])
    expect(await projects({ prefix: 'shop' })).toEqual(['shop-api', 'shop-web'])
    expect(await projects({ prefix: 'shop', reverse_logic: 'true' })).toEqual(['billing'])
    expect(await projects({ keyword: 'API' })).toEqual(['shop-api'])
    expect(await projects({ sort: '-name' })).toEqual(['shop-web', 'shop-api', 'billing'])
    const found = await team.leader.call(search.find, { query: { keyword: 'billing' } })
    expect(found.items).toMatchObject([{ kind: 'config-project', name: 'billing', place: { name: 'billing' } }])
  })

  test('have a unique name in their team, but not across teams', async () => {
    await newProject()
    expect(await refusalOf(newProject())).toMatchObject({ status: 409, key: 'config-project-taken' })
    team = await app.team()
    expect(await newProject()).toMatchObject({ name: 'shop', profiles: 0, templates: 0, services: 0 })
  })

  test('are cloned with everything in them, including secrets', async () => {
    const { uuid } = await shop()
    await add(uuid, 'HOST', 'db')
    await add(uuid, 'PASSWORD', 'swordfish', { secret: true })
    await newTemplate('app.conf', '${HOST}')
    const params = { ...inTeam(), name: 'shop' }
    expect(await team.leader.call(configProjects.clone, { params, body: { name: 'shop-2' } })).toMatchObject({
      name: 'shop-2',
      profiles: 1,
      templates: 1,
    })
    const profiles = await team.leader.call(configProfiles.list, { params: { ...inTeam(), name: 'shop-2' } })
    const [copy] = profiles.items
    expect(copy).toMatchObject({ name: 'production', keys: 2, revision: 1 })
    expect(await pairs(copy?.uuid ?? '')).toEqual([
      ['HOST', 'db'],
      ['PASSWORD', mask],
    ])
    const sealed = app.db.selectFrom('config_entry').select('value').where('key', '=', 'PASSWORD')
    const values = (await sealed.execute()).map(({ value }) => value)
    expect(values.every((value) => value.startsWith('sealed1.'))).toBe(true)
    expect(await refusalOf(team.leader.call(configProjects.clone, { params, body: { name: 'shop-2' } }))).toMatchObject(
      {
        key: 'config-project-taken',
      },
    )
  })

  test('are deleted with everything in them', async () => {
    const { uuid } = await shop()
    await team.leader.call(configProjects.remove, { params: { ...inTeam(), name: 'shop' } })
    expect(await projects()).toEqual([])
    expect(await refusalOf(team.leader.call(configProfiles.get, one(uuid)))).toMatchObject({ status: 404 })
  })
})

describe('a profile', () => {
  test('is renamed only on the latest revision', async () => {
    const { uuid, revision } = await shop()
    await add(uuid, 'A', '1')
    const stale = { name: 'live', description: '', revision }
    const refusal = await refusalOf(team.leader.call(configProfiles.update, { ...one(uuid), body: stale }))
    expect(refusal).toMatchObject({ status: 409, key: 'config-profile-changed' })
    expect(refusal.message).toContain(team.leader.name)
    const body = { ...stale, revision: revision + 1 }
    expect(await team.leader.call(configProfiles.update, { ...one(uuid), body })).toMatchObject({
      name: 'live',
      revision: 3,
      keys: 1,
    })
    await newProfile('test')
    expect(
      await refusalOf(team.leader.call(configProfiles.update, { ...one(uuid), body: { name: 'test' } })),
    ).toMatchObject({ status: 409, key: 'config-profile-taken' })
  })

  test('has keys that are added, changed and deleted, with the user who did', async () => {
    const { uuid } = await shop()
    expect(await add(uuid, 'LOG_LEVEL', 'info')).toMatchObject({ key: 'LOG_LEVEL', value: 'info', revision: 2 })
    expect(await refusalOf(add(uuid, 'LOG_LEVEL', 'warn'))).toMatchObject({ status: 409, key: 'config-key-taken' })
    expect(await refusalOf(add(uuid, '1st', ''))).toMatchObject({ status: 400, problems: [{ key: 'env-key-format' }] })
    const editor = await team.member(['config_project_view', 'config_project_edit'])
    await editor.call(configEntries.update, { ...one(uuid), body: { key: 'LOG_LEVEL', value: 'debug' } })
    expect(await entries(uuid)).toMatchObject([{ value: 'debug', revision: 3, updatedBy: editor.name }])
    await team.leader.call(configEntries.remove, { ...one(uuid), query: { key: 'LOG_LEVEL' } })
    expect(await entries(uuid)).toEqual([])
    expect(await refusalOf(change(uuid, { key: 'LOG_LEVEL', value: '' }))).toMatchObject({ key: 'config-key-gone' })
  })

  test('accepts concurrent changes of different keys; of the same key, the later change is refused with the present value', async () => {
    const { uuid } = await shop()
    await add(uuid, 'A', '1')
    const { revision } = await add(uuid, 'B', '1')
    await change(uuid, { key: 'A', value: '2', revision })
    await change(uuid, { key: 'B', value: '2', revision })
    const refusal = await refusalOf(change(uuid, { key: 'A', value: '3', revision }))
    expect(refusal).toMatchObject({ status: 409, key: 'config-key-changed' })
    expect(refusal.message).toMatch(/has changed A .* It is now: 2\./)
    expect(
      await refusalOf(team.leader.call(configEntries.remove, { ...one(uuid), query: { key: 'B', revision } })),
    ).toMatchObject({ key: 'config-key-changed' })
  })

  test('stores secrets encrypted, and masks them in answers, files and the audit log', async () => {
    const { uuid } = await shop()
    const said = [await add(uuid, 'PASSWORD', 'swordfish', { secret: true })]
    said.push(await change(uuid, { key: 'PASSWORD', value: mask, secret: true }))
    expect(await refusalOf(change(uuid, { key: 'PASSWORD', value: mask }))).toMatchObject({
      key: 'config-mask-not-plain',
    })
    expect(await refusalOf(add(uuid, 'OTHER', mask, { secret: true }))).toMatchObject({
      key: 'config-mask-without-secret',
    })
    await newTemplate('app.conf', 'password=${PASSWORD}')
    const [template] = (await team.leader.call(configTemplates.list, { params: { ...inTeam(), name: 'shop' } })).items
    const all = JSON.stringify([
      said,
      await entries(uuid),
      (await exported(uuid)).body,
      (await exported(uuid, 'yaml')).body,
      await team.leader.call(configTemplates.rendered, {
        params: { ...inTeam(), templateId: template?.uuid ?? '' },
      }),
      await app.db.selectFrom('audit_log').select(['object', 'detail', 'url', 'message']).execute(),
      await app.db.selectFrom('config_entry').selectAll().execute(),
    ])
    expect(all).not.toContain('swordfish')
    expect(all).toContain(`PASSWORD=${mask}`)
  })

  test('is limited in keys, values and bytes', async () => {
    const { uuid } = await shop()
    expect(await refusalOf(add(uuid, 'A', 'ä'.repeat(40_000)))).toMatchObject({ key: 'config-value-too-large' })
    const many = Array.from({ length: limits.keys }, (_, n) => `K${n}=v`).join('\n')
    expect(await importing(uuid, 'a.properties', many)).toMatchObject({ data: { same: [] } })
    expect(await refusalOf(add(uuid, 'ONE_MORE', ''))).toMatchObject({ status: 409, key: 'config-keys-limit' })
    const other = await newProfile('test')
    for (let n = 0; n < 7; n++) await add(other.uuid, `K${n}`, 'x'.repeat(65_536))
    expect(await refusalOf(add(other.uuid, 'K7', 'x'.repeat(65_536)))).toMatchObject({ key: 'config-values-limit' })
  })
})

describe('the history of a profile', () => {
  const history = async (uuid: string) =>
    (await team.leader.call(configHistory.list, { ...one(uuid), query: { pageSize: -1 } })).items
  const at = (uuid: string, revision: number) => ({ params: { ...inTeam(), uuid, revision } })
  const compare = (uuid: string, revision: number) => team.leader.call(configHistory.compare, at(uuid, revision))
  const back = (uuid: string, revision: number, current?: number) =>
    team.leader.call(configHistory.returnTo, { ...at(uuid, revision), body: { current } })

  test('lists who changed what, and restores it, including secrets', async () => {
    const { uuid } = await shop()
    await add(uuid, 'A', '1')
    await add(uuid, 'PASSWORD', 'swordfish', { secret: true })
    await change(uuid, { key: 'A', value: '2' })
    await change(uuid, { key: 'PASSWORD', value: 'trout', secret: true })
    await add(uuid, 'B', '1')
    expect(await history(uuid)).toMatchObject([
      { revision: 6, action: 'add', keys: ['B'], changes: 1, by: team.leader.name },
      { revision: 5, action: 'change', keys: ['PASSWORD'] },
      { revision: 4, action: 'change', keys: ['A'] },
      { revision: 3, action: 'add' },
      { revision: 2, action: 'add' },
      { revision: 1, action: 'create', keys: [], changes: 0 },
    ])
    expect(await compare(uuid, 3)).toEqual({
      current: 6,
      differences: [
        { key: 'A', secret: false, before: '1', now: '2' },
        { key: 'B', secret: false, before: null, now: '1' },
        { key: 'PASSWORD', secret: true, before: mask, now: mask },
      ],
    })
    expect(await refusalOf(back(uuid, 3, 5))).toMatchObject({ status: 409, key: 'config-profile-changed' })
    expect(await back(uuid, 3, 6)).toMatchObject({ revision: 7, keys: 2 })
    expect(await compare(uuid, 3)).toEqual({ current: 7, differences: [] })
    expect(await refusalOf(back(uuid, 3))).toMatchObject({ key: 'config-return-same' })
    expect((await history(uuid))[0]).toMatchObject({ action: 'return', keys: ['A', 'B', 'PASSWORD'] })
    expect(await refusalOf(back(uuid, 99))).toMatchObject({ status: 404 })
  })

  test('encrypts old plain values of a key that becomes secret', async () => {
    const { uuid } = await shop()
    await add(uuid, 'TOKEN', 'swordfish')
    await add(uuid, 'A', 'plain value')
    await change(uuid, { key: 'TOKEN', value: 'swordfish', secret: true })
    const kept = JSON.stringify(await app.db.selectFrom('config_revision').selectAll().execute())
    expect(kept).not.toContain('swordfish')
    expect(kept).toContain('plain value')
    expect((await compare(uuid, 1)).differences).toMatchObject([{ key: 'A' }, { key: 'TOKEN', now: mask }])
    await team.leader.call(configEntries.remove, { ...one(uuid), query: { key: 'TOKEN' } })
    expect((await compare(uuid, 2)).differences).toMatchObject([{ key: 'A' }, { key: 'TOKEN', before: mask }])
  })

  test('keeps the last twenty revisions', async () => {
    const { uuid } = await shop()
    await add(uuid, 'A', '0')
    for (let n = 1; n <= limits.revisions + 3; n++) await change(uuid, { key: 'A', value: String(n) })
    const kept = await history(uuid)
    expect(kept).toHaveLength(limits.revisions)
    expect(kept.at(-1)).toMatchObject({ revision: 6 })
    expect(await refusalOf(compare(uuid, 5))).toMatchObject({ status: 404 })
  })

  test('of a cloned profile starts with the clone', async () => {
    const { uuid } = await shop()
    await add(uuid, 'A', '1')
    await team.leader.call(configProjects.clone, { params: { ...inTeam(), name: 'shop' }, body: { name: 'copy' } })
    const profiles = await team.leader.call(configProfiles.list, { params: { ...inTeam(), name: 'copy' } })
    const copy = profiles.items[0]?.uuid ?? ''
    await change(copy, { key: 'A', value: '2' })
    await back(copy, 1)
    expect(await pairs(copy)).toEqual([['A', '1']])
  })
})

describe('an imported file', () => {
  test('is previewed first, and keeps keys that it does not name', async () => {
    const { uuid } = await shop()
    await add(uuid, 'A', '1')
    await add(uuid, 'B', '1')
    await add(uuid, 'TOKEN', 'old', { secret: true })
    const text = 'A=1\nB=2\nC=3\nTOKEN=new'
    const expected = { added: ['C'], changed: ['B', 'TOKEN'], same: ['A'] }
    const before = await entries(uuid)
    expect(await importing(uuid, 'a.properties', text, { check: 'true' })).toMatchObject({
      data: { ...expected, revision: 4 },
    })
    expect(await entries(uuid)).toEqual(before)
    expect(await importing(uuid, 'a.properties', text, { revision: '4' })).toMatchObject({
      data: { ...expected, revision: 5 },
    })
    expect(await pairs(uuid)).toEqual([
      ['A', '1'],
      ['B', '2'],
      ['C', '3'],
      ['TOKEN', mask],
    ])
  })

  test('is refused as a whole for an error, with line and cause', async () => {
    const { uuid } = await shop()
    const wrong = await importing(uuid, 'a.yaml', 'A: 1\nB: [1]')
    expect(wrong).toMatchObject({ message: 'config-import-yaml' })
    expect(wrong.errorMsg).toMatch(/^Import file format wrong in line 2/)
    expect(await importing(uuid, 'a.txt', 'A=1')).toMatchObject({ message: 'config-import-name' })
    expect(await importing(uuid, 'a.properties', `A=${mask}`)).toMatchObject({ message: 'config-import-mask' })
    expect(await entries(uuid)).toEqual([])
  })

  test('is refused if one of its keys has changed since the preview', async () => {
    const { uuid } = await shop()
    const { revision } = await add(uuid, 'A', '1')
    await change(uuid, { key: 'A', value: '2' })
    expect(await importing(uuid, 'a.properties', 'A=3', { revision: String(revision) })).toMatchObject({
      message: 'config-key-changed',
    })
  })

  test('that was exported before changes nothing', async () => {
    const { uuid } = await shop()
    await add(uuid, 'A', ' two\nlines = ä\\ ')
    await add(uuid, 'TOKEN', 'secret value', { secret: true })
    for (const format of ['properties', 'yaml'] as const) {
      const { headers, body } = await exported(uuid, format)
      expect(headers['content-disposition']).toContain(`shop-production.${format}`)
      expect(await importing(uuid, `x.${format}`, body)).toMatchObject({
        data: { added: [], changed: [], same: ['A', 'TOKEN'] },
      })
    }
  })
})

describe('a template', () => {
  test('is rendered for each profile, or lists the keys that the profile lacks', async () => {
    const { uuid } = await shop()
    await newProfile('test')
    await add(uuid, 'HOST', 'db')
    const template = await newTemplate('app.conf', 'host=${HOST}\nliteral=$${HOST}\n')
    const rendered = await team.leader.call(configTemplates.rendered, {
      params: { ...inTeam(), templateId: template.uuid },
    })
    expect(rendered.items).toMatchObject([
      { profile: 'production', text: 'host=db\nliteral=${HOST}\n', missing: [] },
      { profile: 'test', text: null, missing: ['HOST'] },
    ])
  })

  test('is changed only on its revision, and has a unique name', async () => {
    await newProject()
    const { uuid, revision } = await newTemplate('app.conf', 'a')
    await newTemplate('.env', 'b')
    const save = (body: { name: string; content: string; revision?: number }) =>
      team.leader.call(configTemplates.update, { ...one(uuid), body })
    expect(await save({ name: 'main.conf', content: 'c', revision })).toMatchObject({ name: 'main.conf', revision: 2 })
    expect(await refusalOf(save({ name: 'main.conf', content: 'd', revision }))).toMatchObject({
      status: 409,
      key: 'config-template-changed',
    })
    expect(await refusalOf(save({ name: '.env', content: '' }))).toMatchObject({ key: 'config-template-taken' })
    expect(await refusalOf(save({ name: '..', content: '' }))).toMatchObject({ status: 400 })
    await team.leader.call(configTemplates.remove, one(uuid))
    expect(await refusalOf(team.leader.call(configTemplates.get, one(uuid)))).toMatchObject({ status: 404 })
  })

  test('shares a limit of one megabyte with the other templates of its project', async () => {
    await newProject()
    for (let n = 0; n < 4; n++) await newTemplate(`t${n}`, 'x'.repeat(262_144))
    expect(await refusalOf(newTemplate('t4', 'x'))).toMatchObject({ key: 'config-template-set-limit' })
  })
})

test('configurations of a team do not exist for others, and are deleted with the team', async () => {
  const { uuid } = await shop()
  const { uuid: template } = await newTemplate('app.conf', 'a')
  const mine = team
  team = await app.team()
  for (const call of [
    () => team.leader.call(configProfiles.get, one(uuid)),
    () => team.leader.call(configEntries.list, one(uuid)),
    () => add(uuid, 'A', '1'),
    () => team.leader.call(configProfiles.remove, one(uuid)),
    () => team.leader.call(configTemplates.get, one(template)),
    () => team.leader.call(configTemplates.remove, one(template)),
    () => newProfile('other'),
  ])
    expect(await refusalOf(call())).toMatchObject({ status: 404 })
  await app.db.deleteFrom('team').where('id', '=', mine.id).execute()
  expect(await app.db.selectFrom('config_project').select('id').where('team_id', '=', mine.id).execute()).toEqual([])
})

test('a user who may only view changes nothing', async () => {
  const { uuid } = await shop()
  const viewer = await team.member(['config_project_view'])
  expect(await viewer.call(configEntries.list, one(uuid))).toMatchObject({ totalSize: 0 })
  expect(await refusalOf(viewer.call(configEntries.add, { ...one(uuid), body: { key: 'A' } }))).toMatchObject({
    status: 403,
  })
})
