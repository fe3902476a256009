import { labels } from '../../../adapters/kube/labels.ts'
import type { Kube } from '../../../adapters/kube/client.ts'
import * as kinds from '../../../adapters/kube/resources.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { namespaceObject, placeOf } from './namespace-objects.ts'
import { namespaceOf } from '../stacks/naming.ts'
import {
  giveUpNamespace,
  holdNamespace,
  isHeld,
  isInUse,
  isNamespaceTaken,
  lockStack,
  moveStack,
  serialiseNamespace,
  type StackRow,
  wasStackOf,
} from '../stacks/stacks.store.ts'

/**
 * A name that no other team's stack ever had, on any cluster: charts, logs and volumes go by it, and outlive a stack, a team
 * and what is known of a cluster.
 */
export async function freeNamespace(
  ctx: Ctx,
  { teamId, name, environment }: { teamId: number; name: string; environment: string },
): Promise<string> {
  const team = await ctx.db.selectFrom('team').select('name').where('id', '=', teamId).executeTakeFirstOrThrow()
  for (let attempt = 0; ; attempt++) {
    const namespace = namespaceOf(team.name, name, attempt)
    await serialiseNamespace(ctx.db, namespace)
    if (!(await isNamespaceTaken(ctx.db, { namespace, environment, teamId }))) return namespace
  }
}

/** What the cluster says of the namespace that a stack goes by. `missing`: it is not there, or on its way out. */
export type Whose = 'ours' | 'missing' | 'others'

interface Found {
  whose: Whose
  /** Of a namespace that is there, be it on its way out. */
  uid: string | undefined
}

/**
 * Whose a namespace is, says the stack's id that it bears. Another stack's changes hands only once that stack is gone, from one of the team to
 * the next; an id that nobody here gave is another installation's. Without any, it is the stack's if it is the very one that it held.
 */
export async function whoseNamespace({ db }: Ctx, kube: Kube, stack: StackRow): Promise<Found> {
  const found = await kube.find(kinds.namespaces, { name: stack.namespace })
  const { uid, labels: marks, deletionTimestamp } = found?.metadata ?? {}
  if (uid === undefined) return { whose: 'missing', uid }
  const holder = marks?.[labels.stack]
  const isOurs =
    holder === stack.uuid || (holder === undefined ? await isHeld(db, stack, uid) : await wasStackOf(db, stack, holder))
  return { whose: !isOurs ? 'others' : deletionTimestamp === undefined ? 'ours' : 'missing', uid }
}

/**
 * Makes the stack's namespace where it is not there. What somebody else made under that name is left alone, with what runs in
 * it: the stack then gets another name, and has to be looked at again (`moved`). So it has where the one before is still on its
 * way out, in which nothing can be made (`leaving`).
 */
export async function claimNamespace(ctx: Ctx, kube: Kube, stack: StackRow): Promise<'held' | 'moved' | 'leaving'> {
  const found = await whoseNamespace(ctx, kube, stack)
  if (found.whose === 'others') {
    await inTx(ctx, async (ctx) => {
      if ((await lockStack(ctx.db, stack.id))?.namespace !== stack.namespace) return
      const namespace = await freeNamespace(ctx, { ...stack, environment: stack.envId })
      await moveStack(ctx.db, stack.id, namespace)
      await giveUpNamespace(ctx.db, stack)
    })
    return 'moved'
  }
  if (found.whose === 'missing' && found.uid !== undefined) return 'leaving'
  // Whoever makes it meanwhile wins: this create then fails.
  const uid = found.uid ?? (await kube.create(kinds.namespaces, namespaceObject(placeOf(stack)))).metadata?.uid
  await holdNamespace(ctx.db, stack, uid)
  return 'held'
}

/** Deletes the stack's namespace; false while something of it is left. One that is not the stack's, or another one's too, stays. */
export async function removeNamespace({ db }: Ctx, kube: Kube, stack: StackRow): Promise<boolean> {
  const { uid, labels: marks } = (await kube.find(kinds.namespaces, { name: stack.namespace }))?.metadata ?? {}
  if (uid === undefined || marks?.[labels.stack] !== stack.uuid || (await isInUse(db, stack))) return true
  return !(await kube.remove(kinds.namespaces, { name: stack.namespace }, { uid }))
}
