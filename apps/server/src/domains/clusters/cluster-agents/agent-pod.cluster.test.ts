import { randomBytes } from 'node:crypto'
import { clusters } from '@gantry/contract/clusters/clusters'
import { pods } from '@gantry/contract/clusters/pods'
import { releases } from '@gantry/contract/helm/releases'
import { stacks } from '@gantry/contract/stacks/stacks'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chartRepository } from '../../../../test/chart-repository.ts'
import { builtClusterAgent, objectsIn } from '../../../../test/cluster-agent.ts'
import { type Kubectl, kubectlOf } from '../../../../test/kubectl.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { labCluster } from '../../../../test/lab.ts'
import { addRepository, helmPorts, helmProgram } from '../../../../test/lab-helm.ts'
import { labNodeImage } from '../../../../test/node-image.ts'
import { until } from '../../../../test/own-namespace.ts'
import { relay } from '../../../../test/relay.ts'
import { socketClient } from '../../../../test/socket-client.ts'
import { testApp, type TestApp } from '../../../../test/test-app.ts'
import { walk } from '../../../../test/walk.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'

const lab = labCluster()
const namespace = 'gantry-system'
const cluster = ['namespace/gantry-system', 'clusterrole/gantry-agent', 'clusterrolebinding/gantry-agent']

/** Runs in the agent's container and tries what an attacker could do to the node from there. */
const confined = `
const { readFileSync, writeFileSync } = require('node:fs')
const refused = ['/x', '/tmp/x', '/opt/gantry/x', '/etc/gantry/token'].filter((path) => {
  try { writeFileSync(path, ''); return false } catch { return true }
})
const status = Object.fromEntries(readFileSync('/proc/1/status', 'utf8').split('\\n').map((line) => line.split(/:\\s*/)))
const { CapEff, CapBnd, NoNewPrivs, Seccomp } = status
console.log(JSON.stringify({ uid: process.getuid(), groups: process.getgroups(), refused: refused.length, CapEff, CapBnd, NoNewPrivs, Seccomp }))`

describe.skipIf(lab === undefined)('the agent as a pod of a real cluster (needs the lab’s kube)', () => {
  let kubectl: Kubectl
  let way: Awaited<ReturnType<typeof relay>>
  let config: NonNullable<Parameters<typeof testApp>[0]>['config']
  let serving: Awaited<ReturnType<typeof serve>>
  let team: Awaited<ReturnType<TestApp['team']>>
  let far = ''
  const charts = helmPorts(lab && helmProgram())

  /** A server behind the address that the agent dials. */
  async function serve(beside?: TestApp) {
    const kube = openKube({ admit: admitLocal })
    const app = await testApp({ ports: { kube, ...charts }, ...(config && { config }), ...(beside && { beside }) })
    const client = await socketClient(app)
    way.to(client.origin)
    return { app, kube, client }
  }
  const away = () => kubectl(['delete', ...cluster, '--ignore-not-found', '--timeout=60s'])
  /** Names of the manifest's objects that still exist. */
  const there = () => kubectl(['get', ...cluster, '--ignore-not-found', '-o', 'name'])
  const podName = () => kubectl(['-n', namespace, 'get', 'pods', '-o', 'jsonpath={.items[*].metadata.name}'])
  /** The log of the present pod; a container that does not exist yet has none. */
  const log = () => kubectl(['-n', namespace, 'logs', 'deployment/gantry-agent']).catch(() => '')

  /** A cluster whose agent was applied as the console instructs. */
  async function joined({ app }: { app: TestApp }, name: string) {
    // a cluster can be joined only once
    for (const { uuid, name: confirm } of (await app.admin.call(clusters.list, {})).items)
      await app.admin.call(clusters.remove, { params: { uuid }, query: { confirm } })
    const { uuid } = await app.admin.call(clusters.create, { body: { name, agent: true, teamIds: [team.id] } })
    const { manifest } = await app.admin.call(clusters.manifest, { params: { env: uuid } })
    for (const object of objectsIn(manifest)) await kubectl(['apply', '-f', '-'], object)
    await healthy({ app }, uuid)
    return uuid
  }
  const healthy = ({ app }: { app: TestApp }, uuid: string) =>
    until(
      'the agent calls',
      async () => (await app.admin.call(clusters.get, { params: { uuid } })).health === 'healthy',
      90,
    )
  const isGone = async ({ app }: { app: TestApp }, uuid: string) =>
    (await app.db.selectFrom('environment').select('uuid').where('uuid', '=', uuid).executeTakeFirst()) === undefined

  beforeAll(async () => {
    if (!lab) return
    kubectl = kubectlOf(lab)
    const [image, program, host] = await Promise.all([
      labNodeImage(kubectl),
      builtClusterAgent(),
      kubectl(['get', 'node', 'kube-node', '-o', 'jsonpath={.status.addresses[?(@.type=="InternalIP")].address}']),
      away(),
    ])
    way = await relay(host)
    config = { publicUrl: `http://${host}:${way.port}`, clusterAgent: { program, image } }
    serving = await serve()
    team = await serving.app.team(`pod-${randomBytes(3).toString('hex')}`)
    far = await joined(serving, 'far')
  })
  afterAll(async () => {
    if (!lab) return
    way.close()
    await serving.kube.close()
    await away()
  })

  test('the manifest is applied, the agent dials out, and a stack passes its whole life through it', async () => {
    const { app, client } = serving
    const check = await app.admin.call(clusters.recheck, { params: { uuid: far } })
    expect(check.rights.filter(({ allowed }) => !allowed)).toEqual([])
    expect(check).toMatchObject({ ok: true, supported: true })
    const listed = await app.admin.call(pods.list, { params: { env: far }, query: { keyword: 'gantry-agent' } })
    expect(listed.items.map(({ name, namespace }) => [namespace, name])).toEqual([[namespace, await podName()]])
    const command = ['sh', '-c', 'while true; do echo "still here"; sleep 1; done']
    await walk({ app, client, team, envId: far, service: { image: 'localhost/busybox:1', command } })
  })

  test.skipIf(lab === undefined || helmProgram() === undefined)(
    'a chart is deployed and deleted through it',
    async () => {
      const { app } = serving
      const repository = await chartRepository()
      onTestFinished(() => repository.close())
      const greeting = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: hello }\ndata: { say: {{ .Values.say }} }\n'
      await repository.add('0.1.0', { 'values.yaml': 'say: hi\n', 'templates/greeting.yaml': greeting })
      const repositoryId = await addRepository(app, team.id, repository.url)
      const body = { name: 'charts', envId: far }
      const { id: stackId } = await team.leader.call(stacks.create, { params: { teamId: team.id }, body })
      const tenantId = team.id
      const here = { params: { teamId: team.id, envId: far, stackId } }
      const { namespace: where } = await until('the stack runs', async () => {
        await app.reconcile()
        const stack = await team.leader.call(stacks.get, here)
        return stack.state === 'running' && stack
      })
      const say = () =>
        kubectl(['-n', where, 'get', 'configmap', 'hello', '--ignore-not-found', '-o', 'jsonpath={.data.say}'])
      const deploy = async (values: string) => {
        const { release } = await team.leader.call(releases.deploy, {
          params: { tenantId },
          query: { envUuid: far, dryRun: 'false' },
          body: { name: 'hello', stackId, repositoryId, chart: 'hello', version: '0.1.0', values },
        })
        const act = { params: { id: release?.id ?? 0, tenantId }, query: { cluster: far } }
        await until('it is deployed', async () => {
          await app.reconcile()
          return (await team.leader.call(releases.get, act)).state === 'deployed'
        })
        return act
      }
      await deploy('')
      expect(await say()).toBe('hi')
      const act = await deploy('say: again\n')
      expect(await say()).toBe('again')
      await team.leader.call(releases.remove, act)
      await until('it is gone', async () => {
        await app.reconcile()
        return (await say()) === ''
      })
      await team.leader.call(stacks.remove, { ...here, query: { confirm: body.name } })
      await until('the stack is gone', async () => {
        await app.reconcile()
        return (
          (await app.db.selectFrom('stack').select('id').where('id', '=', stackId).executeTakeFirst()) === undefined
        )
      })
    },
  )

  test('the agent is confined: user nobody, no capabilities, a read-only file system', async () => {
    const said = await kubectl(['-n', namespace, 'exec', 'deployment/gantry-agent', '--', 'node', '-e', confined])
    expect(JSON.parse(said)).toEqual({
      uid: 65_534,
      groups: [65_534],
      refused: 4,
      CapEff: '0000000000000000',
      CapBnd: '0000000000000000',
      NoNewPrivs: '1',
      Seccomp: '2',
    })
    // its namespace enforces the strictest level
    const level = [
      'get',
      'namespace',
      namespace,
      '-o',
      'jsonpath={.metadata.labels.pod-security\\.kubernetes\\.io/enforce}',
    ]
    expect(await kubectl(level)).toBe('restricted')
    const root = {
      metadata: { name: 'root', namespace },
      spec: { containers: [{ name: 'c', image: 'localhost/busybox:1' }] },
    }
    await expect(kubectl(['create', '-f', '-'], { apiVersion: 'v1', kind: 'Pod', ...root })).rejects.toThrow(
      /violates PodSecurity/,
    )
  })

  test('the agent reconnects after its pod was killed and after the server behind the address was replaced', async () => {
    const before = await podName()
    await kubectl(['-n', namespace, 'delete', 'pod', before, '--grace-period=0', '--force'])
    await expect.poll(podName).not.toContain(before)
    await expect.poll(log).toContain('connected')
    await expect.poll(() => serving.kube.tunnels.isConnected(far)).toBe(true)

    const gone = serving
    way.to(undefined)
    await gone.app.close()
    await gone.kube.close()
    serving = await serve(gone.app)
    await expect.poll(() => serving.kube.tunnels.isConnected(far)).toBe(true)
    await until('it works', async () => (await serving.app.admin.call(clusters.recheck, { params: { uuid: far } })).ok)
    const restarts = [
      '-n',
      namespace,
      'get',
      'pods',
      '-o',
      'jsonpath={.items[*].status.containerStatuses[*].restartCount}',
    ]
    expect(await kubectl(restarts)).toBe('0')
  })

  test('a complete delete through the agent removes the agent itself and leaves nothing of it', async () => {
    const uuid = await joined(serving, 'left-whole')
    expect((await there()).split('\n')).toHaveLength(cluster.length)
    await serving.app.admin.call(clusters.remove, {
      params: { uuid },
      query: { confirm: 'left-whole', action: 'complete' },
    })
    await serving.app.reconcile()
    expect(await isGone(serving, uuid)).toBe(true)
    const [row] = await serving.app.db
      .selectFrom('audit_log')
      .select('detail')
      .where('object', '=', 'left-whole')
      .where('actor_kind', '=', 'system')
      .execute()
    expect(row?.detail).toEqual({
      before: {
        namespaces: [namespace],
        clusterroles: ['gantry-agent'],
        clusterrolebindings: ['gantry-agent'],
      },
    })
    await expect.poll(there).toBe('')
  })

  test('a complete delete through an older manifest leaves the rights that it may not delete, which grant nothing, and reports them', async () => {
    const uuid = await joined(serving, 'of-before')
    const role = JSON.parse(await kubectl(['get', 'clusterrole', 'gantry-agent', '-o', 'json'])) as {
      rules: { resources?: string[] }[]
    }
    const rules = role.rules.filter(({ resources }) => !resources?.includes('clusterroles'))
    await kubectl(['replace', '-f', '-'], { ...role, rules })
    await serving.app.admin.call(clusters.remove, {
      params: { uuid },
      query: { confirm: 'of-before', action: 'complete' },
    })
    await serving.app.reconcile()
    expect(await isGone(serving, uuid)).toBe(true)
    const { detail } = await serving.app.db
      .selectFrom('audit_log')
      .select('detail')
      .where('object', '=', 'of-before')
      .where('actor_kind', '=', 'system')
      .executeTakeFirstOrThrow()
    expect(detail).toMatchObject({ after: { kept: ['clusterrolebindings/gantry-agent', 'clusterroles/gantry-agent'] } })
    await expect.poll(there).not.toContain('namespace')
    await away()
  })

  test('a plain delete leaves the agent, which is refused until somebody removes it', async () => {
    const uuid = await joined(serving, 'left-plainly')
    await serving.app.admin.call(clusters.remove, { params: { uuid }, query: { confirm: 'left-plainly' } })
    expect(await isGone(serving, uuid)).toBe(true)
    await expect.poll(() => serving.kube.tunnels.isConnected(uuid)).toBe(false)
    await expect.poll(log).toContain('the server answered 401')
    expect((await there()).split('\n')).toHaveLength(cluster.length)
  })
})
