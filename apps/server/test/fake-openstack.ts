import { type Answer, fakeApi, reply, type Seen } from './kube-api.ts'

/** Ids in OpenStack's format. */
export const fakeIds = {
  project: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  pods: '11111111-1111-4111-8111-111111111111',
  services: '22222222-2222-4222-8222-222222222222',
  hosts: '33333333-3333-4333-8333-333333333333',
  network: '44444444-4444-4444-8444-444444444444',
  open: '55555555-5555-4555-8555-555555555555',
  closed: '66666666-6666-4666-8666-666666666666',
} as const

export const fakeAccount = {
  username: 'kuryr',
  password: 'keystone-canary-7',
  projectName: 'demo',
  projectDomainName: 'Default',
  userDomainName: 'Default',
} as const

const project = { id: fakeIds.project, name: 'demo', enabled: true }
const subnets = [
  { id: fakeIds.pods, name: 'pods-subnet', cidr: '10.20.0.0/16' },
  { id: fakeIds.services, name: 'services-subnet', cidr: '10.21.0.0/16' },
  { id: fakeIds.hosts, name: 'hosts-subnet', cidr: '192.168.40.0/24' },
].map((subnet) => ({ ...subnet, network_id: fakeIds.network, allocation_pools: [] }))

interface TokenRequest {
  auth: {
    identity: { methods: string[]; password?: { user: { name: string; password: string; domain: { name: string } } } }
    scope: 'unscoped' | { project: { name: string; domain: { name: string } } }
  }
}

/**
 * Fake Keystone and Neutron in one: one user, one project, three subnets, two security groups. `answer` replaces the
 * answers by slow, wrong or hostile ones.
 */
export async function fakeOpenStack({ networkUrl }: { networkUrl?: () => string } = {}) {
  const refuse: Answer = (_, response) => reply(response, { error: { code: 401 } }, 401)
  const signIn = ({ body }: Seen): object | undefined => {
    const { identity, scope } = (JSON.parse(body) as TokenRequest).auth
    const { user } = identity.password ?? {}
    const known =
      user === undefined ||
      (user.name === fakeAccount.username && user.password === fakeAccount.password && user.domain.name === 'Default')
    if (!known) return undefined
    if (scope === 'unscoped') return {}
    if (scope.project.name !== 'demo' || scope.project.domain.name !== 'Default') return undefined
    const url = networkUrl?.() ?? api.address.server
    return { project, catalog: [{ type: 'network', endpoints: [{ interface: 'public', url }] }] }
  }
  const honest: Answer = (seen, response) => {
    const { path, method } = seen
    if (method === 'POST' && path === '/v3/auth/tokens') {
      const token = signIn(seen)
      return token ? reply(response, { token }, 201, { 'x-subject-token': 'token-of-a-test' }) : refuse(seen, response)
    }
    if (seen.headers['x-auth-token'] !== 'token-of-a-test') return refuse(seen, response)
    if (path === '/v3/projects') return reply(response, { error: { code: 403 } }, 403)
    if (path === '/v3/auth/projects') return reply(response, { projects: [project] })
    const shared = seen.query.get('shared') === 'true'
    const ours = !shared && seen.query.get('project_id') === fakeIds.project
    if (path === '/v2.0/networks')
      return reply(response, { networks: ours ? [{ id: fakeIds.network, name: 'net' }] : [] })
    if (path === '/v2.0/subnets') return reply(response, { subnets: ours ? subnets : [] })
    if (path === '/v2.0/security-groups')
      return reply(response, {
        security_groups: ours
          ? [
              { id: fakeIds.open, name: 'pods-open' },
              { id: fakeIds.closed, name: '' },
            ]
          : [],
      })
    return reply(response, { error: { code: 404 } }, 404)
  }
  const api = await fakeApi(honest)
  return {
    ...api,
    authUrl: `${api.address.server}/v3`,
    account: { ...fakeAccount, authUrl: `${api.address.server}/v3` },
    answerHonestly: honest,
    honest: () => api.answer(honest),
  }
}
