import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clusters } from '@gantry/contract/clusters/clusters'
import { pods } from '@gantry/contract/clusters/pods'
import { containers } from '@gantry/contract/stacks/containers/containers'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { roles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { labCluster } from '../apps/server/test/lab.ts'
import { patient } from './builds.ts'
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

/** The error of a kubectl command that must fail. */
function refusedByCluster(args: string[], input = ''): string {
  try {
    kubectl(args, input)
  } catch (error) {
    return (error as { stderr: string }).stderr
  }
  throw new Error(`the cluster did not refuse: kubectl ${args.join(' ')}`)
}

/** The identity that the product uses for the team's users: with it, kubectl has the same rights. */
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
    await admin.call(clusters.assign, { params: { env: envId }, query: { tenant: teamId } })
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
    await eventually(
      () => leader.call(services.get, { params }),
      ({ state }) => state === 'stable',
      patient,
    )
    const [pod] = (await leader.call(services.containers, { params })).items
    if (!pod) throw new Error('a stable service without a pod')
    return { teamId, leader, stack, service: { id }, pod }
  }

  beforeAll(async () => {
    product = await startProduct({ GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8', GANTRY_SANDBOX: 'off' })
    const joined = await product.admin.call(clusters.create, {
      body: { name: 'lab', kubeconfig: readFileSync(cluster?.kubeconfig ?? '', 'utf8') },
    })
    envId = joined.uuid
    ;[a, b] = await Promise.all([tenant('a'), tenant('b')])
  })

  afterAll(async () => {
    for (const one of [a, b])
      if (one) kubectl(['delete', 'namespace', one.stack.namespace, '--ignore-not-found', '--wait=false'])
    await product?.stop()
  })

  test('a member may do what the role permits, and other requests do not reach the cluster', async () => {
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
      refusal(member, services.scale, { params, query: { replicas: 3 } }),
      refusal(member, services.remove, { params: { teamId, envId, idAndType: `${service.id}_business` } }),
      refusal(member, services.restart, { params: { teamId, envId, stackName: stack.name }, body: ['web'] }),
      refusal(member, stacks.remove, { params: { teamId, envId, stackId: stack.id } }),
      refusal(member, containers.execute, { params: { teamId, envId, id: pod.podId } }),
      refusal(member, containers.log, { params: { teamId, envId, podId: pod.podId, name: pod.name } }),
    ])
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 403))
    expect(generation()).toBe(before)
  })

  test('another team’s service, pod and log are not found', async () => {
    const { teamId, leader } = b
    const id = a.service.id
    const { podId, name } = a.pod
    const refusals = await Promise.all([
      refusal(leader, services.get, { params: { teamId, envId, id } }),
      refusal(leader, services.scale, { params: { teamId, envId, id }, query: { replicas: 3 } }),
      refusal(leader, stacks.get, { params: { teamId, envId, stackId: a.stack.uuid } }),
      refusal(leader, containers.log, { params: { teamId, envId, podId, name } }),
      refusal(leader, containers.execute, { params: { teamId, envId, id: podId } }),
    ])
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 404))
    expect(
      await refusal(leader, services.get, { params: { teamId: a.teamId, envId, id: a.service.id } }),
    ).toMatchObject({
      status: 403,
      key: 'user-team',
    })
  })

  test('the API server itself grants a team its own namespace and nothing else', () => {
    const [own, other] = [a.stack.namespace, b.stack.namespace]
    const may = (verb: string, resource: string, namespace: string): string => {
      try {
        const [kind = '', subresource = ''] = resource.split('/')
        return kubectl(['auth', 'can-i', verb, kind, '--subresource', subresource, '--namespace', namespace, ...as(a)])
      } catch (error) {
        return (error as { stdout: string }).stdout.trim()
      }
    }
    const rights: [string, string, string][] = [
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
    expect(rights.filter(([verb, resource, namespace]) => may(verb, resource, namespace) === 'yes')).toEqual(
      rights.slice(0, 3),
    )
  })

  test('Pod Security refuses access to the node, to everybody', () => {
    const hostile: [string, object][] = [
      ['privileged', podOf('x', { securityContext: { privileged: true } })],
      ['hostPath', podOf('x', {}, { volumes: [{ name: 'root', hostPath: { path: '/' } }] })],
      ['host namespaces', podOf('x', {}, { hostNetwork: true, hostPID: true })],
    ]
    for (const [what, spec] of hostile) {
      const pod = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec })
      const said = refusedByCluster(['-n', a.stack.namespace, 'create', '--filename=-'], pod)
      expect(said).toContain('violates PodSecurity "baseline')
      expect(said).toContain(what)
    }
  })

  const limits = { resources: { limits: { cpu: '0.1', memory: '64Mi' } } }
  const security = (securityContext: object) => ({ securityContext })
  test.each<[string, object, object, string]>([
    ['privileged pods', security({ privileged: true }), {}, 'violates PodSecurity'],
    ['capabilities of the node', security({ capabilities: { add: ['SYS_ADMIN'] } }), {}, 'violates PodSecurity'],
    ['bare proc file system', security({ procMount: 'Unmasked' }), { hostUsers: false }, 'violates PodSecurity'],
    ['port of the node', { ports: [{ containerPort: 8080, hostPort: 80 }] }, {}, 'violates PodSecurity'],
    ['host path', {}, { volumes: [{ name: 'root', hostPath: { path: '/' } }] }, 'violates PodSecurity'],
    ['host network', {}, { hostNetwork: true }, 'violates PodSecurity'],
    ['process list of the node', {}, { hostPID: true }, 'violates PodSecurity'],
    ['more than the stack’s share', { resources: { limits: { cpu: '2', memory: '64Mi' } } }, {}, 'exceeded quota'],
    ['account that it does not have', {}, { serviceAccountName: 'admin' }, 'not found'],
  ])('a team that creates a workload without the product gets no %s', async (what, container, spec, said) => {
    const name = what.toLowerCase().replaceAll(/[^a-z]+/g, '-')
    kubectl(
      ['-n', a.stack.namespace, ...as(a), 'create', '--filename=-'],
      deploymentOf(name, podOf('x', { ...limits, ...container }, spec)),
    )
    const failure = '{.status.conditions[?(@.type=="ReplicaFailure")].message}'
    const message = await eventually(
      () => kubectl(['-n', a.stack.namespace, 'get', 'deployment', name, `--output=jsonpath=${failure}`]),
      (text) => text !== '',
      patient,
    )
    expect(message).toContain(said)
    expect(kubectl(['-n', a.stack.namespace, 'get', 'pods', `--selector=app=${name}`, '--output=name'])).toBe('')
  })

  test('calls in a team’s name are refused by the API server itself in another team’s namespace', () => {
    const at = (...args: string[]) => ['-n', b.stack.namespace, ...as(a), ...args]
    const scale = ['scale', 'deployment/web', '--replicas=5']
    for (const args of [
      ['get', 'pods'],
      ['get', 'pod', b.pod.podName],
      ['logs', b.pod.podName],
      ['exec', b.pod.podName, '--', 'id'],
      ['delete', 'pod', b.pod.podName],
      ['get', 'secrets'],
      ['get', 'deployment', 'web'],
      scale,
      ['create', 'secret', 'generic', 'left-behind'],
      ['create', 'rolebinding', 'mine', '--clusterrole=admin', `--group=gantry:team:${a.teamId}`],
      ['label', 'namespace', b.stack.namespace, `gantry.dev/team=${a.teamId}`, '--overwrite'],
      ['annotate', 'node', '--all', 'hostile=yes'],
    ])
      expect(refusedByCluster(at(...args))).toMatch(/[Ff]orbidden/)
    // It may in its own namespace; otherwise the refusals would prove nothing.
    expect(kubectl(['-n', a.stack.namespace, ...as(a), 'get', 'pods', '--output=name'])).toContain(a.pod.podName)
  })

  test('the token in a team’s own workload gives no access', async () => {
    const { namespace } = a.stack
    kubectl(
      ['-n', namespace, ...as(a), 'create', '--filename=-'],
      deploymentOf('mounts', podOf('x', limits, { automountServiceAccountToken: true })),
    )
    kubectl(['-n', namespace, 'rollout', 'status', 'deployment/mounts', '--timeout=90s'])
    const inPod = (script: string) => kubectl(['-n', namespace, 'exec', 'deployment/mounts', '--', 'sh', '-c', script])
    const token = inPod('cat /var/run/secrets/kubernetes.io/serviceaccount/token')
    const { server } = JSON.parse(
      kubectl(['config', 'view', '--minify', '--output=jsonpath={.clusters[0].cluster}']),
    ) as { server: string }
    const args = ['--server', server, '--insecure-skip-tls-verify', '--token', token, '--kubeconfig', '/dev/null']
    const withIt = (...words: string[]) =>
      spawnSync(join(cluster?.bin ?? '', 'kubectl'), [...args, ...words], { encoding: 'utf8' })
    expect(withIt('auth', 'whoami', '--output=jsonpath={.status.userInfo.username}').stdout).toBe(
      `system:serviceaccount:${namespace}:default`,
    )
    for (const words of [
      ['-n', namespace, 'get', 'pods'],
      ['-n', namespace, 'get', 'secrets'],
      ['-n', b.stack.namespace, 'get', 'pods'],
      ['get', 'nodes'],
    ])
      expect(withIt(...words).stderr).toMatch(/[Ff]orbidden/)
    kubectl(['-n', namespace, 'delete', 'deployment', 'mounts'])
  })

  test('another team’s pods are reachable only if the cluster’s network does not enforce policies', async () => {
    const reaches = (from: Tenant, ip: string): boolean => {
      const get = ['sh', '-c', `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 3 ${ip} 8080`]
      try {
        return kubectl(['-n', from.stack.namespace, 'exec', from.pod.podName, '--', ...get]).includes('it works')
      } catch {
        return false
      }
    }
    const ipOf = (of: Tenant) =>
      kubectl(['-n', of.stack.namespace, 'get', 'pod', of.pod.podName, '--output=jsonpath={.status.podIP}'])
    expect(reaches(a, ipOf(a))).toBe(true)
    // A separate policy that denies all traffic tests whether this network enforces policies at all.
    const closed = `gantry-closed-${run}`
    kubectl(['create', 'namespace', closed])
    try {
      const policy = { metadata: { name: 'nobody' }, spec: { podSelector: {}, policyTypes: ['Ingress'] } }
      const kind = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' }
      kubectl(['-n', closed, 'create', '--filename=-'], JSON.stringify({ ...kind, ...policy }))
      kubectl(['-n', closed, 'create', '--filename=-'], deploymentOf('web', podOf('x', limits)))
      kubectl(['-n', closed, 'rollout', 'status', 'deployment/web', '--timeout=90s'])
      const ip = kubectl(['-n', closed, 'get', 'pods', '--output=jsonpath={.items[0].status.podIP}'])
      const keepsPolicies = !reaches(a, ip)
      expect(reaches(b, ipOf(a))).toBe(!keepsPolicies)
    } finally {
      kubectl(['delete', 'namespace', closed, '--wait=false'])
    }
  })

  test('the list of the cluster’s pods shows a team its own pods, whatever labels other pods have', async () => {
    const labels = { 'gantry.dev/team': String(a.teamId), 'gantry.dev/stack': a.stack.uuid, app: 'forged' }
    const forged = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'forged' },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podOf('x', limits) } },
    }
    kubectl(['-n', b.stack.namespace, ...as(b), 'create', '--filename=-'], JSON.stringify(forged))
    const seen = async (by: Caller) =>
      (await by.call(pods.list, { params: { env: envId }, query: { pageSize: -1 } })).items
    const all = await eventually(
      () => seen(product.admin),
      (items) => items.some(({ name }) => name.startsWith('forged-')),
      patient,
    )
    expect(new Set(all.map(({ namespace }) => namespace))).toContain('kube-system')
    for (const one of [a, b])
      expect(new Set((await seen(one.leader)).map(({ namespace }) => namespace))).toEqual(
        new Set([one.stack.namespace]),
      )
    const events = await a.leader.call(pods.events, { params: { env: envId }, query: { pageSize: -1 } })
    expect(new Set(events.items.map(({ namespace }) => namespace))).toEqual(new Set([a.stack.namespace]))
  })

  test('a pod has no credential of the cluster, and its namespace is closed to other teams', () => {
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

  test('the product acts in the team’s name: if the cluster revokes the team’s rights, the product loses them too, and says so', async () => {
    const { teamId, leader, stack, service } = a
    kubectl(['-n', stack.namespace, 'delete', 'rolebinding', 'gantry-team'])
    const params = { teamId, envId, id: service.id }
    await leader.call(services.scale, { params, query: { replicas: 2 } })
    const failed = await eventually(
      () => leader.call(services.get, { params }),
      ({ state }) => state === 'failed',
      patient,
    )
    expect(failed.message).toContain('deployments')
    const replicas = kubectl(['-n', stack.namespace, 'get', 'deployment', 'web', '--output=jsonpath={.spec.replicas}'])
    expect(replicas).toBe('1')
    const { podId, name } = a.pod
    const refusals = await Promise.all([
      refusal(leader, containers.log, { params: { teamId, envId, podId, name } }),
      refusal(leader, containers.restart, { params: { teamId, envId, id: podId } }),
    ])
    expect(refusals.map(({ status, key }) => [status, key])).toEqual(refusals.map(() => [403, 'kube-forbidden']))
  })
})
