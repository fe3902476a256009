import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { products } from '@gantry/contract/products/products'
import { search } from '@gantry/contract/search/search'
import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()

let team: Awaited<ReturnType<typeof app.team>>
let applicationId = 0
beforeAll(async () => {
  team = await app.team()
  applicationId = (await team.leader.call(products.create, { params: { team: team.id }, body: { name: 'shop' } })).id
})

const web = `# The shop's front.
tosca_definitions_version: gantry_1_0_0
topology_template:
  node_templates:
    web:
      type: gantry.nodes.Service
      properties:
        image: registry.example.test/web:1 # pinned later
`
const params = () => ({ teamId: team.id })
let made = 0
const create = (template = web, version = `1.${++made}`) =>
  team.leader.call(blueprints.create, { params: params(), body: { applicationId, version, template } })
const at = (id: number | string) => ({ params: { teamId: team.id, id } })
const key = (uuid: number | string) => ({ params: { teamId: team.id, uuid } })

describe('a blueprint', () => {
  test('keeps its template exactly as written, and is found by id and UUID', async () => {
    const blueprint = await create()
    expect(blueprint).toMatchObject({
      template: web,
      serviceNum: 1,
      toscaVersion: 'gantry_1_0_0',
      outdated: false,
      revision: 1,
    })
    expect(await team.leader.call(blueprints.get, at(blueprint.uuid))).toEqual(blueprint)
    expect(await team.leader.call(blueprints.get, at(blueprint.id))).toEqual(blueprint)
  })

  test('is a version of its product and has its own number', async () => {
    await create(web, '7.0')
    await expect(create(web, '7.0')).rejects.toMatchObject({ status: 409, key: 'blueprints-version-taken' })
    const other = await team.leader.call(products.create, { params: { team: team.id }, body: { name: 'other' } })
    const body = { applicationId: other.id, version: '7.0', template: web }
    expect((await team.leader.call(blueprints.create, { params: params(), body })).version).toBe('7.0')
    const second = await create(web, '7.1')
    await expect(
      team.leader.call(blueprints.basic, { ...key(second.uuid), body: { version: '7.0' } }),
    ).rejects.toMatchObject({ status: 409, key: 'blueprints-version-taken' })
  })

  test('is listed by product, newest first, ten per page', async () => {
    const { id } = await team.leader.call(products.create, { params: { team: team.id }, body: { name: 'listed' } })
    for (let n = 1; n <= 12; n++)
      await team.leader.call(blueprints.create, {
        params: params(),
        body: { applicationId: id, version: `${n}`, template: web },
      })
    const list = await team.leader.call(blueprints.list, { params: params(), query: { application_id: id } })
    expect(list).toMatchObject({ totalSize: 12, pageSize: 10, requestPage: 1 })
    expect(list.items.map(({ version }) => version).slice(0, 3)).toEqual(['12', '11', '10'])
    expect(list.items[0]).not.toHaveProperty('template')
  })

  test('is changed only on the revision that the caller has read, and a refusal says who saved another', async () => {
    const { id, uuid } = await create()
    const template = web.replace('web:1', 'web:2')
    const changed = await team.leader.call(blueprints.update, { ...at(uuid), body: { template, revision: 1 } })
    expect(changed).toMatchObject({ id, template, revision: 2 })
    await expect(
      team.leader.call(blueprints.update, { ...at(id), body: { template: web, revision: 1 } }),
    ).rejects.toMatchObject({ status: 409, key: 'blueprints-changed-since' })
    await expect(
      team.leader.call(blueprints.basic, { ...key(id), body: { version: '99', revision: 1 } }),
    ).rejects.toMatchObject({ status: 409, key: 'blueprints-changed-since' })
    const basics = await team.leader.call(blueprints.basic, {
      ...key(uuid),
      body: { version: '99', description: 'The one', revision: 2 },
    })
    expect(basics).toMatchObject({ version: '99', description: 'The one', template, revision: 3 })
  })

  test('is cloned to another version, and is deleted', async () => {
    const { id, uuid } = await create()
    const copy = await team.leader.call(blueprints.clone, { ...key(uuid), body: { version: 'copy' } })
    expect(copy).toMatchObject({ template: web, applicationId, version: 'copy', revision: 1 })
    await team.leader.call(blueprints.remove, at(id))
    await expect(team.leader.call(blueprints.get, at(uuid))).rejects.toMatchObject({ status: 404 })
    expect((await team.leader.call(blueprints.get, at(copy.id))).template).toBe(web)
  })

  test('is deleted with its product', async () => {
    const { id } = await team.leader.call(products.create, { params: { team: team.id }, body: { name: 'short-lived' } })
    const body = { applicationId: id, version: '1', template: web }
    const blueprint = await team.leader.call(blueprints.create, { params: params(), body })
    expect(await team.leader.call(products.get, { params: { team: team.id, id } })).toMatchObject({ blueprintNum: 1 })
    await team.leader.call(products.remove, { params: { team: team.id, id }, query: { confirm: 'short-lived' } })
    await expect(team.leader.call(blueprints.get, at(blueprint.id))).rejects.toMatchObject({ status: 404 })
  })

  test('belongs to its team and does not exist for others', async () => {
    const { id, uuid } = await create()
    const { leader, id: teamId } = await app.team()
    for (const one of [id, uuid]) {
      await expect(leader.call(blueprints.get, { params: { teamId, id: one } })).rejects.toMatchObject({ status: 404 })
      await expect(leader.call(blueprints.remove, { params: { teamId, id: one } })).rejects.toMatchObject({
        status: 404,
      })
    }
    await expect(
      leader.call(blueprints.translate, { query: { uuid }, body: { version: 'gantry_1_0_0' } }),
    ).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
    await expect(
      leader.call(blueprints.create, { params: { teamId }, body: { applicationId, version: '1', template: web } }),
    ).rejects.toMatchObject({ status: 404 })
  })

  test('is found by its number and its product', async () => {
    await create(web, '2026.11')
    const found = await team.leader.call(search.find, { query: { keyword: 'shop 2026.11' } })
    expect(found.items).toMatchObject([
      { kind: 'blueprint', name: '2026.11', hint: 'shop', place: { productId: applicationId } },
    ])
  })
})

describe('a template of a lower version', () => {
  const old = web.replace('gantry_1_0_0', 'gantry_0_9_0')

  test('can be imported, but is changed and deployed only after translation', async () => {
    expect(await team.leader.call(blueprints.toscaVersion)).toEqual({ version: 'gantry_1_0_0' })
    const { id, uuid, outdated } = await create(old)
    expect(outdated).toBe(true)
    await expect(team.leader.call(blueprints.update, { ...at(id), body: { template: old } })).rejects.toMatchObject({
      status: 400,
      key: 'tips-tosaca-version',
    })
    await expect(
      team.leader.call(blueprints.translate, { query: { uuid }, body: { version: 'gantry_2_0_0' } }),
    ).rejects.toMatchObject({ status: 400, key: 'blueprints-translate-version' })
    const translated = await team.leader.call(blueprints.translate, {
      query: { uuid },
      body: { version: 'gantry_1_0_0' },
    })
    // the rest of the text is unchanged
    expect(translated).toMatchObject({ template: web, outdated: false, revision: 2 })
  })
})

describe('a wrong template', () => {
  const refused = async (template: string) => {
    const error = await create(template).catch((fault: unknown) => fault)
    return error as {
      status: number
      key: string
      message: string
      problems: { path: string; key: string; text: string }[] | null
    }
  }

  test.each([
    ['no YAML', 'a: [', 'blueprints-yaml-wrong', 'template:1:5'],
    ['no service', `${web}    api:\n      type: gantry.nodes.Servce\n`, 'blueprints-template-wrong', 'template:10:13'],
    ['an unknown property', `${web}        replicaz: 2\n`, 'blueprints-template-wrong', 'template:9:9'],
    [
      'a requirement to nothing',
      `${web}      requirements:\n        - dependency: api\n`,
      'blueprints-template-wrong',
      'template:10:23',
    ],
    ['imports', `imports: [x]\n${web}`, 'blueprints-template-wrong', 'template:1:1'],
  ])('%s is refused with line, column and the expected value', async (_, template, expected, path) => {
    const { status, key, problems } = await refused(template)
    expect({ status, key }).toEqual({ status: 400, key: expected })
    expect(problems?.map((problem) => problem.path)).toContain(path)
    expect(problems?.every(({ text }) => text.length > 10)).toBe(true)
  })

  test.each([
    ['an alias bomb', `a: &a [1, 1]\nb: &b [*a, *a]\nc: &c [*b, *b]\n${web}`],
    ['a depth of 1,000', `a: ${'['.repeat(1000)}${']'.repeat(1000)}\n${web}`],
    ['a depth of 1,000 lines', `${Array.from({ length: 300 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')}\n`],
    ['a key twice', `${web}tosca_definitions_version: gantry_1_0_0\n`],
    ['a merge key', `${web}x-a:\n  <<: { a: 1 }\n`],
    ['a prototype', `${web}x-a:\n  __proto__: { admin: true }\n`],
    ['a function of JavaScript', `${web}x-a: !!js/function 'function () {}'\n`],
    ['a byte order mark', `\ufeff${web}`],
    ['tabs', `${web}x-a:\n\tb: 1\n`],
    ['another version of YAML', `%YAML 1.1\n---\n${web}`],
    ['a boolean that is no boolean', `${web}        security: { nonRoot: on }\n`],
  ])('%s is refused with its line and column', async (_, template) => {
    const { status, problems } = await refused(template)
    expect(status).toBe(400)
    expect(problems?.[0]?.path).toMatch(/^template:\d+:\d+$/)
  })

  test('is refused for its size or a NUL before it is parsed', async () => {
    await expect(create(`${web}x-a: "\0"\n`)).rejects.toMatchObject({ status: 400 })
    await expect(create(`${web}# ${'x'.repeat(10_000_000)}`)).rejects.toMatchObject({ status: 413 })
    await expect(create(`${web}# ${'x'.repeat(600_000)}`)).rejects.toMatchObject({ status: 400 })
  })
})
