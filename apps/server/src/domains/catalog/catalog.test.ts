import { readFileSync } from 'node:fs'
import { catalogs, type CatalogInput, catalogTags } from '@gantry/contract/catalog/catalogs'
import { type CatalogTemplateInput, catalogTemplates } from '@gantry/contract/catalog/templates'
import { search } from '@gantry/contract/search/search'
import { teams } from '@gantry/contract/teams/teams'
import { checkTemplate } from '@gantry/tosca/compile'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/test-app.ts'
import { sharpPictures } from '../../adapters/pictures/pictures.ts'

const app = await testApp({ ports: { pictures: sharpPictures() } })

let made = 0
const name = (what = 'preset') => `${what}-${++made}`

const blueprint = (tag = '1') => `tosca_definitions_version: gantry_1_0_0
topology_template:
  node_templates:
    web: { type: gantry.nodes.Service, properties: { image: 'registry.example.test/web:${tag}' } }
`
const add = (change: Partial<CatalogInput> = {}) =>
  app.admin.call(catalogs.create, { body: { name: name(), ...change } })
const addVersion = (catalogId: number, change: Partial<CatalogTemplateInput> = {}) =>
  app.admin.call(catalogTemplates.create, {
    body: { catalogId, version: '1', template: blueprint(), published: true, ...change },
  })
const written = ({ version, notes, template, published }: CatalogTemplateInput) => ({
  version,
  notes,
  template,
  published,
})

describe('entries of the catalogue', () => {
  test('a name is unique, and a change states the revision that it is based on', async () => {
    const first = await add()
    await expect(add({ name: first.name })).rejects.toMatchObject({ status: 409, key: 'catalog-name-taken' })
    const params = { id: first.id }
    const body = { name: first.name, description: 'new', revision: first.revision }
    const changed = await app.admin.call(catalogs.update, { params, body })
    expect(changed).toMatchObject({ description: 'new', revision: first.revision + 1, shipped: false })
    await expect(app.admin.call(catalogs.update, { params, body })).rejects.toMatchObject({
      status: 409,
      key: 'catalog-changed',
    })
    const taken = await add()
    await expect(app.admin.call(catalogs.update, { params, body: { name: taken.name } })).rejects.toMatchObject({
      key: 'catalog-name-taken',
    })
  })

  test('entries are searched, filtered by tag, sorted and paged', async () => {
    const tag = await app.admin.call(catalogTags.create, { body: { name: name('tag') } })
    const mark = name('mark')
    for (const one of ['b', 'a', 'c']) await add({ name: `${mark} ${one}`, tagIds: one === 'c' ? [] : [tag.id] })
    const list = (query: object) => app.admin.call(catalogs.list, { query })
    const names = async (query: object) => (await list(query)).items.map((one) => one.name.slice(-1)).join('')
    expect(await names({ keyword: mark })).toBe('abc')
    expect(await names({ keyword: mark, sort: '-name' })).toBe('cba')
    expect(await names({ tag: tag.id })).toBe('ab')
    expect(await list({ keyword: mark, pageSize: 2, requestPage: 2 })).toMatchObject({ totalSize: 3, items: [{}] })
    await expect(list({ sort: 'secret' })).rejects.toMatchObject({ status: 400 })
  })

  test('a tag is unique, and cannot be deleted while it is used', async () => {
    const tag = await app.admin.call(catalogTags.create, { body: { name: name('tag') } })
    await expect(app.admin.call(catalogTags.create, { body: { name: tag.name } })).rejects.toMatchObject({
      key: 'catalog-tag-taken',
    })
    const one = await add({ tagIds: [tag.id] })
    expect(one.tags).toEqual([{ id: tag.id, name: tag.name }])
    await expect(app.admin.call(catalogTags.remove, { params: { id: tag.id } })).rejects.toMatchObject({
      status: 409,
      key: 'catalog-tag-in-use',
    })
    await app.admin.call(catalogs.update, { params: { id: one.id }, body: { name: one.name } })
    await app.admin.call(catalogTags.remove, { params: { id: tag.id } })
    expect((await app.admin.call(catalogTags.list)).map(({ id }) => id)).not.toContain(tag.id)
    await expect(add({ tagIds: [tag.id] })).rejects.toMatchObject({ status: 400, key: 'catalog-tag-gone' })
  })

  test('an entry has a picture of at most 500 kB, which only its teams see', async () => {
    const [ours, theirs] = [await app.team(), await app.team()]
    const { id } = await add({ forAll: false, teamIds: [ours.id] })
    const url = `/catalog/api/catalogs/${id}/image`
    const upload = async (payload: Buffer) =>
      (await app.admin.raw({ method: 'POST', url, headers: {}, payload })).json<{ code: number; message: string }>()
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const of = { params: { id } }
    expect(await upload(picture)).toMatchObject({ code: 200, data: { imageVersion: expect.stringMatching(/^\w+$/) } })
    expect(await upload(readFileSync(import.meta.filename))).toMatchObject({ message: 'products-image-format' })
    expect(await upload(Buffer.alloc(500 * 1024 + 1))).toMatchObject({ code: 413 })
    expect((await ours.leader.request(catalogs.image, of)).headers).toMatchObject({ 'content-type': 'image/webp' })
    expect((await theirs.leader.request(catalogs.image, of)).statusCode).toBe(404)
  })

  test('a deleted team leaves nothing behind', async () => {
    const team = await app.team()
    const one = await add({ forAll: false, teamIds: [team.id] })
    expect(one.teams).toMatchObject([{ id: team.id }])
    await app.admin.call(teams.remove, { params: { id: team.id }, query: { confirm: team.name } })
    const left = await app.admin.call(catalogs.get, { params: { id: one.id } })
    expect(left).toMatchObject({ forAll: false, teams: [] })
    await expect(add({ forAll: false, teamIds: [team.id] })).rejects.toMatchObject({ key: 'catalog-team-gone' })
  })
})

describe('versions of an entry', () => {
  test('a version number is unique, and its blueprint is checked like any other', async () => {
    const { id } = await add()
    await addVersion(id)
    await expect(addVersion(id)).rejects.toMatchObject({ status: 409, key: 'catalog-version-taken' })
    await expect(addVersion(id, { version: '2', template: 'a: [' })).rejects.toMatchObject({
      status: 400,
      key: 'blueprints-yaml-wrong',
    })
    await expect(
      addVersion(id, { version: '2', template: blueprint().replace('image:', 'picture:') }),
    ).rejects.toMatchObject({ status: 400, key: 'blueprints-template-wrong' })
    await expect(
      addVersion(id, { version: '2', template: blueprint().replace('gantry_1_0_0', 'gantry_0_9_0') }),
    ).rejects.toMatchObject({ status: 400, key: 'tips-tosaca-version' })
  })

  test('an empty version is a draft and cannot be published', async () => {
    const { id } = await add()
    const template = 'tosca_definitions_version: gantry_1_0_0\ntopology_template: { node_templates: {} }\n'
    const draft = await addVersion(id, { template, published: false })
    expect(draft).toMatchObject({ published: false, serviceNum: 0 })
    await expect(
      app.admin.call(catalogTemplates.update, {
        params: { id: draft.id },
        body: { ...written(draft), published: true },
      }),
    ).rejects.toMatchObject({ key: 'blueprints-empty' })
  })

  test('a change states its revision', async () => {
    const { id } = await add()
    const first = await addVersion(id)
    const params = { id: first.id }
    const body = { ...written(first), notes: 'new', revision: first.revision }
    expect(await app.admin.call(catalogTemplates.update, { params, body })).toMatchObject({ notes: 'new', revision: 2 })
    await expect(app.admin.call(catalogTemplates.update, { params, body })).rejects.toMatchObject({
      status: 409,
      key: 'blueprints-changed-since',
    })
    await app.admin.call(catalogTemplates.remove, { params })
    await expect(app.admin.call(catalogTemplates.get, { params })).rejects.toMatchObject({ status: 404 })
  })
})

describe('what teams see', () => {
  const ofTeam = async (team: { id: number; leader: typeof app.admin }, keyword: string) =>
    (await team.leader.call(catalogs.ofTeam, { params: { tenant: team.id }, query: { keyword } })).items

  test('lists entries with a published version that the team may deploy, by tag, with the newest version', async () => {
    const [ours, theirs] = [await app.team(), await app.team()]
    const tag = await app.admin.call(catalogTags.create, { body: { name: name('tag') } })
    const mine = await add({ forAll: false, teamIds: [ours.id], tagIds: [tag.id] })
    await addVersion(mine.id, { version: '1', published: false })
    expect(await ofTeam(ours, mine.name)).toEqual([])
    await addVersion(mine.id, { version: '2' })
    const newest = await addVersion(mine.id, { version: '3' })
    await addVersion(mine.id, { version: '4', published: false })
    expect(await ofTeam(ours, mine.name)).toMatchObject([
      { id: mine.id, versionNum: 2, newest: { id: newest.id, version: '3' }, stackNum: 0, tags: [{ id: tag.id }] },
    ])
    expect(await ofTeam(ours, mine.name)).not.toMatchObject([{ teams: expect.anything() }])
    expect(await ofTeam(theirs, mine.name)).toEqual([])
    const everyones = await add()
    await addVersion(everyones.id)
    expect(await ofTeam(theirs, everyones.name)).toMatchObject([{ id: everyones.id }])
    const tagged = await ours.leader.call(catalogs.ofTeam, { params: { tenant: ours.id }, query: { tag: tag.id } })
    expect(tagged.items).toMatchObject([{ id: mine.id }])
  })

  test('a draft is 404 for a team, and so are versions of entries that it may not deploy', async () => {
    const [ours, theirs] = [await app.team(), await app.team()]
    const { id: catalogId } = await add({ forAll: false, teamIds: [ours.id] })
    const draft = await addVersion(catalogId, { published: false })
    const published = await addVersion(catalogId, { version: '2' })
    const versions = async (by: typeof app.admin, query: object = {}) =>
      (await by.call(catalogTemplates.list, { params: { catalogId }, query })).items.map(({ version }) => version)
    expect(await versions(app.admin)).toEqual(['2', '1'])
    expect(await versions(app.admin, { teamId: ours.id })).toEqual(['2'])
    expect(await versions(ours.leader)).toEqual(['2'])
    await expect(versions(theirs.leader)).rejects.toMatchObject({ status: 404 })
    await expect(versions(app.admin, { teamId: theirs.id })).rejects.toMatchObject({ status: 404 })
    const get = (by: typeof app.admin, id: number) => by.call(catalogTemplates.get, { params: { id } })
    await expect(get(ours.leader, draft.id)).rejects.toMatchObject({ status: 404 })
    await expect(get(theirs.leader, published.id)).rejects.toMatchObject({ status: 404 })
    expect(await get(ours.leader, published.id)).toMatchObject({ template: blueprint() })
    const without = await ours.member([])
    await expect(get(without, published.id)).rejects.toMatchObject({ status: 403 })
  })

  test('the search finds entries for their teams and for administrators', async () => {
    const [ours, theirs] = [await app.team(), await app.team()]
    const one = await add({ forAll: false, teamIds: [ours.id] })
    await addVersion(one.id)
    const find = async (by: typeof app.admin) =>
      (await by.call(search.find, { query: { keyword: one.name } })).items.filter(({ name }) => name === one.name)
    expect(await find(ours.leader)).toMatchObject([{ kind: 'preset', team: { id: ours.id }, place: { id: one.id } }])
    expect(await find(theirs.leader)).toEqual([])
    expect((await find(app.admin)).map(({ kind }) => kind)).toContain('catalog')
  })
})

const shipped = await app.db
  .selectFrom('catalog_template')
  .innerJoin('catalog', 'catalog.id', 'catalog_template.catalog_id')
  .select(['catalog.id', 'catalog.name', 'catalog_template.template', 'catalog_template.service_num as services'])
  .where('shipped', 'is not', null)
  .execute()

describe('entries shipped with the product', () => {
  test('exist, and describe themselves in the language of the reader', async () => {
    expect(shipped.map(({ name }) => name).toSorted()).toEqual(['MariaDB', 'NATS', 'PostgreSQL', 'Redis'])
    const params = { id: shipped[0]?.id ?? 0 }
    const [en, zh] = [
      await app.admin.call(catalogs.get, { params }),
      await app.admin.call(catalogs.get, { params }, { 'accept-language': 'zh' }),
    ]
    expect(zh.description).toMatch(/\p{Script=Han}/u)
    expect(en.description).not.toMatch(/^$|\p{Script=Han}/u)
    const { name, tags, revision } = en
    const body = { name, description: en.description, tagIds: tags.map(({ id }) => id), revision }
    await app.admin.call(catalogs.update, { params, body })
    expect(await app.admin.call(catalogs.get, { params }, { 'accept-language': 'zh' })).toMatchObject({
      description: zh.description,
      shipped: true,
    })
  })

  test.for(shipped)('$name is valid, and needs no input but a password', ({ template, services }) => {
    const checked = checkTemplate(template, { values: { PASSWORD: 'tidal-cobalt-41' } })
    expect([checked.problems, checked.inputProblems]).toEqual([[], []])
    expect(checked.services).toHaveLength(services)
  })

  test('stay deleted once they are deleted', async () => {
    const nats = shipped.find((one) => one.name === 'NATS')
    await app.admin.call(catalogs.remove, { params: { id: nats?.id ?? 0 } })
    await expect(app.admin.call(catalogs.get, { params: { id: nats?.id ?? 0 } })).rejects.toMatchObject({ status: 404 })
  })
})
