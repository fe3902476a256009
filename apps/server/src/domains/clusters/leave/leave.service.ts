import { labels } from '../../../adapters/kube/labels.ts'
import { isKube } from '../../../adapters/kube/errors.ts'
import { kubeFault } from '../../../adapters/kube/faults.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import { type KubeObject, refOf } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import type { Resource } from '../../../adapters/kube/resources.ts'
import { writeSystemAuditRow } from '../../../kernel/audit.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { reconciler, type Round } from '../../../kernel/reconcile.ts'
import { publishClusters } from '../clusters/publish.ts'
import { clusterAt } from '../clusters/connect.service.ts'
import { forget } from '../clusters/clusters.service.ts'
import { addresses, isLeaving, stacksOn, stopLeaving } from '../clusters/clusters.store.ts'
import { leftNamespaces } from '../clusters/namespaces.store.ts'
import { drainsOf } from '../drains/drains.store.ts'
import { name as agentName, namespace as agentNamespace } from '../cluster-agents/agent-manifest.ts'
import { zonesOf } from './leave.read.ts'
import { leaveMinutes, leavingClusters } from './leaving.ts'

type Deleted = Record<string, string[]>

interface Emptied {
  deleted: Deleted
  /** Objects that the credentials may not delete. */
  kept: string[]
}

/** Objects that may not be listed were not created by these credentials. */
async function removeMarked(kube: Kube, resource: Resource, labels: string, deleted: Deleted): Promise<void> {
  try {
    for await (const { items } of kube.pages(resource, { labels }))
      for (const object of items) {
        const ref = refOf(object)
        // without some of its objects an agent cannot delete the rest: its namespace is deleted as a whole, last
        if ((resource === kinds.namespaces ? ref.name : ref.namespace) === agentNamespace) continue
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
 * Deletes the namespaces of deleted stacks. They are recorded here; the label of each shows whether it is still the
 * stack's or somebody else's of the same name.
 */
async function removeNamespaces(ctx: Ctx, kube: Kube, clusterId: string, deleted: Deleted): Promise<void> {
  for (const { namespace, stackUuid } of await leftNamespaces(ctx.db, clusterId)) {
    const found = await kube.find(kinds.namespaces, { name: namespace })
    const metadata = found?.metadata
    if (metadata?.uid === undefined || metadata.labels?.[labels.stack] !== stackUuid) continue
    if (await kube.remove(kinds.namespaces, { name: namespace }, { uid: metadata.uid }))
      (deleted['namespaces'] ??= []).push(namespace)
  }
}

const hostKeys: readonly string[] = [labels.dedicated, labels.ingress]

/** Returns hosts to all: a taint or cordon that nobody removes would keep a host empty for ever. */
async function freeHosts(ctx: Ctx, kube: Kube, clusterId: string, deleted: Deleted): Promise<void> {
  const emptied = new Set((await drainsOf(ctx.db, [clusterId])).map(({ nodeUid }) => nodeUid))
  try {
    for await (const { items } of kube.pages(kinds.nodes))
      for (const { metadata, spec } of items) {
        const marks = hostKeys.filter((key) => metadata?.labels?.[key] !== undefined)
        const taints = spec?.taints ?? []
        const kept = taints.filter(({ key }) => !hostKeys.includes(key))
        const cordoned = spec?.unschedulable === true && emptied.has(metadata?.uid ?? '')
        if (marks.length === 0 && kept.length === taints.length && !cordoned) continue
        const name = metadata?.name ?? ''
        await kube.merge(
          kinds.nodes,
          { name },
          {
            metadata: {
              labels: Object.fromEntries(marks.map((key) => [key, null])),
              // the list of taints is replaced as a whole, so only if it is still the one that was read
              resourceVersion: metadata?.resourceVersion,
            },
            // the API server maintains the taint of the cordon from `unschedulable`
            spec: { taints: kept, ...(cordoned && { unschedulable: null }) },
          },
        )
        ;(deleted['hosts'] ??= []).push(name)
      }
  } catch (error) {
    if (!isKube(error, 'forbidden')) throw error
  }
}

/**
 * Makes an agent delete itself: its role and binding are owned by its namespace, so that the cluster deletes them with
 * it. Deleted earlier, either would leave it unable to delete the rest; once its namespace ends it has no identity.
 * Returns what it may not delete.
 */
async function removeAgent(kube: Kube, clusterId: string, deleted: Deleted): Promise<string[]> {
  const isOurs = (object: KubeObject | undefined) => object?.metadata?.labels?.[labels.environment] === clusterId
  const home = { name: agentNamespace }
  const namespace = await kube.find(kinds.namespaces, home)
  const uid = isOurs(namespace) ? namespace?.metadata?.uid : undefined
  const kept: string[] = []
  for (const kind of [kinds.clusterRoleBindings, kinds.clusterRoles]) {
    const ref = { name: agentName }
    try {
      if (!isOurs(await kube.find(kind, ref))) continue
      if (uid === undefined) await kube.remove(kind, ref)
      else {
        const owner = { apiVersion: 'v1', kind: 'Namespace', ...home, uid }
        await kube.merge(kind, ref, { metadata: { ownerReferences: [owner] } })
      }
      deleted[kind.plural] = [agentName]
    } catch (error) {
      if (!isKube(error, 'forbidden')) throw error
      // without an agent, these are credentials that may not see roles, and so created none
      if (uid !== undefined) kept.push(`${kind.plural}/${agentName}`)
    }
  }
  if (uid !== undefined && (await kube.remove(kinds.namespaces, home, { uid })))
    (deleted['namespaces'] ??= []).push(agentNamespace)
  return kept
}

/**
 * Deletes what the product created in a cluster, and returns what it may not delete; undefined if the round ends
 * before. A later run continues with the rest.
 */
async function empty(ctx: Ctx, kube: Kube, clusterId: string, round: Round): Promise<Emptied | undefined> {
  const deleted: Deleted = {}
  let kept: string[] = []
  const zones = (await zonesOf(ctx.db, clusterId)).map(({ uuid }) => uuid)
  const marked = (selector: string, ...of: Resource[]) =>
    of.map((resource) => () => removeMarked(kube, resource, selector, deleted))
  const whole = await round.inTurn([
    () => removeNamespaces(ctx, kube, clusterId, deleted),
    () => freeHosts(ctx, kube, clusterId, deleted),
    ...(zones.length > 0 ? marked(`${labels.zone} in (${zones.join(',')})`, kinds.configMaps, kinds.secrets) : []),
    ...marked(
      `${labels.environment}=${clusterId}`,
      kinds.configMaps,
      kinds.secrets,
      kinds.persistentVolumes,
      kinds.storageClasses,
      kinds.ingressClasses,
      kinds.namespaces,
    ),
    async () => {
      kept = await removeAgent(kube, clusterId, deleted)
    },
  ])
  return whole ? { deleted, kept } : undefined
}

/** The cluster is kept after all: its teams may use it again. */
async function stay(ctx: Ctx, uuid: string): Promise<void> {
  await stopLeaving(ctx.db, uuid)
  await publishClusters(ctx)
}

/** A cluster that cannot be emptied for too long becomes available to its teams again. */
async function giveUp(ctx: Ctx, { uuid, name }: { uuid: string; name: string }, error: unknown): Promise<void> {
  const fault = kubeFault(error)
  await stay(ctx, uuid)
  await writeSystemAuditRow(ctx, {
    action: 'environment.delete',
    by: leavingClusters.name,
    object: name,
    ...(fault instanceof Fault && { message: fault.key }),
    after: { leaving: false },
  })
}

/** Runs a complete delete. A stack that was created meanwhile keeps the cluster; a zone in writing is waited for. */
async function leaveCluster(ctx: Ctx, { uuid }: { uuid: string }, round: Round): Promise<number> {
  const [row] = await addresses(ctx.db, uuid)
  if (!row) return 0
  if ((await stacksOn(ctx.db, uuid)).length > 0) {
    await round.note((ctx) => stay(ctx, uuid))
    return 0
  }
  if ((await zonesOf(ctx.db, uuid)).some(({ begun }) => begun)) return 15_000
  const { name } = row
  try {
    const done = await empty(ctx, clusterAt(ctx, row).kube, uuid, round)
    if (!done) return 0
    const { deleted, kept } = done
    await round.note(async (ctx) => {
      await forget(ctx, uuid, name)
      await writeSystemAuditRow(ctx, {
        action: 'environment.delete',
        by: leavingClusters.name,
        object: name,
        before: deleted,
        ...(kept.length > 0 && { after: { kept } }),
      })
    })
  } catch (error) {
    if (ctx.signal.aborted || !(await isLeaving(ctx.db, uuid, leaveMinutes))) throw error
    ctx.log.warn({ err: error, environment: uuid }, 'a cluster could not be emptied, and is kept')
    await round.note((ctx) => giveUp(ctx, row, error))
  }
  return 0
}

export const leaveReconciler = reconciler(leavingClusters, leaveCluster)
