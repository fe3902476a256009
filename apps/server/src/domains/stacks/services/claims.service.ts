import { instancesOf } from '@gantry/contract/stacks/scaling/autoscaling'
import type { ServiceClaim } from '@gantry/contract/stacks/services'
import { labels } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { compareNames } from '../../../kernel/in-order.ts'
import { clusterOf } from '../../clusters/public.ts'
import type { StackRow } from '../stacks/stacks.store.ts'
import { claimName, claimsOf } from './objects/storage.ts'
import type { ServiceRow } from './services.store.ts'

/** The claims according to the document; for a StatefulSet, those of its present instances. */
export const writtenClaims = ({ name, spec, instances }: ServiceRow): ServiceClaim[] =>
  claimsOf(spec).flatMap((claim) => {
    const names =
      spec.workload === 'statefulset'
        ? Array.from({ length: instancesOf(spec, instances) }, (_, at) => `${claim.name}-${name}-${at}`)
        : [claimName(name, claim.name)]
    return names.map((one) => ({
      name: one,
      size: claim.size,
      storageClass: claim.storageClass ?? '',
      phase: '',
    }))
  })

/** The claims of a service in its cluster, including those of former instances. */
export async function claimsOfService(ctx: Ctx, stack: StackRow, service: ServiceRow): Promise<ServiceClaim[]> {
  try {
    const { kube } = await clusterOf(ctx, stack.envId)
    const selection = { namespace: stack.namespace, labels: `${labels.service}=${service.id}` }
    const { items } = await kube.list(kinds.persistentVolumeClaims, selection)
    return items
      .map(({ metadata, spec, status }) => ({
        name: metadata?.name ?? '',
        size: spec?.resources?.requests?.['storage'] ?? '',
        storageClass: spec?.storageClassName ?? '',
        phase: status?.phase ?? '',
      }))
      .sort((a, b) => compareNames(a.name, b.name))
  } catch (error) {
    if (error instanceof Fault && error.kind === 'missing') throw error
    ctx.log.warn({ err: error, environment: stack.envId }, 'the claims of a service were not read')
    return writtenClaims(service)
  }
}
