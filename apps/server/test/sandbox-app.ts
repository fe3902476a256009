import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { afterAll } from 'vitest'
import { parseKubeconfig } from '../src/adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../src/adapters/kube/transport/pool.ts'
import type { Ports } from '../src/adapters/ports.ts'
import { gatewayTo } from './gateway.ts'
import { admitLocal } from './kube-api.ts'
import { startSandbox } from './sandbox.ts'
import { testApp } from './test-app.ts'

/** The server with a sandbox. `direct` calls its cluster without the server. Stopped at the end of the file. */
export async function sandboxApp(ports: Partial<Ports> = {}) {
  const sandbox = await startSandbox()
  const kubeconfig = readFileSync(sandbox.kubeconfig, 'utf8')
  const address = parseKubeconfig(kubeconfig)
  const kube = openKube({ admit: admitLocal })
  const app = await testApp({ ports: { kube, ...ports } })
  const gateway = await gatewayTo(address.server)
  afterAll(async () => {
    await kube.close()
    await gateway.close()
    await sandbox.stop()
  })
  const { kube: direct } = kube.cluster('direct', address)
  /** Adds another cluster with the sandbox's objects; the server stores its own data for each environment. */
  const newCluster = (name: string, ...teams: { id: number }[]) => {
    const body = { name, kubeconfig: another(), teamIds: teams.map(({ id }) => id) }
    return app.admin.call(clusters.create, { body })
  }
  /** The kubeconfig of a further cluster. */
  const another = (uid?: string) => kubeconfig.replace(address.server, gateway.cluster(uid))
  return { sandbox, kubeconfig, another, address, kube, app, direct, gateway, newEnvironment: newCluster }
}

/** The objects of a sandbox as two clusters, one used by the team alone and one shared with its neighbour. */
export async function sharedSandbox() {
  const made = await sandboxApp()
  const team = await made.app.team()
  const neighbour = await made.app.team()
  const { uuid: alone } = await made.newEnvironment('alone', team)
  const { uuid: shared } = await made.newEnvironment('shared', team, neighbour)
  return { ...made, team, neighbour, alone, shared }
}
