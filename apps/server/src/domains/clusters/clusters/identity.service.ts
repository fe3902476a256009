import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { findModules } from '../../../module.ts'
import { decisionsChanged } from '../../decisions/public.ts'
import { brokenConstraint } from '../../../db/constraint.ts'
import { type Reason, reasonOf } from '../../../kernel/phrase.ts'
import type { LatestCheck } from '../health/health.store.ts'
import { publishClusters } from './publish.ts'
import { anotherAnswers } from './connect.service.ts'
import { findCluster } from './clusters.store.ts'
import { acceptCluster, joinedAs, noteAnswers, shareCluster, takeCluster } from './identity.store.ts'
import { placeNamespaces } from './namespaces.store.ts'

/** The second phrase is for callers who may not see every cluster: it omits the other environment's name. */
const joinedAlready = (name: string) =>
  new Fault('conflict', 'clusters-joined-already', { name }, null, 'clusters-joined-already-plain')

/** Throws if the cluster already belongs to another environment than `except`. */
export async function mustBeUnknown({ db }: Ctx, cluster: string | null, except?: string): Promise<void> {
  const name = cluster === null ? undefined : await joinedAs(db, cluster, except)
  if (name !== undefined) throw joinedAlready(name)
}

/**
 * Stores which cluster answered for an environment. Returns a reason if it is not the environment's own; nothing is
 * written there then.
 */
export async function identified(ctx: Ctx, known: LatestCheck, cluster: string): Promise<Reason | null> {
  const { db } = ctx
  if (known.cluster === cluster) {
    if (known.answers !== null) {
      await noteAnswers(db, known, null)
      await decisionsChanged(ctx, null)
    }
    // the environment that it shared the cluster with may be gone
    if (known.sharesCluster) await takeCluster(db, known, cluster)
    return null
  }
  if (known.cluster !== null) {
    await noteAnswers(db, known, cluster)
    if (known.answers !== cluster) await decisionsChanged(ctx, null)
    return reasonOf(anotherAnswers(known.name))
  }
  if (await takeCluster(db, known, cluster)) await placeNamespaces(db, known.uuid, cluster)
  else if (known.sharesCluster) {
    await shareCluster(db, known, cluster)
    await placeNamespaces(db, known.uuid, cluster)
  } else {
    const name = await joinedAs(db, cluster, known.uuid)
    return name === undefined ? null : reasonOf(joinedAlready(name))
  }
  return null
}

/**
 * An administrator accepts the cluster that answers at an environment's address, recreated or another one. Refused if
 * yet another one answers by now.
 */
export const acceptAnswerer = (ctx: Ctx, uuid: string, cluster: string): Promise<null> =>
  inTx(ctx, async (ctx) => {
    const row = mustExist(await findCluster(ctx.db, uuid))
    note(ctx, { object: row.name, before: { cluster: row.cluster }, after: { cluster } })
    if (row.answers !== cluster) throw new Fault('conflict', 'clusters-answers-changed', { name: row.name })
    await mustBeUnknown(ctx, cluster, uuid)
    const taken = new Fault('conflict', 'clusters-joined-already-plain')
    await acceptCluster(ctx.db, uuid, cluster).catch(brokenConstraint('environment_cluster', taken))
    for (const { onNewCluster } of await findModules()) await onNewCluster?.(ctx, uuid)
    await publishClusters(ctx)
    await decisionsChanged(ctx, null)
    return null
  })
