import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environments } from '@gantry/contract/clusters/environments'
import { containers } from '@gantry/contract/stacks/containers'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labCluster } from '../apps/server/test/lab.ts'
import { until } from './builds.ts'
import { refusal, type Caller } from './caller.ts'
import { newUser, startProduct, type Product } from './product.ts'

const cluster = labCluster()
const run = randomBytes(3).toString('hex')

interface Tenant {
  teamId: number
  leader: Caller
  stack: { id: number; uuid: string; name: string; namespace: string }
  service: { id: number }
  pod: { podId: string; podName: string; name: string }
}

const kubectl = (args: string[], input = ''): string =>
  execFileSync(join(cluster?.bin ?? '', 'kubectl'), ['--kubeconfig', cluster?.kubeconfig ?? '', ...args], {
    encoding: 'utf8',
    input,
    stdio: ['pipe', 'pipe', 'pipe'],
  }).trim()

/** What kubectl says when it has to fail. */
function refusedByCluster(args: string[], input = ''): string {
  try {
    kubectl(args, input)
  } catch (error) {
    return (error as { stderr: string }).stderr
  }
  throw new Error(`the cluster did not refuse: kubectl ${args.join(' ')}`)
}

/** The name under which the product acts for somebody of the team: kubectl with it has what the product has for them. */
const as = ({ teamId }: Tenant): string[] => ['--as', 'gantry:user:somebody', '--as-group', `gantry:team:${teamId}`]

const podOf = (name: string, container: object, pod: object = {}) => ({
  containers: [{ name, image: 'localhost/web:1', ...container }],
  ...pod,
})
const deploymentOf = (name: string, spec: object): string =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec },
    },
  })

describe.skipIf(cluster === undefined)('tenants on a real cluster (needs the lab’s kube)', () => {
  let product: Product
  let envId: string
  let a: Tenant
  let b: Tenant

  async function tenant(name: string): Promise<Tenant> {
    const { id: teamId } = await product.admin.call(teams.create, { body: { name: `${name}-${run}` } })
    const { admin } = product
    await admin.call(environments.assign, { params: { env: envId }, query: { tenant: teamId } })
    const leader = await newUser(product, `${name}-lead-${run}`, { teamId, roleId: 'leader' })
    const stack = await leader.call(stacks.create, {
      params: { teamId },
      body: { name: 'shop', envId, quota: { cpu: 1, memory: 0.5 } },
    })
    const { id } = await leader.call(services.create, {
      params: { teamId, stackId: stack.id, serviceName: 'web' },
      body: { image: 'localhost/web:1', ports: [{ port: 8080 }], resources: { cpu: '0.2', memory: '64Mi' } },
    })
    const params = { teamId, envId, id }
    await until(async () => (await leader.call(services.get, { params })).state === 'stable')
    const [pod] = (await leader.call(services.containers, { params })).items
    if (!pod) throw new Error('a stable service without a pod')
    return { teamId, leader, stack, service: { id }, pod }
  }

  beforeAll(async () => {
    product = await startProduct({ GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8', GANTRY_SANDBOX: 'off' })
    const environment = await product.admin.call(environments.create, {
      body: { name: 'lab', kubeconfig: readFileSync(cluster?.kubeconfig ?? '', 'utf8') },
    })
    envId = environment.uuid
    ;[a, b] = await Promise.all([tenant('a'), tenant('b')])
  })

  afterAll(async () => {
    for (const one of [a, b])
      if (one) kubectl(['delete', 'namespace', one.stack.namespace, '--ignore-not-found', '--wait=false'])
    await product?.stop()
  })

  test('a member may do what the role says, and the cluster is not even asked for more', async () => {
    const { teamId, leader, stack, service, pod } = a
    const role = await leader.call(roles.create, { params: { teamId }, query: { roleName: 'looks' } })
    await leader.call(roles.setPermissions, {
      params: { teamId, roleId: role.id },
      body: [
        { name: 'stack_service_view', enable: true },
        { name: 'stack_stack_view', enable: true },
      ],
    })
    const member = await newUser(product, `a-looks-${run}`, { teamId, roleId: role.id })
    const params = { teamId, envId, id: service.id }
    expect((await member.call(services.get, { params })).name).toBe('web')

    const generation = () =>
      kubectl(['-n', stack.namespace, 'get', 'deployment', 'web', '--output=jsonpath={.metadata.generation}'])
    const before = generation()
    const refusals = await Promise.all([
      refusal(member, services.act, { params, query: { action: 'scale', replicas: 3 } }),
      refusal(member, services.remove, { params: { teamId, envId, idAndType: `${service.id}_business` } }),
      refusal(member, services.restart, { params: { teamId, envId, stackName: stack.name }, body: ['web'] }),
      refusal(member, stacks.remove, { params: { teamId, envId, stackId: stack.id } }),
      refusal(member, containers.act, { params: { teamId, envId, id: pod.podId }, query: { action: 'execute' } }),
      refusal(member, containers.log, { params: { teamId, envId, podId: pod.podId, name: pod.name } }),
    ])
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 403))
    expect(generation()).toBe(before)
  })

  test('another team’s service, pod and log are not there', async () => {
    const { teamId, leader } = b
    const id = a.service.id
    const { podId, name } = a.pod
    const refusals = await Promise.all([
      refusal(leader, services.get, { params: { teamId, envId, id } }),
      refusal(leader, services.act, { params: { teamId, envId, id }, query: { action: 'scale', replicas: 3 } }),
      refusal(leader, stacks.get, { params: { teamId, envId, stackId: a.stack.uuid } }),
      refusal(leader, containers.log, { params: { teamId, envId, podId, name } }),
      refusal(leader, containers.act, { params: { teamId, envId, id: podId }, query: { action: 'execute' } }),
    ])
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 404))
    expect(
      await refusal(leader, services.get, { params: { teamId: a.teamId, envId, id: a.service.id } }),
    ).toMatchObject({
      status: 403,
      key: 'user-team',
    })
  })

  test('the API server itself grants a team its own namespace and no more', () => {
    const [own, other] = [a.stack.namespace, b.stack.namespace]
    const may = (verb: string, resource: string, namespace: string): string => {
      try {
        const [kind = '', subresource = ''] = resource.split('/')
        return kubectl(['auth', 'can-i', verb, kind, '--subresource', subresource, '--namespace', namespace, ...as(a)])
      } catch (error) {
        return (error as { stdout: string }).stdout.trim()
      }
    }
    const asked: [string, string, string][] = [
      ['patch', 'deployments.apps', own],
      ['get', 'pods/log', own],
      ['create', 'pods/exec', own],
      ['create', 'pods', own],
      ['patch', 'resourcequotas', own],
      ['delete', 'networkpolicies.networking.k8s.io', own],
      ['patch', 'roles.rbac.authorization.k8s.io', own],
      ['create', 'rolebindings.rbac.authorization.k8s.io', own],
      ['create', 'serviceaccounts/token', own],
      ['patch', 'namespaces', own],
      ['get', 'pods', other],
      ['get', 'secrets', other],
      ['create', 'pods/exec', other],
      ['get', 'secrets', 'kube-system'],
      ['list', 'nodes', own],
      ['impersonate', 'users', own],
    ]
    expect(asked.filter(([verb, resource, namespace]) => may(verb, resource, namespace) === 'yes')).toEqual(
      asked.slice(0, 3),
    )
  })

  test('Pod Security refuses what reaches for the node, whoever asks', () => {
    const pods: [string, object][] = [
      ['privileged', podOf('x', { securityContext: { privileged: true } })],
      ['hostPath', podOf('x', {}, { volumes: [{ name: 'root', hostPath: { path: '/' } }] })],
      ['host namespaces', podOf('x', {}, { hostNetwork: true, hostPID: true })],
    ]
    for (const [what, spec] of pods) {
      const pod = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec })
      const said = refusedByCluster(['-n', a.stack.namespace, 'create', '--filename=-'], pod)
      expect(said).toContain('violates PodSecurity "baseline')
      expect(said).toContain(what)
    }
  })

  test.each([
    ['privileged pods', { securityContext: { privileged: true } }, 'violates PodSecurity'],
    ['more than the stack’s share', { resources: { limits: { cpu: '2', memory: '64Mi' } } }, 'exceeded quota'],
  ])('a team that writes a workload of its own past the product gets no %s', async (_, container, said) => {
    const name = said.split(' ')[0]?.toLowerCase() ?? ''
    const limits = { resources: { limits: { cpu: '0.1', memory: '64Mi' } } }
    kubectl(
      ['-n', a.stack.namespace, ...as(a), 'create', '--filename=-'],
      deploymentOf(name, podOf('x', { ...limits, ...container })),
    )
    const failure = '{.status.conditions[?(@.type=="ReplicaFailure")].message}'
    const message = await until(() =>
      kubectl(['-n', a.stack.namespace, 'get', 'deployment', name, `--output=jsonpath=${failure}`]),
    )
    expect(message).toContain(said)
    expect(kubectl(['-n', a.stack.namespace, 'get', 'pods', `--selector=app=${name}`, '--output=name'])).toBe('')
  })

  test('a pod holds no credential of the cluster, and its namespace is closed to other teams', () => {
    const { namespace } = a.stack
    const mounted = kubectl(['-n', namespace, 'get', 'pod', a.pod.podName, '--output=jsonpath={.spec.volumes}'])
    expect(mounted).toBe('')
    const listed = kubectl([
      '-n',
      namespace,
      'exec',
      a.pod.podName,
      '--',
      'sh',
      '-c',
      'ls /var/run/secrets || echo none',
    ])
    expect(listed).toContain('none')
    const policy = JSON.parse(
      kubectl(['-n', namespace, 'get', 'networkpolicy', 'gantry-team-only', '--output=json']),
    ) as { spec: object }
    expect(policy.spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ namespaceSelector: { matchLabels: { 'gantry.dev/team': String(a.teamId) } } }] }],
    })
  })

  test('the product acts in the team’s name: where the cluster takes the team’s rights, it has none either, and says so', async () => {
    const { teamId, leader, stack, service } = a
    kubectl(['-n', stack.namespace, 'delete', 'rolebinding', 'gantry-team'])
    const params = { teamId, envId, id: service.id }
    await leader.call(services.act, { params, query: { action: 'scale', replicas: 2 } })
    const failed = await until(async () => {
      const now = await leader.call(services.get, { params })
      return now.state === 'failed' && now
    })
    expect(failed.message).toContain('deployments')
    const replicas = kubectl(['-n', stack.namespace, 'get', 'deployment', 'web', '--output=jsonpath={.spec.replicas}'])
    expect(replicas).toBe('1')
  })
})
