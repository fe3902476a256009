import type { Kube } from '../../adapters/kube/client.ts'
import * as kinds from '../../adapters/kube/resources.ts'
import { type Ctx, inTx } from '../../kernel/context.ts'
import { namespaceObject, placeOf } from './namespace-objects.ts'
import { labels, namespaceOf } from './naming.ts'
import {
  giveUpNamespace,
  holdNamespace,
  isHeld,
  isNamespaceTaken,
  lockStack,
  moveStack,
  serialiseNamespace,
  type StackRow,
  wasStackOf,
} from './stacks.store.ts'

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

const stackOf = async (
  kube: Kube,
  name: string,
): Promise<{ uid?: string | undefined; holder?: string | undefined }> => {
  const { uid, labels: marks } = (await kube.find(kinds.namespaces, { name }))?.metadata ?? {}
  return { uid, holder: marks?.[labels.stack] }
}

/** One that was the stack's stays it, whatever became of its label: services run in it. */
const isOurs = async ({ db }: Ctx, stack: StackRow, holder: string | undefined): Promise<boolean> =>
  holder === stack.uuid || (await isHeld(db, stack)) || (holder !== undefined && (await wasStackOf(db, stack, holder)))

/**
 * Makes the stack's namespace where it is not there. What somebody else made under that name is left alone, with what runs in
 * it: the stack then gets another name, and has to be looked at again (false).
 */
export async function claimNamespace(ctx: Ctx, kube: Kube, stack: StackRow): Promise<boolean> {
  const { uid, holder } = await stackOf(kube, stack.namespace)
  // Whoever makes it meanwhile wins: this create then fails.
  if (uid === undefined) await kube.create(kinds.namespaces, namespaceObject(placeOf(stack)))
  else if (!(await isOurs(ctx, stack, holder))) {
    await inTx(ctx, async (ctx) => {
      if ((await lockStack(ctx.db, stack.id))?.namespace !== stack.namespace) return
      const namespace = await freeNamespace(ctx, { ...stack, environment: stack.envId })
      await moveStack(ctx.db, stack.id, namespace)
      await giveUpNamespace(ctx.db, stack)
    })
    return false
  }
  await holdNamespace(ctx.db, stack)
  return true
}

/** Deletes the stack's namespace; false while something of it is left. One that is not the stack's stays. */
export async function removeNamespace(kube: Kube, stack: StackRow): Promise<boolean> {
  const { uid, holder } = await stackOf(kube, stack.namespace)
  if (uid === undefined || holder !== stack.uuid) return true
  return !(await kube.remove(kinds.namespaces, { name: stack.namespace }, { uid }))
}
