import { readFileSync } from 'node:fs'
import { blueprints } from '@gantry/contract/blueprints/blueprints'
import { releases } from '@gantry/contract/blueprints/releases'
import { catalogs } from '@gantry/contract/catalog/catalogs'
import { catalogTemplates } from '@gantry/contract/catalog/templates'
import { clusters } from '@gantry/contract/clusters/clusters'
import { products } from '@gantry/contract/products/products'
import { stacks } from '@gantry/contract/stacks/stacks'
import { eventually } from '@gantry/waiting/eventually'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandbox } from '../../../test/sandbox.ts'
import { testApp } from '../../../test/test-app.ts'
import { openKube } from '../../adapters/kube/transport/pool.ts'

const sandbox = await startSandbox()
const kube = openKube({ admit: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }] }) })
const app = await testApp({ ports: { kube } })
afterAll(async () => {
  await kube.close()
  await sandbox.stop()
})

let envId = ''
let team: Awaited<ReturnType<typeof app.team>>
let others: Awaited<ReturnType<typeof app.team>>
let catalogId = 0
let first = 0
let second = 0
beforeAll(async () => {
  team = await app.team()
  others = await app.team()
  const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
  const body = { name: 'sandbox', kubeconfig, teamIds: [team.id, others.id] }
  envId = (await app.admin.call(clusters.create, { body })).uuid
  const entry = { name: 'cache', forAll: false, teamIds: [team.id] }
  catalogId = (await app.admin.call(catalogs.create, { body: entry })).id
  first = await addVersion('1')
  second = await addVersion('2')
})

const template = (tag: string) => `tosca_definitions_version: gantry_1_0_0
topology_template:
  inputs:
    PASSWORD: { type: secret }
  node_templates:
    cache:
      type: gantry.nodes.Service
      properties:
        image: registry.example.test/cache:${tag}
        resources: { cpu: '0.1', memory: 32Mi }
        environment:
          - { name: PASSWORD, value: { get_input: PASSWORD }, secret: true }
`
const addVersion = async (version: string, published = true) =>
  (
    await app.admin.call(catalogTemplates.create, {
      body: { catalogId, version, template: template(version), published },
    })
  ).id

let made = 0
const inputs = { PASSWORD: 'tidal-cobalt-41' }
const deployment = (templateId: number, more: object = {}) => ({
  params: { teamId: team.id },
  body: { templateId, envId, stackName: `cache-${++made}`, inputs, ...more },
})
const at = (stackName: string) => ({ params: { teamId: team.id, envId, stackName } })
const stackOf = (name: string) => team.leader.call(stacks.byName, { params: { teamId: team.id, envId, name } })

const settled = (ready: () => Promise<boolean>) =>
  eventually(async () => {
    await app.reconcile()
    return ready()
  }, Boolean)
async function deployed(templateId: number) {
  const wanted = deployment(templateId)
  const stack = await team.leader.call(releases.deploy, wanted)
  await settled(async () => (await stackOf(stack.name)).healthyNum === 1)
  return stack
}
const counts = async (teamId?: number) => {
  const query = teamId === undefined ? {} : { teamId }
  const by = teamId === undefined ? app.admin : team.leader
  const { items } = await by.call(catalogTemplates.list, { params: { catalogId }, query })
  return Object.fromEntries(items.map(({ version, stackNum }) => [version, stackNum]))
}

test('a version is deployed like any blueprint, and the stack remembers which', async () => {
  const plan = await team.leader.call(releases.deployCheck, deployment(first))
  expect(plan).toMatchObject({ blueprint: null, made: [{ name: 'cache' }], refusals: [] })
  const before = await counts()
  const stack = await team.leader.call(releases.deploy, deployment(first))
  expect(stack).toMatchObject({
    catalogId,
    catalogName: 'cache',
    templateId: first,
    templateVersion: '1',
    blueprintId: null,
    productId: null,
  })
  expect(await team.leader.call(releases.latest, at(stack.name))).toMatchObject({
    templateId: first,
    version: '1',
    inputs: { PASSWORD: expect.not.stringContaining(inputs.PASSWORD) },
  })
  expect(await counts()).toEqual({ ...before, '1': (before['1'] ?? 0) + 1 })
  expect(await counts(team.id)).toEqual(await counts())
})

test('what a team may not deploy is not found: entries of other teams, drafts, unknown ones', async () => {
  const draft = await addVersion('draft', false)
  for (const templateId of [draft, 2_147_483_000])
    await expect(team.leader.call(releases.deploy, deployment(templateId))).rejects.toMatchObject({ status: 404 })
  const wanted = { ...deployment(first), params: { teamId: others.id } }
  await expect(others.leader.call(releases.deploy, wanted)).rejects.toMatchObject({ status: 404 })
  await expect(others.leader.call(releases.deployCheck, wanted)).rejects.toMatchObject({ status: 404 })
})

test('a deployment names either a blueprint or a preset service', async () => {
  const params = { team: team.id }
  const { id: applicationId } = await team.leader.call(products.create, { params, body: { name: 'shop' } })
  const { id: blueprintId } = await team.leader.call(blueprints.create, {
    params: { teamId: team.id },
    body: { applicationId, version: '1', template: template('1') },
  })
  const both = deployment(first, { blueprintId })
  const neither = deployment(first, { templateId: undefined })
  for (const wanted of [both, neither])
    await expect(team.leader.call(releases.deploy, wanted)).rejects.toMatchObject({
      status: 400,
      key: 'catalog-source',
    })
})

test('a stack is upgraded to a newer version and rolled back, and neither version can be deleted meanwhile', async () => {
  const { name } = await deployed(first)
  const body = { templateId: second, inputs: {} }
  const plan = await team.leader.call(releases.check, { ...at(name), body })
  expect(plan.changed).toMatchObject([{ name: 'cache', fields: [{ field: 'image' }] }])
  expect(await team.leader.call(releases.upgrade, { ...at(name), body })).toMatchObject({
    state: 'open',
    version: '2',
    templateId: second,
  })
  expect(await stackOf(name)).toMatchObject({ templateId: second, templateVersion: '2' })
  await settled(async () => (await team.leader.call(releases.latest, at(name)))?.ready === true)
  for (const id of [first, second])
    await expect(app.admin.call(catalogTemplates.remove, { params: { id } })).rejects.toMatchObject({
      status: 409,
      key: 'catalog-version-in-use',
    })
  await team.leader.call(releases.rollBack, at(name))
  expect(await stackOf(name)).toMatchObject({ templateId: first, templateVersion: '1' })
})

test('an entry that a stack runs cannot be deleted; withdrawn from the team, it keeps running and cannot be deployed again', async () => {
  const { name } = await deployed(first)
  const params = { id: catalogId }
  await expect(app.admin.call(catalogs.remove, { params })).rejects.toMatchObject({
    status: 409,
    key: 'catalog-in-use',
  })
  await app.admin.call(catalogs.update, { params, body: { name: 'cache', forAll: false } })
  expect(await stackOf(name)).toMatchObject({ catalogId, templateId: first, healthyNum: 1 })
  await expect(team.leader.call(releases.deploy, deployment(first))).rejects.toMatchObject({ status: 404 })
})
