import { isKube } from '../../adapters/kube/errors.ts'
import type { Kube } from '../../adapters/kube/client.ts'
import { refOf } from '../../adapters/kube/objects.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import type { Resource } from '../../adapters/kube/resources.ts'
import { leaveSystemRow } from '../../kernel/audit.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { clusterAt } from './connect.service.ts'
import { forget } from './environments.service.ts'
import { addresses, isLeaving, leftNamespaces, stacksOn, stopLeaving } from './environments.store.ts'
import { leave } from './leave.queue.ts'
import { environmentLabel } from './marks.ts'

type Deleted = Record<string, string[]>

/** Those of a kind that were made for this environment. What may not be listed was not made by these credentials. */
async function removeMarked(kube: Kube, resource: Resource, environment: string, deleted: Deleted): Promise<void> {
  try {
    for await (const { items } of kube.pages(resource, { labels: `${environmentLabel}=${environment}` }))
      for (const object of items) {
        const ref = refOf(object)
        const { uid } = object.metadata ?? {}
        if (await kube.remove(resource, ref, uid === undefined ? {} : { uid }))
          (deleted[resource.plural] ??= []).push(
            ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`,
          )
      }
  } catch (error) {
    if (!isKube(error, 'forbidden', 'missing')) throw error
  }
}

/**
 * The namespaces of stacks that are no more. Which were given out is known here; that one is still the stack's, and nobody
 * else's of the same name, its label says.
 */
async function removeNamespaces(ctx: Ctx, kube: Kube, environment: string, deleted: Deleted): Promise<void> {
  for (const { namespace, stackUuid } of await leftNamespaces(ctx.db, environment)) {
    const found = await kube.find(kinds.namespaces, { name: namespace })
    const { uid, labels } = found?.metadata ?? {}
    if (uid === undefined || labels?.['gantry.dev/stack'] !== stackUuid) continue
    if (await kube.remove(kinds.namespaces, { name: namespace }, { uid }))
      (deleted['namespaces'] ??= []).push(namespace)
  }
}

/** Deletes what the product made in a cluster. Run again, it goes on with what is left. */
async function empty(ctx: Ctx, kube: Kube, environment: string): Promise<Deleted> {
  const deleted: Deleted = {}
  await removeNamespaces(ctx, kube, environment, deleted)
  for (const kind of [
    kinds.configMaps,
    kinds.secrets,
    kinds.persistentVolumes,
    kinds.storageClasses,
    kinds.ingressClasses,
    kinds.namespaces,
  ])
    await removeMarked(kube, kind, environment, deleted)
  // At once: either is what an agent reaches the cluster by, and without the one the other is harmless.
  await Promise.all(
    [kinds.clusterRoles, kinds.clusterRoleBindings].map((kind) => removeMarked(kube, kind, environment, deleted)),
  )
  return deleted
}

/** The end of a complete delete. A stack that came meanwhile keeps the cluster. */
export async function leaveCluster(ctx: Ctx, { uuid, name }: { uuid: string; name: string }): Promise<void> {
  const [row] = (await isLeaving(ctx.db, uuid)) ? await addresses(ctx.db, uuid) : []
  if (!row) return
  if ((await stacksOn(ctx.db, uuid)).length > 0) {
    await stopLeaving(ctx.db, uuid)
    return
  }
  const deleted = await empty(ctx, clusterAt(ctx, row).kube, uuid)
  await inTx(ctx, async (ctx) => {
    await forget(ctx, uuid, name)
    await leaveSystemRow(ctx, { action: 'environment.delete', by: leave.name, object: name, before: deleted })
  })
}
