import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environments } from '@gantry/contract/clusters/environments'
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

/** Set by the configuration of the suites against a real Kubernetes; everywhere else stories are told on the sandbox. */
const onLab = process.env['GANTRY_STORIES'] === 'lab'
const lab = onLab ? labCluster() : undefined

/** The cluster that a story is told on. The product has it already, by its kubeconfig, unless the story is to join it. */
export interface Cluster {
  /** What the product calls the cluster that it has, and its id there. */
  name: string
  uuid: string
  /** Containers run in it. */
  real: boolean
  /** Its API server past the product, with its owner's rights. */
  kube: Kube
  /** As its owner has it, by another address than the product's. */
  kubeconfig: string
  /** With what one gets in by a token. */
  account: () => Promise<{ server: string; token: string; ca: string }>
  /** A host that others need as it is. */
  host: string
  /** One that is the story's to empty and to keep. In the lab pods have to tolerate `kwok.x-k8s.io/node`. */
  spareHost: () => string
  /** The storage class of claims that name none. */
  driver: string
  /** A name that nobody has. What bears it in the cluster goes when the stories of the file are told, however they ended. */
  own: (what: string) => string
  /** A new team that may use the cluster: its id. */
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

/** Where stories and what the product makes for them stand. */
const swept = [
  kinds.namespaces,
  kinds.persistentVolumes,
  kinds.storageClasses,
  kinds.ingressClasses,
  kinds.nodes,
  kinds.clusterRoleBindings,
  kinds.clusterRoles,
]

/** The product's only cluster: its sandbox, or the lab's, which is added now. `joins`: beside its sandbox another one, which it has not. */
async function joinedBy({ admin, data }: OpenProduct, { leaves = [], joins = false }: Props): Promise<Joined> {
  const second = joins && !onLab ? await startSandbox() : undefined
  const text = readFileSync(lab?.kubeconfig ?? second?.kubeconfig ?? join(data, 'sandbox/kubeconfig'), 'utf8')
  if (onLab && !joins) await admin.call(environments.create, { body: { name: 'lab', kubeconfig: text } })
  const [environment] = (await admin.call(environments.list, {})).items
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
      // Its kubelet is played: the lab has one real host, without which nothing of its own runs.
      if (!hollow) hollowHosts(1)
      hollow = true
      return 'hollow-0'
    },
    driver,
    own: (what) => `${what}-${run}`,
    team: async (name) => {
      const { id } = await admin.call(teams.create, { body: { name } })
      // a sandbox is every team's
      if (onLab && !joins) await admin.call(environments.assign, { params: { env: uuid }, query: { tenant: id } })
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
      // Whoever comes next would meet a namespace of that name that takes nothing any more.
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
  /** Namespaces of a fixed name that the product makes and does not take away. */
  leaves?: readonly string[]
  /** The story joins the cluster, and leaves it. */
  joins?: boolean
  /** With what else the product is started. */
  env?: Record<string, string>
}

/** Stories, as `stories` tells them, on either cluster. `cluster` is there while tests run and in their hooks. */
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
