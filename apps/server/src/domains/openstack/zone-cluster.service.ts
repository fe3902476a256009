import { labels } from '../../adapters/kube/labels.ts'
import { isKube } from '../../adapters/kube/errors.ts'
import { kubeFault } from '../../adapters/kube/faults.ts'
import type { Kube } from '../../adapters/kube/client.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import type { Account } from '../../adapters/openstack/openstack.ts'
import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { clusterOf } from '../clusters/public.ts'
import type { WrittenZone } from './kuryr.ts'
import { kuryrNamespace, namespaceObject, objectName, zoneConfigMap, zoneSecret } from './zone-objects.ts'

const refOf = (name: string) => ({ name: objectName(name), namespace: kuryrNamespace })

async function kubeOf(ctx: Ctx, clusterId: string): Promise<Kube> {
  return (await clusterOf(ctx, clusterId)).kube
}

/** Applying takes over fields, so an object of another zone, environment or installation is refused. */
async function refuseForeign(kube: Kube, { uuid, name }: WrittenZone): Promise<void> {
  const ref = refOf(name)
  const found = await Promise.all([kube.find(kinds.configMaps, ref), kube.find(kinds.secrets, ref)])
  if (found.some((object) => object && object.metadata?.labels?.[labels.zone] !== uuid))
    throw new Fault('conflict', 'zones-in-cluster', ref)
}

/**
 * Writes a zone to its cluster, the Secret first, so that a reader of the ConfigMap finds its account. `begun` is
 * called before the first object that would have to be removed again.
 */
export async function writeOut(
  ctx: Ctx,
  clusterId: string,
  zone: WrittenZone,
  account: Account,
  begun: () => void,
): Promise<void> {
  try {
    const kube = await kubeOf(ctx, clusterId)
    await refuseForeign(kube, zone)
    // it may already be Kuryr's own namespace, which we leave unchanged
    if (!(await kube.find(kinds.namespaces, { name: kuryrNamespace })))
      await kube.create(kinds.namespaces, namespaceObject()).catch((error: unknown) => {
        if (!isKube(error, 'exists')) throw error
      })
    begun()
    await kube.apply(kinds.secrets, zoneSecret(zone, account))
    await kube.apply(kinds.configMaps, zoneConfigMap(zone))
  } catch (error) {
    throw kubeFault(error)
  }
}

/** Removes from the cluster what this zone wrote. Repeatable at any point. */
export async function takeOut(ctx: Ctx, clusterId: string, { uuid, name }: { uuid: string; name: string }) {
  try {
    const kube = await kubeOf(ctx, clusterId)
    for (const kind of [kinds.configMaps, kinds.secrets]) {
      const found = await kube.find(kind, refOf(name))
      const metadata = found?.metadata
      if (metadata?.uid !== undefined && metadata.labels?.[labels.zone] === uuid)
        await kube.remove(kind, refOf(name), { uid: metadata.uid })
    }
  } catch (error) {
    throw kubeFault(error)
  }
}
