import type { V1Namespace } from '@kubernetes/client-node'
import { labels } from '../../../adapters/kube/labels.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import type { Wire } from '../../../adapters/kube/objects.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { giveUpNamespace, holdNamespace, isHeld } from '../../clusters/public.ts'
import { nameOfTeam } from '../../teams/public.read.ts'
import { namespaceObject, placeOf } from './namespace-objects.ts'
import { namespaceOf } from '../stacks/naming.ts'
import {
  isInUse,
  isNamespaceTaken,
  lockStack,
  moveStack,
  serialiseNamespace,
  type StackRow,
  wasStackOf,
} from '../stacks/stacks.store.ts'

/**
 * A name that no other team's stack ever had, on any cluster, because charts, logs and volumes are found by it, and
 * outlive a stack, a team and the record of a cluster.
 */
export async function freeNamespace(
  ctx: Ctx,
  { teamId, name, environment }: { teamId: number; name: string; environment: string },
): Promise<string> {
  const team = await nameOfTeam(ctx.db, teamId)
  for (let attempt = 0; ; attempt++) {
    const namespace = namespaceOf(team, name, attempt)
    await serialiseNamespace(ctx.db, namespace)
    if (!(await isNamespaceTaken(ctx.db, { namespace, environment, teamId }))) return namespace
  }
}

/** 409 if the name of a namespace is another stack's, or ever was another team's. */
export async function mustBeUnowned(
  ctx: Ctx,
  wanted: { namespace: string; environment: string; teamId: number },
): Promise<string> {
  await serialiseNamespace(ctx.db, wanted.namespace)
  if (await isNamespaceTaken(ctx.db, wanted))
    throw new Fault('conflict', 'takeovers-namespace-taken', { namespace: wanted.namespace })
  return wanted.namespace
}

/** The owner of a stack's namespace, according to the cluster. `leaving`: the stack's, and being deleted. */
export type NamespaceOwner = 'ours' | 'leaving' | 'missing' | 'others'

interface Found {
  whose: NamespaceOwner
  /** The uid of an existing namespace, even one that is being deleted. */
  uid: string | undefined
}

/**
 * A namespace belongs to the stack whose id is in its label. One of another stack is taken over only once that stack is
 * gone, and only within the team; an unknown id is another installation's. Without a label, it is the stack's if it has
 * the uid that the stack had.
 */
export async function namespaceOwner({ db }: Ctx, kube: Kube, stack: StackRow): Promise<Found> {
  const found = await kube.find(kinds.namespaces, { name: stack.namespace })
  const { uid, labels: marks, deletionTimestamp } = found?.metadata ?? {}
  if (uid === undefined) return { whose: 'missing', uid }
  const holder = marks?.[labels.stack]
  const isOurs =
    holder === stack.uuid || (holder === undefined ? await isHeld(db, stack, uid) : await wasStackOf(db, stack, holder))
  return { whose: !isOurs ? 'others' : deletionTimestamp === undefined ? 'ours' : 'leaving', uid }
}

/**
 * Creates the stack's namespace if it does not exist. A foreign namespace of that name is left alone with its content:
 * the stack then gets another name, and must be read again (`moved`). While the previous one is still being deleted,
 * nothing can be created in it (`leaving`).
 */
export async function claimNamespace(ctx: Ctx, kube: Kube, stack: StackRow): Promise<'held' | 'moved' | 'leaving'> {
  const found = await namespaceOwner(ctx, kube, stack)
  if (found.whose === 'others') {
    await inTx(ctx, async (ctx) => {
      if ((await lockStack(ctx.db, stack.id))?.namespace !== stack.namespace) return
      const namespace = await freeNamespace(ctx, { ...stack, environment: stack.envId })
      await moveStack(ctx.db, stack.id, namespace)
      await giveUpNamespace(ctx.db, stack)
    })
    return 'moved'
  }
  if (found.whose === 'leaving') return 'leaving'
  // If somebody creates it meanwhile, this create fails.
  const uid = found.uid ?? (await kube.create(kinds.namespaces, namespaceObject(placeOf(stack)))).metadata?.uid
  await holdNamespace(ctx.db, stack, uid)
  return 'held'
}

/**
 * Deletes the stack's namespace; returns it while it still exists. A namespace that is not the stack's, or that another
 * stack shares, is kept.
 */
export async function removeNamespace(
  { db }: Ctx,
  kube: Kube,
  stack: StackRow,
): Promise<Wire<V1Namespace> | undefined> {
  const found = await kube.find(kinds.namespaces, { name: stack.namespace })
  const { uid, labels: marks, deletionTimestamp } = found?.metadata ?? {}
  if (uid === undefined || marks?.[labels.stack] !== stack.uuid || (await isInUse(db, stack))) return undefined
  if (deletionTimestamp !== undefined) return found
  return (await kube.remove(kinds.namespaces, { name: stack.namespace }, { uid })) ? found : undefined
}
