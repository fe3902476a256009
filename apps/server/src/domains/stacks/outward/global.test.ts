import { globalIngress } from '@gantry/contract/stacks/global-ingress'
import type { OutwardInput } from '@gantry/contract/stacks/outward'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { refusalOf } from '../../../../test/test-app.ts'

/** The claimed ways in of all clusters. */
const { app, newEnvironment } = await sandboxApp()

type Team = Awaited<ReturnType<typeof app.team>>
let team: Team
let other: Team
let envId = ''

async function open(of: Team, name: string, outward: OutwardInput) {
  const params = { teamId: of.id }
  const stack = await of.leader.call(stacks.create, { params, body: { name, envId } })
  const on = (serviceName: string) => ({ params: { ...params, stackId: stack.id, serviceName } })
  const ports = [{ port: 8080 }, { port: 5432 }]
  await of.leader.call(services.create, { ...on('web'), body: { image: 'registry.example.test/web:1', ports } })
  return of.leader.call(services.create, { ...on('out'), body: { outward } })
}

const targets = [{ service: 'web', port: 8080 }]
const rule = (name: string, port: number, host: string, path = '/') => ({ name, port, host, path, targets })

beforeAll(async () => {
  team = await app.team('here')
  other = await app.team('there')
  envId = (await newEnvironment('sandbox', team, other)).uuid
  await open(team, 'shop', {
    type: 'lb',
    rules: [
      rule('shop', 80, 'shop.example.com'),
      rule('api', 80, 'shop.example.com', '/api'),
      { name: 'db', protocol: 'TCP', port: 5432, targets: [{ service: 'web', port: 5432 }] },
    ],
  })
  await open(other, 'blog', {
    type: 'lb',
    rules: [rule('blog', 80, 'blog.example.com'), { name: 'db', protocol: 'TCP', port: 6000, targets }],
  })
})

describe('the rules of all clusters', () => {
  test('of the own teams are listed, searched, sorted and paged', async () => {
    const read = async (query: object = {}) => (await team.leader.call(globalIngress.rules, { query })).items
    const all = await read()
    expect(all.map(({ port, host, path, protocol }) => [port, host, path, protocol])).toEqual([
      [5432, '', '', 'TCP'],
      [80, 'shop.example.com', '/', 'HTTP'],
      [80, 'shop.example.com', '/api', 'HTTP'],
    ])
    expect(all[1]).toMatchObject({
      environment: 'sandbox',
      team: 'here',
      stack: 'shop',
      service: 'out',
      serviceType: 'lb',
      url: 'http://shop.example.com/',
    })
    expect((await read({ keyword: '/api' })).map(({ path }) => path)).toEqual(['/api'])
    expect((await read({ keyword: 'blog' })).length).toBe(0)
    expect((await read({ protocol: 'TCP' })).map(({ port }) => port)).toEqual([5432])
    expect((await read({ sort: '-port' })).map(({ port }) => port)).toEqual([5432, 80, 80])
    const page = await team.leader.call(globalIngress.rules, { query: { pageSize: 2, requestPage: 2 } })
    expect(page).toMatchObject({ totalSize: 3, items: [{ path: '/api' }] })
  })

  test('of all teams are only for administrators', async () => {
    const { items } = await app.admin.call(globalIngress.every, { query: { pageSize: -1, sort: 'team' } })
    expect(items.map((one) => one.team)).toEqual(['here', 'here', 'here', 'there', 'there'])
    expect(await refusalOf(team.leader.call(globalIngress.every, {}))).toMatchObject({ status: 403 })
  })

  test('can be filtered by port, or by host and protocol', async () => {
    const read = async (query: object) => (await team.leader.call(globalIngress.detail, { query })).items
    expect((await read({ port: 80 })).map(({ path }) => path)).toEqual(['/', '/api'])
    expect((await read({ protocol: 'HTTP', host: 'shop.example.com' })).length).toBe(2)
    expect(await read({ protocol: 'HTTPS', host: 'shop.example.com' })).toEqual([])
    expect(await read({ protocol: 'HTTP', host: 'blog.example.com' })).toEqual([])
    for (const query of [{}, { host: 'shop.example.com' }, { port: 80, protocol: 'HTTP' as const }])
      expect(await refusalOf(team.leader.call(globalIngress.detail, { query }))).toMatchObject({ status: 400 })
  })

  test('are empty for a member who may not see services', async () => {
    const member = await team.member()
    expect((await member.call(globalIngress.rules, {})).items).toEqual([])
    expect((await member.call(globalIngress.ports, {})).items).toEqual([])
  })
})

test('ports are listed with the number of their rules', async () => {
  const { items } = await team.leader.call(globalIngress.ports, {})
  expect(items).toEqual([
    { port: 80, protocol: 'HTTP', rules: 2, environments: 1 },
    { port: 5432, protocol: 'TCP', rules: 1, environments: 1 },
  ])
})

test('a team learns that others have a port, and no more', async () => {
  const where = { params: { t: team.id, e: envId } }
  const taken = await team.leader.call(globalIngress.taken, where)
  expect(taken.items).toEqual([
    { port: 80, protocol: 'HTTP', own: 2, others: true },
    { port: 5432, protocol: 'TCP', own: 1, others: false },
    { port: 6000, protocol: 'TCP', own: 0, others: true },
  ])
  expect(JSON.stringify(taken)).not.toMatch(/there|blog/)
  const urls = await team.leader.call(globalIngress.urls, where)
  expect(urls.items.map(({ url }) => url)).toEqual(['http://shop.example.com/', 'http://shop.example.com/api'])
  const grouped = { ...where, query: { group_name: 'none' } }
  expect((await team.leader.call(globalIngress.urls, grouped)).items).toEqual([])
})

test('a port that a service has as a whole is shown for a cluster', async () => {
  const { items } = await team.leader.call(globalIngress.whole, { params: { env: envId } })
  expect(items.map(({ port, protocol }) => [port, protocol])).toEqual([[5432, 'TCP']])
})
