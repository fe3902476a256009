import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clusters } from '@gantry/contract/clusters/clusters'
import { afterAll, describe, expect, test } from 'vitest'
import { clusterAgent, type ClusterAgent, objectsIn, tokenIn } from '../../../../test/cluster-agent.ts'
import { admitLocal } from '../../../../test/kube-api.ts'
import { kubectlOf } from '../../../../test/kubectl.ts'
import { labCluster } from '../../../../test/lab.ts'
import { until } from '../../../../test/own-namespace.ts'
import { socketClient } from '../../../../test/socket-client.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../../adapters/kube/transport/pool.ts'

const lab = labCluster()

// An agent beside the cluster, because the kubelet rotates a pod's token too slowly for a test.
describe.skipIf(lab === undefined)('the account of the agent of a real cluster (needs the lab’s kube)', async () => {
  const program = join(testFolder('program'), 'agent.mjs')
  writeFileSync(program, '// the agent\n')
  const kube = openKube({ admit: admitLocal })
  const app = await testApp({ ports: { kube }, config: { clusterAgent: { program, image: 'localhost/node:24' } } })
  const client = await socketClient(app)
  const kubectl = kubectlOf(lab ?? { bin: '', kubeconfig: '' })
  let agent: ClusterAgent | undefined
  afterAll(async () => {
    await agent?.kill()
    for (const what of ['clusterrolebinding/gantry-agent', 'clusterrole/gantry-agent', 'namespace/gantry-system'])
      await kubectl(['delete', what, '--ignore-not-found', '--wait=false'])
    await kube.close()
  })

  test('a rotated token replaces the one before', async () => {
    const { uuid } = await app.admin.call(clusters.create, { body: { name: 'far', agent: true } })
    const { manifest } = await app.admin.call(clusters.manifest, { params: { env: uuid } })
    for (const object of objectsIn(manifest).filter(({ kind }) => kind !== 'Deployment'))
      await kubectl(['apply', '-f', '-'], object)
    const { server: api, ca = '' } = parseKubeconfig(readFileSync(lab?.kubeconfig ?? '', 'utf8'))
    const newToken = () => kubectl(['-n', 'gantry-system', 'create', 'token', 'gantry-agent'])
    const account = { server: api, token: await newToken(), ca }
    agent = clusterAgent({ server: client.origin, token: tokenIn(manifest), account })
    const read = () => app.admin.call(clusters.get, { params: { uuid } })
    await until('it calls', async () => (await read()).health === 'healthy')

    const next = await newToken()
    agent.rotate(next)
    await until('the new token is told', async () => kube.tunnels.token(uuid) === next)
    expect(await app.admin.call(clusters.recheck, { params: { uuid } })).toMatchObject({ ok: true })
  })
})
