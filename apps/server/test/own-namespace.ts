import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { eventually } from '@gantry/waiting/eventually'
import { parseKubeconfig } from '../src/adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../src/adapters/kube/transport/pool.ts'
import * as kinds from '../src/adapters/kube/resources.ts'
import { admitLocal } from './kube-api.ts'

/** Waits for a real cluster. */
export const until = <T>(what: string, look: () => Promise<T | undefined | false>, seconds = 60): Promise<T> =>
  eventually(look, (found): found is T => found !== undefined && found !== false, {
    ms: seconds * 1_000,
    everyMs: 250,
  }).catch((cause: Error) => {
    throw new Error(`${what}: ${cause.message}`, { cause })
  })

/** A namespace of its own in a cluster, and our client for it. */
export async function ownNamespace(kubeconfig: string) {
  const address = parseKubeconfig(readFileSync(kubeconfig, 'utf8'))
  const run = randomBytes(4).toString('hex')
  const namespace = `gantry-test-${run}`
  const faults: unknown[] = []
  const port = openKube({ admit: admitLocal, onFault: (error) => faults.push(error) })
  const cluster = port.cluster('lab', address)
  const { kube } = cluster
  /** waits for the service account, which is created a moment after the namespace and which pods need */
  const namespaceOf = async (name: string, labels: Record<string, string> = {}) => {
    await kube.apply(kinds.namespaces, { metadata: { name, labels } })
    await until('a service account', () => kube.find(kinds.serviceAccounts, { namespace: name, name: 'default' }))
  }
  await namespaceOf(namespace)
  return {
    address,
    port,
    cluster,
    kube,
    namespace,
    namespaceOf,
    labels: { run },
    selection: { namespace, labels: `run=${run}` },
    close: async () => {
      await kube.remove(kinds.namespaces, { name: namespace })
      await port.close()
      if (faults.length > 0) throw new AggregateError(faults, 'the adapter met faults of its own')
    },
    running: async (name: string) => {
      const ref = { namespace, name }
      await until(`${name} runs`, async () => (await kube.get(kinds.pods, ref)).status?.phase === 'Running')
      return ref
    },
    /** A pod with one container `c` that runs a script in the lab's busybox. */
    podOf: (name: string, script: string, container: object = {}, spec: object = {}) => ({
      metadata: { name, namespace, labels: { run } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: 'c',
            image: 'localhost/busybox:1',
            imagePullPolicy: 'Never',
            command: ['sh', '-c', script],
            ...container,
          },
        ],
        ...spec,
      },
    }),
  }
}

export type OwnNamespace = Awaited<ReturnType<typeof ownNamespace>>
