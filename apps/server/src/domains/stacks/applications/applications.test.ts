import { applications, servicesOfEach } from '@gantry/contract/stacks/applications'
import { products } from '@gantry/contract/products/products'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'

const { app, newEnvironment } = await sandboxApp()
const team = await app.team()
const { uuid: envId } = await newEnvironment('here', team)
const inTeam = { teamId: team.id }
const all = { ...inTeam, envId: 'all' }
let productId = 0

const newStack = (name: string, more: object = {}) =>
  team.leader.call(stacks.create, { params: inTeam, body: { name, envId, ...more } })
const newService = (stackId: string, serviceName: string) =>
  team.leader.call(services.create, {
    params: { ...inTeam, stackId, serviceName },
    body: { image: 'example.test/a:1' },
  })
const set = (table: 'stack' | 'service', name: string, state: 'failed' | 'upgraded' | 'stable') =>
  app.db.updateTable(table).set({ state }).where('name', '=', name).execute()

beforeAll(async () => {
  productId = (await team.leader.call(products.create, { params: { team: team.id }, body: { name: 'shop' } })).id
  for (const name of ['shop-12', 'shop-108']) {
    const { uuid } = await newStack(name, name === 'shop-12' ? { productId } : {})
    for (const service of ['web', `ledger-of-${name}`]) await newService(uuid, service)
  }
  await set('service', 'ledger-of-shop-12', 'failed')
  await set('service', 'ledger-of-shop-108', 'upgraded')
  await set('stack', 'shop-108', 'failed')
})

describe('applications', () => {
  const list = async (query: object = {}, as = team.leader) =>
    (await as.call(applications.list, { params: all, query })).items
  const names = async (query: object = {}) => (await list(query)).map(({ name }) => name)

  test('are stacks with their services, in one call', async () => {
    expect((await list()).map(({ name, services: of }) => [name, of?.map((service) => service.name)])).toEqual([
      ['shop-12', ['ledger-of-shop-12', 'web']],
      ['shop-108', ['ledger-of-shop-108', 'web']],
    ])
  })

  test('are found by state, product and text, including a service’s name', async () => {
    expect(await names({ state: 'failed' })).toEqual(['shop-108'])
    expect(await names({ productId })).toEqual(['shop-12'])
    expect(await names({ keyword: '108' })).toEqual(['shop-108'])
    expect(await names({ keyword: 'LEDGER-OF-SHOP-12' })).toEqual(['shop-12'])
    expect(await names({ keyword: 'web' })).toEqual(['shop-12', 'shop-108'])
    await expect(list({ state: 'stable' })).rejects.toMatchObject({ status: 400 })
  })

  test('hide their services from users who may not view them', async () => {
    const member = await team.member(['stack_stack_view'])
    expect((await list({}, member)).map((stack) => stack.services)).toEqual([null, null])
  })

  test('list no more services than a screen shows', async () => {
    const { uuid } = await newStack('many')
    for (let n = 0; n < servicesOfEach + 2; n++) await newService(uuid, `part-${n}`)
    const [many] = await list({ keyword: 'many' })
    expect(many?.serviceNum).toBe(servicesOfEach + 2)
    expect(many?.services?.map(({ name }) => name)).toEqual(
      Array.from({ length: servicesOfEach }, (_, n) => `part-${n}`),
    )
    await app.db.deleteFrom('stack').where('name', '=', 'many').execute()
  })
})

describe('the services of a team', () => {
  const names = async (query: object) =>
    (await team.leader.call(applications.services, { params: all, query })).items.map(
      ({ name, stackName }) => `${stackName}/${name}`,
    )

  test('are listed over all stacks, page by page', async () => {
    expect(await names({ sort: 'stack' })).toEqual([
      'shop-12/ledger-of-shop-12',
      'shop-12/web',
      'shop-108/ledger-of-shop-108',
      'shop-108/web',
    ])
    expect(await names({ pageSize: 2, requestPage: 2 })).toEqual(['shop-12/web', 'shop-108/web'])
    expect((await names({ sort: '-name' }))[0]).toBe('shop-12/web')
    await expect(names({ sort: 'image' })).rejects.toMatchObject({ status: 400 })
  })

  test('are found by the dashboard’s states, by product and by text', async () => {
    expect(await names({ state: 'failed' })).toEqual(['shop-12/ledger-of-shop-12'])
    expect(await names({ state: 'healthy' })).toEqual(['shop-108/ledger-of-shop-108'])
    expect(await names({ state: 'changing' })).toEqual(['shop-12/web', 'shop-108/web'])
    expect(await names({ productId })).toEqual(['shop-12/ledger-of-shop-12', 'shop-12/web'])
    expect(await names({ keyword: 'shop-108' })).toEqual(['shop-108/ledger-of-shop-108', 'shop-108/web'])
  })

  test('are found by type and by the operating system of their pods, as are the stacks that have one', async () => {
    const { uuid } = await newStack('kinds')
    const add = (serviceName: string, body: object) =>
      team.leader.call(services.create, { params: { ...inTeam, stackId: uuid, serviceName }, body: body as never })
    await add('old', { image: 'example.test/a:1', placement: { os: 'windows' } })
    await add('plain', { image: 'example.test/a:1' })
    await add('mail', { outward: { type: 'external', dns: 'mail.example.com' } })
    const keyword = 'kinds'
    expect(await names({ keyword, type: 'external' })).toEqual(['kinds/mail'])
    expect(await names({ keyword, osType: 'windows' })).toEqual(['kinds/old'])
    expect(await names({ keyword, osType: 'linux' })).toEqual(['kinds/plain'])
    expect(await names({ keyword, osType: 'linux', type: 'external' })).toEqual([])
    const found = async (query: object) =>
      (await team.leader.call(applications.list, { params: all, query })).items.map(({ name }) => name)
    expect(await found({ osType: 'windows' })).toEqual(['kinds'])
    expect(await found({ type: 'lb' })).toEqual([])
    await app.db.deleteFrom('stack').where('name', '=', 'kinds').execute()
  })

  test('do not include another team’s', async () => {
    const other = await app.team()
    const theirs = await other.leader.call(applications.services, { params: { teamId: other.id, envId: 'all' } })
    expect(theirs.items).toEqual([])
  })
})
