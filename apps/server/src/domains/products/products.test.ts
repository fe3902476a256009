import { readFileSync } from 'node:fs'
import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { products } from '@gantry/contract/products/products'
import { expect, test } from 'vitest'
import { testApp, type TestCaller } from '../../../test/test-app.ts'
import { sharpPictures } from '../../adapters/pictures/pictures.ts'

const app = await testApp({ ports: { pictures: sharpPictures() } })

async function upload(by: TestCaller, team: number, id: number, payload: Buffer) {
  const url = `/orchestration/api/${team}/application/${id}/image`
  const reply = await by.raw({ method: 'POST', url, headers: {}, payload })
  return reply.json<{ code: number; message: string; data: { imageVersion: string } | null }>()
}
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const template = `tosca_definitions_version: gantry_1_0_0
topology_template:
  node_templates:
    web: { type: gantry.nodes.Service, properties: { image: 'registry.example.test/web:1' } }
`

test('a picture has at most 500 kB and is re-encoded', async () => {
  const team = await app.team()
  const { id } = await team.leader.call(products.create, { params: { team: team.id }, body: { name: 'shop' } })
  const of = { params: { team: team.id, id } }
  await expect(team.leader.call(products.image, of)).rejects.toMatchObject({
    status: 404,
    key: 'products-image-missing',
  })
  const { data } = await upload(team.leader, team.id, id, picture)
  const response = await team.leader.request(products.image, { ...of, query: { v: data?.imageVersion ?? '' } })
  expect(response.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': expect.stringContaining('immutable'),
  })
  const code = readFileSync(import.meta.filename)
  expect(await upload(team.leader, team.id, id, code)).toMatchObject({ code: 400, message: 'products-image-format' })
  expect(await upload(team.leader, team.id, id, Buffer.alloc(500 * 1024 + 1))).toMatchObject({ code: 413 })
  const other = await app.team()
  expect(await upload(other.leader, other.id, id, picture)).toMatchObject({ code: 404 })
})

test('a product shows who changed it last', async () => {
  const team = await app.team()
  const made = await team.leader.call(products.create, { params: { team: team.id }, body: { name: 'shop' } })
  expect(made.updatedBy).toBe(team.leader.name)
  const of = { params: { team: team.id, id: made.id } }
  await app.admin.call(products.update, { ...of, body: { name: 'shop', description: 'ours' } })
  const { updatedBy, updatedAt } = await team.leader.call(products.get, of)
  expect([updatedBy, updatedAt > made.updatedAt]).toEqual([app.admin.name, true])
})

test('a clone has the versions and the picture of its product, but none of its stacks', async () => {
  const team = await app.team()
  const { id } = await team.leader.call(products.create, { params: { team: team.id }, body: { name: 'shop' } })
  const of = { params: { team: team.id, id } }
  await upload(team.leader, team.id, id, picture)
  for (const version of ['1', '2'])
    await team.leader.call(blueprints.create, {
      params: { teamId: team.id },
      body: { applicationId: id, version, template },
    })
  await expect(team.leader.call(products.clone, { ...of, body: { name: 'shop' } })).rejects.toMatchObject({
    status: 409,
    key: 'products-name-taken',
  })
  const copy = await team.leader.call(products.clone, { ...of, body: { name: 'shop-2' } })
  const original = await team.leader.call(products.get, of)
  expect(copy).toMatchObject({ name: 'shop-2', blueprintNum: 2, stackNum: 0, imageVersion: original.imageVersion })
  const list = await team.leader.call(blueprints.list, {
    params: { teamId: team.id },
    query: { application_id: copy.id },
  })
  expect(list.items.map(({ version }) => version)).toEqual(['2', '1'])
})
