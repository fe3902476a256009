import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { environments } from '@gantry/contract/clusters/environments'
import { afterAll, describe, expect, test } from 'vitest'
import { clusterAgent, type ClusterAgent, objectsIn, tokenIn } from '../../../test/cluster-agent.ts'
import { admitLocal } from '../../../test/kube-api.ts'
import { labCluster } from '../../../test/lab.ts'
import { until } from '../../../test/own-namespace.ts'
import { socketClient } from '../../../test/socket-client.ts'
import { testApp } from '../../../test/test-app.ts'
import { walk } from '../../../test/walk.ts'
import { parseKubeconfig } from '../../adapters/kube/kubeconfig.ts'
import { openKube } from '../../adapters/kube/pool.ts'

const lab = labCluster()

// The lab has no image with Node in it: what the manifest gives is used by an agent that runs beside the cluster.
describe.skipIf(lab === undefined)('the agent of a real cluster (needs the lab’s kube)', async () => {
  const program = join(mkdtempSync(join(tmpdir(), 'gantry-program-')), 'agent.mjs')
  writeFileSync(program, '// the agent\n')
  const kube = openKube({ admit: admitLocal })
  const app = await testApp({ ports: { kube }, config: { clusterAgent: { program, image: 'localhost/node:24' } } })
  const client = await socketClient(app)
  const kubeconfig = lab?.kubeconfig ?? ''
  /** Never waits in this process: a server that is blocked for a second refuses calls. */
  const kubectl = (args: string[], input?: object): Promise<string> => {
    const running = promisify(execFile)(join(lab?.bin ?? '', 'kubectl'), ['--kubeconfig', kubeconfig, ...args])
    running.child.stdin?.end(input && JSON.stringify(input))
    return running.then(({ stdout }) => stdout.trim())
  }
  let agent: ClusterAgent | undefined
  afterAll(async () => {
    await agent?.kill()
    for (const what of ['clusterrolebinding/gantry-agent', 'clusterrole/gantry-agent', 'namespace/gantry-system'])
      await kubectl(['delete', what, '--ignore-not-found', '--wait=false'])
    await kube.close()
  })

  test('its manifest is taken, and its account is enough for everything that the product does', async () => {
    const team = await app.team(`far-${randomBytes(3).toString('hex')}`)
    const { uuid } = await app.admin.call(environments.create, {
      body: { name: 'far', agent: true, teamIds: [team.id] },
    })
    const { manifest } = await app.admin.call(environments.manifest, { params: { env: uuid } })
    const objects = objectsIn(manifest)
    const [namespace] = objects
    await kubectl(['apply', '-f', '-'], namespace)
    const deployment = objects.find(({ kind }) => kind === 'Deployment') as unknown as {
      spec: { template: { metadata: object; spec: object } }
    }
    for (const object of objects)
      await kubectl(['apply', '-f', '-', ...(object.kind === 'Deployment' ? ['--dry-run=server'] : [])], object)
    // the namespace enforces the strictest rules that Kubernetes has for pods
    const { metadata, spec } = deployment.spec.template
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, name: 'p', namespace: 'gantry-system' },
      spec,
    }
    await kubectl(['create', '-f', '-', '--dry-run=server'], pod)

    const { ca = '' } = parseKubeconfig(readFileSync(kubeconfig, 'utf8'))
    const token = await kubectl(['-n', 'gantry-system', 'create', 'token', 'gantry-agent'])
    agent = clusterAgent({ server: client.origin, token: tokenIn(manifest), kubeconfig, account: { token, ca } })
    const shown = () => app.admin.call(environments.get, { params: { uuid } })
    await until('it calls', async () => (await shown()).health === 'healthy')
    const check = await app.admin.call(environments.recheck, { params: { uuid } })
    expect(check.rights.filter(({ allowed }) => !allowed)).toEqual([])
    expect(check).toMatchObject({ ok: true, supported: true })

    const command = ['sh', '-c', 'while true; do echo "still here"; sleep 1; done']
    await walk({ app, client, team, envId: uuid, service: { image: 'localhost/busybox:1', command } })

    // the kubelet brings a new token about every hour; the old one may end then
    const next = await kubectl(['-n', 'gantry-system', 'create', 'token', 'gantry-agent'])
    agent.rotate(next)
    await until('the new token is told', async () => kube.tunnels.token(uuid) === next)
    expect(await app.admin.call(environments.recheck, { params: { uuid } })).toMatchObject({ ok: true })
  })
})
