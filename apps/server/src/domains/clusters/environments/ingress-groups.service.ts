import type { IngressGroup } from '@gantry/contract/clusters/ingress-groups'
import { waits } from '../../../adapters/kube/waits.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import { list, text } from '../../../adapters/kube/parse-object.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { byNameOf } from '../../../kernel/in-order.ts'
import { clusterOf } from './connect.service.ts'
import { withKubeFaults } from '../hosts/host-node.ts'

const defaultKey = 'ingressclass.kubernetes.io/is-default-class'

/** The ingress controllers of a cluster, each with the hosts that take its traffic. */
export async function listIngressGroups(ctx: Ctx, env: string): Promise<IngressGroup[]> {
  const cluster = await clusterOf(ctx, env)
  const [{ items }, { rows }] = await Promise.all([
    withKubeFaults(cluster.kube.list(kinds.ingressClasses, {}, { limit: 1000 })),
    cluster.rows('nodes', undefined, waits.rows),
  ])
  const hosts = rows
    .filter((node) => node.labels[labels.ingress] === 'true')
    .map(({ name, internalIp, ready }) => ({ name, ip: internalIp, ready }))
    .sort(byNameOf(({ name }) => name))
  return list(items)
    .map(({ metadata, spec }) => ({
      name: text(metadata?.name),
      controller: text(spec?.controller),
      isDefault: metadata?.annotations?.[defaultKey] === 'true',
      hosts,
      createdAt: text(metadata?.creationTimestamp),
    }))
    .sort(byNameOf(({ name }) => name))
}
