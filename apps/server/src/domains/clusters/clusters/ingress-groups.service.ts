import type { IngressGroup, ingressGroups } from '@gantry/contract/clusters/ingress-groups'
import type { z } from 'zod'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import { labels, madeFor } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Cluster } from '../../../adapters/kube/transport/pool.ts'
import { waits } from '../../../adapters/kube/waits.ts'
import { note } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { byNameOf } from '../../../kernel/in-order.ts'
import { firstFew } from '../../../kernel/phrase.ts'
import { withKubeFaults } from '../hosts/host-node.ts'
import { clusterOf, mustUseAlone } from './connect.service.ts'
import { defaultKey, groupOfClass, groupsOf } from './groups.ts'

/** The hosts labelled to take traffic, for every controller. */
async function hostsOf(cluster: Cluster): Promise<IngressGroup['hosts']> {
  const { rows } = await cluster.rows('nodes', undefined, waits.rows)
  return rows
    .filter((node) => node.labels[labels.ingress] === 'true')
    .map(({ name, internalIp, ready }) => ({ name, ip: internalIp, ready }))
    .sort(byNameOf(({ name }) => name))
}

const toGroup = (
  { way, name, controller, isDefault, createdAt }: Omit<IngressGroup, 'hosts'>,
  hosts: IngressGroup['hosts'],
): IngressGroup => ({ way, name, controller, isDefault, hosts, createdAt })

/** The ingress controllers of a cluster, each with the hosts that take its traffic. */
export async function listIngressGroups(ctx: Ctx, env: string): Promise<IngressGroup[]> {
  const cluster = await clusterOf(ctx, env)
  const [groups, hosts] = await Promise.all([withKubeFaults(groupsOf(cluster.kube)), hostsOf(cluster)])
  return groups.map((group) => toGroup(group, hosts)).sort(byNameOf(({ name }) => name))
}

type NewGroup = z.output<(typeof ingressGroups.create)['body']>

/**
 * Creates an IngressClass. With two default classes a cluster refuses every ingress that names none, so a second
 * default is refused. Of two created concurrently, an administrator has to delete one.
 */
export async function createIngressGroup(ctx: Ctx, env: string, input: NewGroup): Promise<IngressGroup> {
  const { name, controller, isDefault } = input
  note(ctx, { object: name, after: input })
  await mustUseAlone(ctx, env)
  const cluster = await clusterOf(ctx, env)
  const groups = await withKubeFaults(groupsOf(cluster.kube))
  if (groups.some((group) => group.name === name)) throw new Fault('conflict', 'ingress-group-exists', { name })
  const first = isDefault ? groups.find((group) => group.isDefault) : undefined
  if (first) throw new Fault('conflict', 'ingress-group-default-taken', { name: first.name })
  try {
    const made = await cluster.kube.create(kinds.ingressClasses, {
      metadata: { name, labels: madeFor(env), ...(isDefault && { annotations: { [defaultKey]: 'true' } }) },
      spec: { controller },
    })
    return toGroup(groupOfClass(made), await hostsOf(cluster))
  } catch (error) {
    throw isKube(error, 'exists') ? new Fault('conflict', 'ingress-group-exists', { name }) : kubeFault(error)
  }
}

/** Before Kubernetes 1.18 this annotation named the class, and controllers still read it. */
const oldKey = 'kubernetes.io/ingress.class'

async function usesOf({ kube }: Cluster, group: string): Promise<string[]> {
  const found: string[] = []
  for await (const { items } of kube.pages(kinds.ingresses))
    for (const { metadata, spec } of items)
      if ((spec?.ingressClassName ?? metadata?.annotations?.[oldKey]) === group)
        found.push(`${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`)
  return found
}

/** Refused for a GatewayClass, which comes with its controller, and while an ingress of any namespace names it. */
export async function removeIngressGroup(ctx: Ctx, env: string, name: string): Promise<null> {
  note(ctx, { object: name })
  await mustUseAlone(ctx, env)
  const cluster = await clusterOf(ctx, env)
  const found = await withKubeFaults(cluster.kube.find(kinds.ingressClasses, { name }))
  if (!found) {
    const groups = await withKubeFaults(groupsOf(cluster.kube))
    if (groups.some((group) => group.name === name)) throw new Fault('conflict', 'ingress-group-gateway', { name })
    throw new Fault('missing', 'ingress-group-missing', { name })
  }
  note(ctx, { before: groupOfClass(found) })
  const uses = await withKubeFaults(usesOf(cluster, name))
  if (uses.length > 0)
    throw new Fault('conflict', 'ingress-group-in-use', { name, count: uses.length, ingresses: firstFew(uses) })
  const { uid } = found.metadata ?? {}
  await withKubeFaults(cluster.kube.remove(kinds.ingressClasses, { name }, uid === undefined ? {} : { uid }))
  return null
}
