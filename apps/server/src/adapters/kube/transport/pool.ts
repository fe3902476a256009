import type { Freshness, Lease, Reflector, ReflectorOptions } from '../cache/reflector.ts'
import { openReflector } from '../cache/reflector.ts'
import { kubeOver } from '../client.ts'
import { KubeError } from '../errors.ts'
import { openProof } from './proof.ts'
import type { Kube } from '../client.ts'
import type { Admit } from './connection.ts'
import { leadsAlike } from './kubeconfig.ts'
import type { ClusterAddress } from './kubeconfig.ts'
import type { KubeObject } from '../objects.ts'
import { same } from '../rows/rows.ts'
import { openTransport } from './transport.ts'
import { openTunnels } from '../tunnel/tunnels.ts'
import type { Tunnels } from '../tunnel/tunnels.ts'
import type { Health, Observed } from './transport.ts'
import type { View } from '../cache/reflector.ts'
import { views } from '../cache/views.ts'
import type { RowOf, ViewName } from '../cache/views.ts'

/** One cluster: its client, and its cached rows. */
export interface Cluster {
  /** A client with the environment's own credentials. `kube.as(…)` acts for a user. */
  kube: Kube
  health: () => Health
  /** A lease of a kind's rows; the first one starts the reflector. Must be released. */
  need: <Name extends ViewName>(view: Name) => Lease<RowOf<Name>>
  /** Leases a kind's rows to `use`, for as long as that takes. */
  lend: <Name extends ViewName, T>(view: Name, use: (lease: Lease<RowOf<Name>>) => Promise<T>) => Promise<T>
  /**
   * The rows of one namespace, of several, or of all, once they are loaded (after at most `wait` ms); how current they
   * are; and whether the cluster has more.
   */
  rows: <Name extends ViewName>(
    view: Name,
    within?: string | ReadonlySet<string>,
    wait?: number,
  ) => Promise<{ rows: RowOf<Name>[]; freshness: Freshness; cut: boolean }>
}

export interface KubePort {
  /**
   * The cluster of an environment. The first call creates it; a changed address replaces credentials or server in
   * place. Writes require the cluster to have this `uid`; null: it is not known yet; undefined: any cluster will do.
   */
  cluster: (clusterId: string, address: ClusterAddress, uid?: string | null) => Cluster
  /** A client for one check of an address that is not stored; it is closed afterwards. */
  trial: <T>(address: ClusterAddress, use: (kube: Kube) => Promise<T>) => Promise<T>
  /** Closes the connections of a deleted environment and forgets its rows. */
  remove: (clusterId: string) => Promise<void>
  /** The agents of unreachable clusters, which dial in to this process. */
  tunnels: Tunnels
  /** The present state of each cluster, with its numbers of reflectors and rows. */
  held: () => { environment: string; health: Health; reflectors: number; rows: number }[]
  /** Called once per change, not per request, so suited for alarms. */
  onHealth: (listener: (clusterId: string, health: Health) => void) => () => void
  close: () => Promise<void>
}

export interface KubeOptions extends ReflectorOptions {
  /** `outbound.admit`. */
  admit: Admit
  /** PEM of additional CAs, for clusters whose address names none. */
  rootCa?: readonly string[]
  onRequest?: (clusterId: string, request: Observed) => void
}

interface PooledCluster {
  cluster: Cluster
  address: ClusterAddress
  replace: (address: ClusterAddress) => void
  /** Sets the uid that is required from now on; the cache of another cluster is cleared. */
  expect: (uid: string | null | undefined) => void
  /** The cluster can be reached again; if the environment is `another` cluster now, its cache is cleared. */
  revive: (another: boolean) => void
  counts: () => { reflectors: number; rows: number }
  close: () => Promise<void>
}

type Reflectors = { [Name in ViewName]?: Reflector<RowOf<Name>> }

function hold(
  first: ClusterAddress,
  options: KubeOptions & { tunnels: Tunnels },
  tell: (health: Health) => void,
  observe?: (request: Observed) => void,
): PooledCluster {
  const reflectors: Reflectors = {}
  const running = () => Object.values(reflectors)
  let wakeUp: NodeJS.Timeout | undefined
  const proof = openProof(
    () => kube,
    () => transport.server,
  )
  const transport = openTransport(first, {
    beforeWrite: proof.beforeWrite,
    onConnect: proof.doubt,
    admit: options.admit,
    rootCa: options.rootCa,
    tunnels: options.tunnels,
    ...(observe && { onRequest: observe }),
    onHealth: (health) => {
      tell(health)
      clearTimeout(wakeUp)
      if (health.kind) {
        const { kind, message = '' } = health
        for (const reflector of running()) reflector.doubt(new KubeError(kind, transport.server, message))
      }
      if (health.state !== 'up') return
      wakeUp = setTimeout(() => running().forEach((reflector) => reflector.wake()), Math.random() * 1000).unref()
    },
  })
  const kube = kubeOver(transport)

  function reflectorOf<Name extends ViewName>(name: Name): Reflector<RowOf<Name>> {
    const found: Reflectors[Name] = reflectors[name]
    if (found) return found
    // the table pairs each name with its row; TypeScript cannot follow that through an index
    const view = views[name] as unknown as View<KubeObject, RowOf<Name>>
    const made = openReflector(transport, view, options)
    Object.assign(reflectors, { [name]: made })
    return made
  }

  const cluster: Cluster = {
    kube,
    health: transport.health,
    need: (view) => reflectorOf(view).need(),
    lend: async (view, use) => {
      const lease = cluster.need(view)
      try {
        return await use(lease)
      } finally {
        lease.release()
      }
    },
    rows: (view, within, wait) =>
      cluster.lend(view, async (lease) => {
        const freshness = await lease.ready(wait)
        const cut = lease.cut()
        if (within === undefined) return { rows: [...lease.all()], freshness, cut }
        const namespaces = typeof within === 'string' ? [within] : [...within]
        return { rows: namespaces.flatMap(lease.inNamespace), freshness, cut }
      }),
  }
  const pooled: PooledCluster = {
    cluster,
    address: first,
    replace: (address) => {
      const before = pooled.address
      pooled.address = address
      if (leadsAlike(before, address)) {
        if (address.auth.kind === 'agent') transport.rename(address.auth.name)
        return
      }
      const foreign = before.server !== address.server
      transport.replace(address)
      for (const reflector of running()) reflector.restart(foreign)
    },
    expect: (uid) => {
      if (proof.expect(uid)) for (const reflector of running()) reflector.restart(true)
    },
    revive: (another) => {
      proof.doubt()
      transport.revive()
      for (const reflector of running())
        if (another) reflector.restart(true)
        else reflector.wake()
    },
    counts: () => ({
      reflectors: running().filter((reflector) => reflector.running()).length,
      rows: running().reduce((sum, reflector) => sum + reflector.size(), 0),
    }),
    close: async () => {
      clearTimeout(wakeUp)
      for (const reflector of running()) reflector.stop()
      await transport.close()
    },
  }
  return pooled
}

/** All clusters of this process. Clusters share nothing, so a dead one does not slow down others. */
export function openKube(options: KubeOptions): KubePort {
  const clusters = new Map<string, PooledCluster>()
  const tunnels = openTunnels()
  tunnels.onReady((environment, another) => clusters.get(environment)?.revive(another))
  const listeners = new Set<(clusterId: string, health: Health) => void>()

  return {
    tunnels,
    cluster: (environment, address, uid) => {
      const found = clusters.get(environment)
      if (found) {
        if (!same(found.address, address)) found.replace(address)
        found.expect(uid)
        return found.cluster
      }
      const tell = (health: Health) => listeners.forEach((listener) => listener(environment, health))
      const { onRequest } = options
      const made = hold(
        address,
        { ...options, tunnels },
        tell,
        onRequest && ((request) => onRequest(environment, request)),
      )
      clusters.set(environment, made)
      made.expect(uid)
      return made.cluster
    },
    trial: async (address, use) => {
      const transport = openTransport(address, { admit: options.admit, rootCa: options.rootCa })
      try {
        return await use(kubeOver(transport))
      } finally {
        await transport.close()
      }
    },
    remove: async (environment) => {
      const found = clusters.get(environment)
      clusters.delete(environment)
      await found?.close()
    },
    held: () =>
      Array.from(clusters, ([environment, { cluster, counts }]) => ({
        environment,
        health: cluster.health(),
        ...counts(),
      })),
    onHealth: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      const all = [...clusters.values()]
      clusters.clear()
      tunnels.close()
      await Promise.all(all.map((one) => one.close()))
    },
  }
}
