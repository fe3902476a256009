import { setTimeout as sleep } from 'node:timers/promises'
import { hostsTopic } from '@gantry/contract/clusters/topics'
import type { V1Node } from '@kubernetes/client-node'
import { serverLabel } from '../../../adapters/kube/labels.ts'
import { nodeRow } from '../../../adapters/kube/rows/cluster-rows.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault } from '../../../kernel/fault.ts'
import { clusterOf, mustUseAlone } from '../clusters/connect.service.ts'
import { isController } from './hosts.rows.ts'

export type Node = Wire<V1Node>

export interface Changing {
  cluster: Cluster
  node: Node
}

/** Maps a cluster's failure to a fault. */
export const withKubeFaults = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw kubeFault(error)
  })

/** The host that an authorized call is to change; its audit row names the host. */
export async function hostToChange(ctx: Ctx, env: string, host: string): Promise<Changing> {
  note(ctx, { object: host })
  await mustUseAlone(ctx, env)
  const cluster = await clusterOf(ctx, env)
  const node = await withKubeFaults(cluster.kube.find(kinds.nodes, { name: host }))
  if (!node) throw new Fault('missing', 'hosts-missing', { host })
  return { cluster, node }
}

/** Refuses a change that would disable the cluster's control plane or this product, for administrators too. */
export async function refuseController(ctx: Ctx, { cluster, node }: Changing): Promise<void> {
  const row = nodeRow(node)
  const labels = `${serverLabel.key}=${serverLabel.value}`
  const servers = await withKubeFaults(
    cluster.kube.list(kinds.pods, { labels, fields: `spec.nodeName=${row.name}` }, { limit: 1 }),
  )
  if (isController(row, servers.items.length, ctx.config.nodeName))
    throw new Fault('conflict', 'hosts-controller', { host: row.name })
}

/** How long a change may take to reach the watch. */
const echoMs = 500

/**
 * Changes a node, and waits until the change has arrived in the watch, so that the next reader sees it.
 * `patch` computes a merge patch from the node; after a conflict it is computed again.
 */
export async function changeNode(
  ctx: Ctx,
  env: string,
  { cluster, node }: Changing,
  patch: (node: Node) => object,
): Promise<Node> {
  const name = node.metadata?.name ?? ''
  return cluster.lend('nodes', async (lease) => {
    const echo = new Promise<void>((resolve) => {
      lease.on(({ row }) => row.name === name && resolve())
    })
    const changed = await merged(cluster.kube, node, patch)
    if (changed.metadata?.resourceVersion !== node.metadata?.resourceVersion) await Promise.race([echo, sleep(echoMs)])
    await publishHost(ctx, env, name)
    return changed
  })
}

/** The patched node. After a conflict the patch is computed again, from the newer one. */
async function merged(kube: Kube, node: Node, patch: (node: Node) => object): Promise<Node> {
  const name = node.metadata?.name ?? ''
  let known = node
  for (let attempt = 1; ; attempt++)
    try {
      const { metadata, ...rest } = patch(known) as { metadata?: object }
      const version = known.metadata?.resourceVersion
      return await kube.merge(kinds.nodes, { name }, { ...rest, metadata: { ...metadata, resourceVersion: version } })
    } catch (error) {
      if (attempt === 4 || !isKube(error, 'conflict')) throw kubeFault(error)
      known = await withKubeFaults(kube.get(kinds.nodes, { name }))
    }
}

export const publishHost = (ctx: Ctx, env: string, host: string): Promise<void> =>
  publish(ctx, hostsTopic, { env }, { host })
