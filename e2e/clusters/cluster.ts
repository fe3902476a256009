import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clusters } from '@gantry/contract/clusters/clusters'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, describe } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import type { Kube } from '../../apps/server/src/adapters/kube/client.ts'
import { parseKubeconfig } from '../../apps/server/src/adapters/kube/transport/kubeconfig.ts'
import { openKube } from '../../apps/server/src/adapters/kube/transport/pool.ts'
import * as kinds from '../../apps/server/src/adapters/kube/resources.ts'
import { admitLocal } from '../../apps/server/test/kube-api.ts'
import { hollowHosts, labCluster } from '../../apps/server/test/lab.ts'
import { startSandbox } from '../../apps/server/test/sandbox.ts'
import { accountOfManual } from '../../apps/server/test/manual-account.ts'
import type { OpenProduct } from '../product.ts'
import { type Look, stories, type Suite } from '../story.ts'

/** Set by the configuration of the suites against a real Kubernetes; all others run the stories on the sandbox. */
const onLab = process.env['GANTRY_STORIES'] === 'lab'
const lab = onLab ? labCluster() : undefined

/** The cluster of a story. The product has joined it already, by its kubeconfig, unless the story joins it. */
export interface Cluster {
  /** The joined cluster's name and id in the product. */
  name: string
  uuid: string
  /** Whether containers really run in it. */
  real: boolean
  /** Direct access to its API server, with its owner's rights. */
  kube: Kube
  /** Its owner's kubeconfig, with another address than the product's. */
  kubeconfig: string
  /** Credentials for joining it by a token. */
  account: () => Promise<{ server: string; token: string; ca: string }>
  /** A host that must stay as it is, because others need it. */
  host: string
  /** A host that the story may drain and change. In the lab, pods have to tolerate `kwok.x-k8s.io/node`. */
  spareHost: () => string
  /** The storage class of claims that name none. */
  driver: string
  /** A unique name. Objects of this name in the cluster are deleted after the file's stories, however they ended. */
  own: (what: string) => string
  /** Creates a team that may use the cluster, and answers its id. */
  team: (name: string) => Promise<number>
}

interface Joined {
  cluster: Cluster
  leave: () => Promise<void>
}

const inSandbox = {
  host: 'sandbox-1',
  driver: 'sandbox',
  env: {},
}
const inLab: typeof inSandbox = {
  host: 'kube-node',
  driver: 'local',
  env: { GANTRY_SANDBOX: 'off' },
}
const { host, driver, env: start } = onLab ? inLab : inSandbox

/** Kinds of objects that stories and the product create. */
const swept = [
  kinds.namespaces,
  kinds.persistentVolumes,
  kinds.storageClasses,
  kinds.ingressClasses,
  kinds.nodes,
  kinds.clusterRoleBindings,
  kinds.clusterRoles,
]

/** The product's only cluster: its sandbox, or the lab's, joined now. With `joins`: a second one, not joined. */
async function joinedBy({ admin, data }: OpenProduct, { leaves = [], joins = false }: Props): Promise<Joined> {
  const second = joins && !onLab ? await startSandbox() : undefined
  const text = readFileSync(lab?.kubeconfig ?? second?.kubeconfig ?? join(data, 'sandbox/kubeconfig'), 'utf8')
  if (onLab && !joins) await admin.call(clusters.create, { body: { name: 'lab', kubeconfig: text } })
  const [environment] = (await admin.call(clusters.list, {})).items
  if (!environment) throw new Error('the product has no cluster')
  const { uuid, name } = environment

  const address = parseKubeconfig(text)
  const port = openKube({ admit: admitLocal })
  const { kube } = port.cluster('stories', address)
  const run = `run-${randomBytes(3).toString('hex')}`
  const elsewhere = (url: string) => url.replace('127.0.0.1', 'localhost')
  const before = new Set((await kube.list(kinds.namespaces)).items.map(({ metadata }) => metadata?.name))
  const isOurs = (name = ''): boolean => name.includes(run) || (leaves.includes(name) && !before.has(name))
  let hollow = false

  const cluster: Cluster = {
    name,
    uuid,
    real: onLab,
    kube,
    kubeconfig: elsewhere(text),
    account: async () => ({
      server: elsewhere(address.server),
      token: address.auth.kind === 'token' ? address.auth.token : await accountOfManual(kube, run),
      ca: address.ca ?? '',
    }),
    host,
    spareHost: () => {
      if (!onLab) return 'sandbox-2'
      // Its kubelet is simulated: the lab has one real host, which the lab itself needs to run.
      if (!hollow) hollowHosts(1)
      hollow = true
      return 'hollow-0'
    },
    driver,
    own: (what) => `${what}-${run}`,
    team: async (name) => {
      const { id } = await admin.call(teams.create, { body: { name } })
      // every team may use a sandbox
      if (onLab && !joins) await admin.call(clusters.assign, { params: { env: uuid }, query: { tenant: id } })
      return id
    },
  }
  return {
    cluster,
    leave: async () => {
      if (onLab)
        for (const kind of swept)
          for (const { metadata } of (await kube.list(kind)).items)
            if (metadata?.name && isOurs(metadata.name)) await kube.remove(kind, { name: metadata.name })
      // Otherwise the next story would find a namespace of that name that is still being deleted.
      const left = async () =>
        (await kube.list(kinds.namespaces)).items.map(({ metadata }) => metadata?.name).filter(isOurs)
      if (onLab) await eventually(left, (names) => names.length === 0, { ms: 60_000, everyMs: 250 })
      if (hollow) hollowHosts(0)
      await port.close()
      await second?.stop()
    },
  }
}

interface Props {
  /** Namespaces with a fixed name that the product creates and does not delete. */
  leaves?: readonly string[]
  /** The story joins the cluster, and deletes it. */
  joins?: boolean
  /** Additional variables for the start of the product. */
  env?: Record<string, string>
}

/** Runs stories like `stories`, on either cluster. `cluster` is available in tests and in their hooks. */
export function clusterStories(
  title: string,
  tell: (suite: () => Suite & { cluster: Cluster }, look: Look) => void,
  props: Props = {},
): void {
  const where = onLab ? `on a real cluster${lab ? '' : ' (skipped: there is no lab)'}` : 'in the sandbox'
  describe.skipIf(onLab && !lab)(where, () => {
    let joined: Joined | undefined
    afterAll(() => joined?.leave())
    stories(
      title,
      (suite, look) => {
        beforeAll(async () => {
          joined ??= await joinedBy(suite().product, props)
        })
        tell(() => {
          if (!joined) throw new Error('the cluster is there once the product runs')
          return { ...suite(), cluster: joined.cluster }
        }, look)
      },
      {
        GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
        GANTRY_EMBEDDED_AGENT: 'off',
        ...(!props.joins && start),
        ...props.env,
      },
    )
  })
}
