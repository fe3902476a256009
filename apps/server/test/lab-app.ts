import { readFileSync } from 'node:fs'
import { clusters } from '@gantry/contract/clusters/clusters'
import { type Stack, stacks } from '@gantry/contract/stacks/stacks'
import { afterAll } from 'vitest'
import type { Kube } from '../src/adapters/kube/client.ts'
import { parseKubeconfig } from '../src/adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../src/adapters/kube/transport/pool.ts'
import { admitLocal } from './kube-api.ts'
import { labCluster } from './lab.ts'
import { until } from './own-namespace.ts'
import { testApp, type TestApp, type TestAppOptions } from './test-app.ts'

type Team = Awaited<ReturnType<TestApp['team']>>

/**
 * The server in this process, and the lab's cluster, not yet added. Stopped at the end of the file, after the file's
 * own cleanup. Without a lab only `app` works.
 */
export async function labApp(options: TestAppOptions = {}) {
  const path = labCluster()?.kubeconfig
  const kubeconfig = path === undefined ? '' : readFileSync(path, 'utf8')
  const [port, past] = [openKube({ admit: admitLocal }), openKube({ admit: admitLocal })]
  const app = await testApp({ ...options, ports: { kube: port, ...options.ports } })
  afterAll(() => Promise.all([port.close(), past.close()]))
  return {
    app,
    /** a client of its own, because the server drops clusters without an environment */
    kube: (): Kube => past.cluster('direct', parseKubeconfig(kubeconfig)).kube,
    /** Adds the cluster for a team; returns its id. */
    async join({ id }: Team): Promise<string> {
      const body = { name: 'lab', kubeconfig, teamIds: [id] }
      return (await app.admin.call(clusters.create, { body })).uuid
    },
    /** Starts the regular rounds, as in production. */
    async runJobs(): Promise<void> {
      await app.firstThings()
      await app.startJobs()
    },
    /** Creates a stack of the team and waits until it runs. */
    async stack({ id: teamId, leader }: Team, envId: string, name = 'shop'): Promise<Stack> {
      const { id: stackId } = await leader.call(stacks.create, { params: { teamId }, body: { name, envId } })
      return until('the stack runs', async () => {
        const stack = await leader.call(stacks.get, { params: { teamId, envId, stackId } })
        return stack.state === 'running' && stack
      })
    },
  }
}
