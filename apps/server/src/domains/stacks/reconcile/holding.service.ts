import type { V1Namespace } from '@kubernetes/client-node'
import type { Kube } from '../../../adapters/kube/client.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import type { KubeObject, Wire } from '../../../adapters/kube/objects.ts'
import type { Resource } from '../../../adapters/kube/resources.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { claimProtection, endingOf, type Ending, heldBy, podsWith } from '../../../adapters/kube/rows/holding.ts'
import { podRow } from '../../../adapters/kube/rows/pod-row.ts'
import { firstFew, type Reason } from '../../../kernel/phrase.ts'

/** So many kinds, and so many objects of each, are listed: a few names say whom to ask. */
const most = { kinds: 5, objects: 50, pods: 500 }

interface Remaining {
  /** As kubectl writes it, with its finalizers. */
  name: string
  held: boolean
}

async function leftOf(
  kube: Kube,
  namespace: string,
  { plural, group, count }: Ending['remaining'][number],
): Promise<Remaining[]> {
  const kind = group === '' ? plural : `${plural}.${group}`
  try {
    const version = await kube.preferredVersion(group)
    const resource: Resource = { group, version, plural, kind: '', namespaced: true }
    const { items } = await kube.list(resource, { namespace }, { limit: most.objects })
    const isClaim = kind === kinds.persistentVolumeClaims.plural && items.some((one) => heldBy(one).length > 0)
    const pods = isClaim ? (await kube.list(kinds.pods, { namespace }, { limit: most.pods })).items.map(podRow) : []
    return items.map((object: KubeObject): Remaining => {
      const name = object.metadata?.name ?? ''
      const finalizers = heldBy(object).map((finalizer) =>
        isClaim && finalizer === claimProtection
          ? `${finalizer}: ${firstFew(podsWith(pods, name).map((pod) => `pods/${pod}`))}`
          : finalizer,
      )
      const holds = finalizers.length === 0 ? '' : ` (${finalizers.join(', ')})`
      return { name: `${kind}/${name}${holds}`, held: finalizers.length > 0 }
    })
  } catch (error) {
    // The product's account may not read every kind: then use the count that the cluster reports.
    if (!isKube(error)) throw error
    return [{ name: `${kind} (${count})`, held: false }]
  }
}

/** Why a namespace that is being deleted still exists; null until the cluster reports that something is left in it. */
export async function whatHolds(kube: Kube, namespace: Wire<V1Namespace>): Promise<Reason | null> {
  const { conditions, remaining } = endingOf(namespace)
  if (conditions.length === 0) return null
  const name = namespace.metadata?.name ?? ''
  const left = (await Promise.all(remaining.slice(0, most.kinds).map((kind) => leftOf(kube, name, kind)))).flat()
  const blocked = left.filter((one) => one.held)
  const vars = { namespace: name, conditions: conditions.join('; ') }
  if (left.length === 0) return { key: 'stacks-namespace-stuck', vars }
  const objects = firstFew((blocked.length > 0 ? blocked : left).map((one) => one.name))
  return {
    key: blocked.length > 0 ? 'stacks-namespace-held' : 'stacks-namespace-remaining',
    vars: { ...vars, objects },
  }
}

/** The same for a namespace by its name, as the cause of a reason. */
export async function endingReason(kube: Kube, namespace: string, key: string): Promise<Reason> {
  const found = await kube.find(kinds.namespaces, { name: namespace })
  const cause = (found && (await whatHolds(kube, found))) ?? { key: 'stacks-namespace-ending', vars: {} }
  return { key, vars: { namespace }, cause }
}
