import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { fakeAccount, fakeIds, fakeOpenStack } from '../../../test/fake-openstack.ts'
import { reply } from '../../../test/kube-api.ts'
import { Fault } from '../../kernel/fault.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { identityUrl } from './identity-url.ts'
import { networkUrl } from './neutron.ts'
import { createOpenStack } from './openstack.ts'

const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
const openstack = createOpenStack(outbound)
const fake = await fakeOpenStack()
const { account } = fake
afterEach(fake.honest)
afterAll(async () => {
  await fake[Symbol.asyncDispose]()
  await outbound.close()
})

const faultOf = async (work: Promise<unknown>): Promise<Fault> => {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(outcome instanceof Fault)) throw new Error(`no fault: ${String(outcome)}`)
  expect(JSON.stringify([outcome.vars, outcome.message, outcome.problems])).not.toContain(fakeAccount.password)
  return outcome
}

test.for([
  ['http://k:5000', 'http://k:5000/v3/'],
  ['http://k:5000/', 'http://k:5000/v3/'],
  ['http://k:5000/v3', 'http://k:5000/v3/'],
  ['http://k:5000/v3//', 'http://k:5000/v3/'],
  ['http://k:5000/v2.0', 'http://k:5000/v3/'],
  ['https://k/identity', 'https://k/identity/v3/'],
  ['https://k/identity/v3?x=1#y', 'https://k/identity/v3/'],
] as const)('%s is called at %s', ([given, expected]) => expect(identityUrl(given).href).toBe(expected))

test.for([
  ['http://n:9696', 'http://n:9696/v2.0/'],
  ['https://n/network/v2.0/', 'https://n/network/v2.0/'],
] as const)('the catalogue’s %s is called at %s', ([given, expected]) => expect(networkUrl(given).href).toBe(expected))

test('choices are those of the account’s project, unless another one is given', async () => {
  const choices = await openstack.choices(account)
  expect(choices).toMatchObject({
    project: fakeIds.project,
    projects: [{ id: fakeIds.project, name: 'demo' }],
    networks: [{ id: fakeIds.network, name: 'net' }],
    // an object without a name is shown by its id
    securityGroups: [{ name: 'pods-open' }, { id: fakeIds.closed, name: fakeIds.closed }],
    truncated: false,
  })
  expect(choices.subnets.map(({ cidr }) => cidr)).toEqual(['10.20.0.0/16', '10.21.0.0/16', '192.168.40.0/24'])
  expect(await openstack.choices(account, 'b'.repeat(32))).toMatchObject({ project: 'b'.repeat(32), subnets: [] })
})

test.for([
  [500, Infinity, 2000, true],
  // a Neutron whose operator limits the page size
  [100, 250, 250, false],
  [100, 300, 300, false],
  [100, 5000, 2000, true],
] as const)('pages of %i of %i: %i are read, truncated: %s', async ([size, all, read, cut]) => {
  const page = (from: number) =>
    Array.from({ length: Math.min(size, all - from) }, (_, at) => ({
      id: String(from + at).padStart(32, '0'),
      name: 'g',
    }))
  let pages = 0
  fake.answer((seen, response) => {
    if (seen.path === '/v3/auth/tokens') {
      const url = fake.address.server
      const catalog = [{ type: 'network', endpoints: [{ interface: 'public', url }] }]
      const token = { project: { id: fakeIds.project, name: 'demo' }, catalog }
      return reply(response, { token }, 201, { 'x-subject-token': 't' })
    }
    if (seen.path === '/v3/projects') return reply(response, { projects: [] })
    if (seen.path !== '/v2.0/security-groups') return reply(response, { networks: [], subnets: [] })
    expect(seen.query.get('marker') ?? '').toBe(pages === 0 ? '' : page((pages - 1) * size).at(-1)?.id)
    const groups = page(pages++ * size)
    const next = groups.length === size && { security_groups_links: [{ rel: 'next', href: 'http://127.0.0.1:1/' }] }
    return reply(response, { security_groups: groups, ...next })
  })
  const { securityGroups, truncated } = await openstack.choices(account)
  expect([securityGroups.length, truncated]).toEqual([read, cut])
})

describe('a lookup by id', () => {
  const other = 'b'.repeat(32)
  const wanted = { project: other, subnets: [fakeIds.pods, fakeIds.hosts], securityGroups: [fakeIds.open] }

  test('finds objects of the project or shared with it, and nothing else', async () => {
    fake.answer((seen, response) => {
      if (!seen.path.startsWith('/v2.0/')) return fake.answerHonestly(seen, response)
      const ids = seen.query.getAll('id')
      const shared = seen.query.get('shared') === 'true'
      expect(shared ? null : seen.query.get('project_id')).toBe(shared ? null : other)
      if (seen.path === '/v2.0/security-groups')
        return reply(response, { security_groups: ids.map((id) => ({ id, name: 'open' })) })
      expect([ids, seen.query.get('ip_version')]).toEqual([wanted.subnets, '4'])
      const [id] = shared ? ids.slice(1) : ids
      return reply(response, { subnets: [{ id, name: 's', network_id: 'n', cidr: '10.0.0.0/24' }] })
    })
    expect(await openstack.find(account, wanted)).toMatchObject({
      project: undefined,
      subnets: wanted.subnets.map((id) => ({ id })),
      securityGroups: [{ id: fakeIds.open, name: 'open' }],
    })
  })

  const named = { id: other, name: 'other' }
  test.for([
    ['one that the account may read', 200, { project: named }, [], 'other'],
    ['one that is off', 200, { project: { ...named, enabled: false } }, [named], undefined],
    ['one that it may only use', 403, {}, [named], 'other'],
    ['one of which it is not told', 404, {}, [], undefined],
  ] as const)('a project: %s', async ([_, status, answer, own, name]) => {
    fake.answer((seen, response) => {
      if (seen.path === `/v3/projects/${other}`) return reply(response, answer, status)
      if (seen.path === '/v3/auth/projects') return reply(response, { projects: own })
      return fake.answerHonestly(seen, response)
    })
    expect((await openstack.find(account, wanted)).project?.name).toBe(name)
  })

  test('does not request the account’s own project', async () => {
    fake.answer((seen, response) => {
      expect(seen.path).not.toContain('projects')
      return fake.answerHonestly(seen, response)
    })
    const { project } = await openstack.find(account, { ...wanted, project: fakeIds.project })
    expect(project).toEqual({ id: fakeIds.project, name: 'demo' })
  })
})

test('finds shared networks with their subnets, however many they are', async () => {
  const id = (at: number) => String(at).padStart(32, '0')
  const many = Array.from({ length: 120 }, (_, at) => at)
  fake.answer((seen, response) => {
    if (seen.query.get('shared') !== 'true') return fake.answerHonestly(seen, response)
    if (seen.path === '/v2.0/networks') return reply(response, { networks: many.map((at) => ({ id: id(at) })) })
    expect(seen.query.get('ip_version')).toBe('4')
    const subnets = many.map((at) => ({ id: `s${id(at)}`, name: `s${at}`, network_id: id(at), cidr: '10.0.0.0/24' }))
    return reply(response, { subnets })
  })
  const { networks, subnets, truncated } = await openstack.choices(account)
  expect([networks.length, subnets.length, truncated]).toEqual([121, 123, false])
})

test.for([
  ['more than are told', 2500, {}, 2001, true],
  ['those that Keystone itself cut', 3, { truncated: true }, 4, true],
  ['more than can be read: those of the account', 40_000, {}, 2, true],
  ['few', 3, {}, 4, false],
] as const)('projects, %s', async ([_, count, more, expected, cut]) => {
  const projects = Array.from({ length: count }, (_, at) => ({ id: `p${at}`, name: 'x'.repeat(100) }))
  fake.answer((seen, response) => {
    if (seen.path === '/v3/projects') return reply(response, { projects, ...more })
    if (seen.path === '/v3/auth/projects') return reply(response, { projects: projects.slice(0, 1) })
    return fake.answerHonestly(seen, response)
  })
  const choices = await openstack.choices(account)
  expect([choices.projects.length, choices.truncated]).toEqual([expected, cut])
  expect(choices.projects[0]).toEqual({ id: fakeIds.project, name: 'demo' })
})

describe('every failure has its own phrase, and none reveals the password', () => {
  test('a wrong user, password or user domain', async () => {
    for (const wrong of [{ password: 'other-canary-1' }, { username: 'x' }, { userDomainName: 'x' }])
      expect((await faultOf(openstack.verify({ ...account, ...wrong }))).key).toBe('openstack-password-refused')
  })

  test('an unknown project, and one of another domain', async () => {
    const unknown = await faultOf(openstack.verify({ ...account, projectName: 'secret-one' }))
    expect(unknown).toMatchObject({ key: 'openstack-project-refused', vars: { projects: 'demo' } })
    expect((await faultOf(openstack.verify({ ...account, projectDomainName: 'x' }))).key).toBe(
      'openstack-domain-refused',
    )
  })

  test('another server than Keystone', async () => {
    const answers = [
      ['<html>', 200, {}],
      ['{}', 201, {}],
      ['{"token":{}}', 201, { 'x-subject-token': 'two words' }],
      ['not found', 404, {}],
      ['{"token":7}', 201, { 'x-subject-token': 't' }],
    ] as const
    for (const [body, status, headers] of answers) {
      fake.answer((_, response) => void response.writeHead(status, headers).end(body))
      expect((await faultOf(openstack.verify(account))).key).toBe('openstack-not-keystone')
    }
  })

  test('a refusal that echoes what it was sent', async () => {
    for (const [status, key] of [
      [401, 'openstack-password-refused'],
      [400, 'openstack-not-keystone'],
      [500, 'openstack-trouble'],
      [429, 'openstack-trouble'],
    ] as const) {
      fake.answer(({ body }, response) => reply(response, { error: { message: body } }, status))
      expect((await faultOf(openstack.verify(account))).key).toBe(key)
    }
  })

  test('a list of projects that contains the password', async () => {
    fake.answer(({ path, body }, response) => {
      if (path === '/v3/auth/projects') {
        const names = [fakeAccount.password, Buffer.from(fakeAccount.password).toString('base64'), 'fine']
        return reply(response, { projects: names.map((name) => ({ id: 'x', name })) })
      }
      if (body.includes('unscoped')) return reply(response, { token: {} }, 201, { 'x-subject-token': 't' })
      return reply(response, {}, 401)
    })
    const { vars } = await faultOf(openstack.verify(account))
    expect(vars['projects']).toContain('fine')
    expect(vars['projects']).not.toContain(Buffer.from(fakeAccount.password).toString('base64'))
  })

  test('a redirect is not followed, least of all with the password', async () => {
    fake.seen.length = 0
    fake.answer((_, response) => void response.writeHead(307, { location: '/elsewhere' }).end())
    expect((await faultOf(openstack.verify(account))).key).toBe('outbound-redirect')
    expect(fake.seen.map(({ path }) => path)).toEqual(['/v3/auth/tokens'])
  })

  test('an endless body is cut', async () => {
    fake.answer((_, response) => {
      response.writeHead(201, { 'x-subject-token': 't' })
      const more = () => response.write('x'.repeat(65_536), () => !response.destroyed && setImmediate(more))
      response.on('error', () => undefined)
      more()
    })
    expect((await faultOf(openstack.verify(account))).key).toBe('outbound-too-large')
  })

  test('a server that accepts and never answers', async () => {
    fake.answer(() => undefined)
    expect((await faultOf(openstack.verify(account))).key).toBe('outbound-timeout')
  })

  test('an unreachable host, an internal address, an unknown protocol', async () => {
    const at = (authUrl: string, port = openstack) => faultOf(port.verify({ ...account, authUrl }))
    expect((await at('http://127.0.0.1:1/v3')).key).toBe('outbound-unreachable')
    const strict = createOpenStack(createOutbound())
    for (const url of [account.authUrl, 'http://169.254.169.254/v3', 'http://[::1]:5000', 'http://localhost:5000'])
      expect((await at(url, strict)).key).toBe('outbound-refused')
  })
})

test('the address of Neutron in the catalogue is checked by the guard too', async () => {
  for (const [url, key] of [
    ['http://169.254.169.254/', 'openstack-network-blocked'],
    ['http://[::1]:9696', 'openstack-network-blocked'],
    ['file:///etc/passwd', 'openstack-no-network'],
    ['not an address', 'openstack-no-network'],
  ] as const) {
    await using hostile = await fakeOpenStack({ networkUrl: () => url })
    expect((await faultOf(openstack.choices(hostile.account))).key).toBe(key)
  }
})

test('a Neutron that refuses, fails or answers something else has its own fault', async () => {
  for (const [status, body, key] of [
    [401, '{}', 'openstack-network-forbidden'],
    [403, '{}', 'openstack-network-forbidden'],
    [500, '{}', 'openstack-trouble'],
    [200, '{"networks":7}', 'outbound-not-json'],
  ] as const) {
    await using neutron = await fakeOpenStack()
    neutron.answer((_, response) => void response.writeHead(status).end(body))
    await using keystone = await fakeOpenStack({ networkUrl: () => neutron.address.server })
    expect((await faultOf(openstack.choices(keystone.account))).key).toBe(key)
  }
})
