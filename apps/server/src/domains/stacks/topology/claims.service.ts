import type { StackClaim } from '@gantry/contract/stacks/topology'
import { labels } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { heldBy, podsWith } from '../../../adapters/kube/rows/holding.ts'
import { podRow } from '../../../adapters/kube/rows/pod-row.ts'
import { waits } from '../../../adapters/kube/waits.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { compareNames } from '../../../kernel/in-order.ts'
import { clusterOf } from '../../clusters/public.ts'
import { writtenClaims } from '../services/claims.service.ts'
import { type ServiceRow, servicesOf } from '../services/services.store.ts'
import type { StackRow } from '../stacks/stacks.store.ts'

const mounting = (services: readonly ServiceRow[], claim: string): string[] =>
  services
    .filter(({ spec }) => spec.volumes?.some((volume) => volume.type === 'existing' && volume.claim === claim))
    .map(({ name }) => name)

const usersOf = (services: readonly ServiceRow[], claim: string, owner: string | undefined): string[] =>
  [...new Set([...(owner === undefined ? [] : [owner]), ...mounting(services, claim)])].sort(compareNames)

/**
 * The claims in a stack's namespace according to its cluster, including those of deleted services. If the cluster does
 * not answer, the claims according to the documents.
 */
export async function claimsOfStack(ctx: Ctx, stack: StackRow): Promise<StackClaim[]> {
  const services = await servicesOf(ctx.db, stack.id)
  try {
    const cluster = await clusterOf(ctx, stack.envId)
    const [{ items }, volumes] = await Promise.all([
      cluster.kube.list(kinds.persistentVolumeClaims, { namespace: stack.namespace }),
      cluster.rows('volumes', undefined, waits.rows),
    ])
    const isGoing = items.some(({ metadata }) => metadata?.deletionTimestamp !== undefined)
    const pods = isGoing ? (await cluster.kube.list(kinds.pods, { namespace: stack.namespace })).items.map(podRow) : []
    const policies = new Map(volumes.rows.map(({ name, reclaimPolicy }) => [name, reclaimPolicy]))
    const owners = new Map(services.map(({ id, name }) => [String(id), name]))
    return items
      .map((claim): StackClaim => {
        const { metadata, spec, status } = claim
        const name = metadata?.name ?? ''
        const policy = policies.get(spec?.volumeName ?? '')
        return {
          name,
          size: status?.capacity?.['storage'] ?? spec?.resources?.requests?.['storage'] ?? '',
          storageClass: spec?.storageClassName ?? '',
          phase: status?.phase ?? '',
          usedBy: usersOf(services, name, owners.get(metadata?.labels?.[labels.service] ?? '')),
          withStack: policy === undefined ? 'unknown' : policy === 'Retain' ? 'kept' : 'deleted',
          held: metadata?.deletionTimestamp === undefined ? null : { by: heldBy(claim), pods: podsWith(pods, name) },
        }
      })
      .sort((a, b) => compareNames(a.name, b.name))
  } catch (error) {
    if (error instanceof Fault && error.kind === 'missing') throw error
    ctx.log.warn({ err: error, environment: stack.envId }, 'the claims of a stack were not read')
    return services
      .flatMap((service) =>
        writtenClaims(service).map((claim): StackClaim => ({
          ...claim,
          usedBy: usersOf(services, claim.name, service.name),
          withStack: 'unknown',
          held: null,
        })),
      )
      .sort((a, b) => compareNames(a.name, b.name))
  }
}
