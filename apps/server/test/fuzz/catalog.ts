import { catalogs, catalogTags } from '@gantry/contract/catalog/catalogs'
import { catalogTemplates } from '@gantry/contract/catalog/templates'
import type { Thing } from './pool.ts'
import type { Set } from './story.ts'

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const template = `tosca_definitions_version: gantry_1_0_0
topology_template:
  node_templates:
    cache: { type: gantry.nodes.Service, properties: { image: 'registry.example.test/cache:1' } }
`

/** A preset service for our team only, with a version, a tag and a picture. */
export async function offer(
  { run, roles: { admin, leader } }: Pick<Set, 'run' | 'roles'>,
  team: number,
): Promise<void> {
  const { id: tag } = await run.make(admin, catalogTags.create, { body: { name: run.fresh('nobodys') } })
  const spare = await run.make(admin, catalogTags.create, { body: { name: run.fresh('nobodys') } })
  await run.make(admin, catalogTags.remove, { params: { id: spare.id } })
  const within: Thing = { side: 'ours', values: { team, catalogTag: tag } }
  const body = { name: run.fresh('nobodys'), tagIds: [tag], forAll: false, teamIds: [team] }
  const { id: catalogId } = await run.make(admin, catalogs.create, { body }, within)
  const ofIt: Thing = { side: 'ours', values: { ...within.values, catalog: catalogId } }
  const params = { id: catalogId }
  await run.make(admin, catalogs.update, { params, body }, ofIt)
  await run.make(admin, catalogs.setImage, { params, upload: picture }, ofIt)
  await run.make(leader, catalogs.image, { params }, ofIt)
  for (const published of [true, false]) {
    const version = { version: run.fresh('nobodys'), template, published }
    const { id } = await run.make(admin, catalogTemplates.create, { body: { ...version, catalogId } }, ofIt)
    const ofVersion: Thing = { side: 'ours', values: { ...ofIt.values, catalogTemplate: id } }
    await run.make(admin, catalogTemplates.update, { params: { id }, body: version }, ofVersion)
    if (published) await run.make(leader, catalogTemplates.get, { params: { id } }, ofVersion)
    else await run.make(admin, catalogTemplates.remove, { params: { id } }, ofVersion)
  }
  await run.make(leader, catalogTemplates.list, { params: { catalogId } }, ofIt)
  await run.make(leader, catalogs.ofTeam, { params: { tenant: team } }, ofIt)
  const gone = await run.make(admin, catalogs.create, { body: { name: run.fresh('nobodys') } }, within)
  await run.make(admin, catalogs.remove, { params: { id: gone.id } })
}
