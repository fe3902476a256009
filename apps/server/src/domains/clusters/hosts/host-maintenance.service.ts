import { note } from '../../../kernel/audit.ts'
import { type Ctx, inTx } from '../../../kernel/context.ts'
import { nextDrain } from '../drains/drain.ts'
import { runningDrains } from '../drains/draining.ts'
import { stopDrain } from '../drains/drains.service.ts'
import { beginDrain, findDrain } from '../drains/drains.store.ts'
import { setSchedulable } from './host-changes.service.ts'
import { hostToChange, refuseController, publishHost } from './host-node.ts'
import { mustUseAlone } from '../clusters/connect.service.ts'

/** Cordons a host and starts its drain; its rounds are in drains.service.ts. */
async function begin(ctx: Ctx, env: string, host: string): Promise<void> {
  const changing = await hostToChange(ctx, env, host)
  await refuseController(ctx, changing)
  // cordoned first: a round that finds the host uncordoned would conclude that somebody else did it
  if (changing.node.spec?.unschedulable !== true) await setSchedulable(ctx, env, changing, false)
  await inTx(ctx, async (ctx) => {
    const before = await findDrain(ctx.db, env, host, { lock: true })
    const nodeUid = changing.node.metadata?.uid ?? ''
    // a drain of an earlier node with this name does not count
    const known = before?.nodeUid === nodeUid ? before : undefined
    const drain = nextDrain(known, { is: 'asked' })
    if (!drain || drain === known) return
    const { name: startedBy, id: startedById } = ctx.actor
    await beginDrain(ctx.db, { environment: env, host, nodeUid, startedBy, startedById }, drain)
    await publishHost(ctx, env, host)
    runningDrains.wakeAfterCommit(ctx)
  })
}

/** Stops a drain, even of a cluster that does not answer, and uncordons the host. */
async function end(ctx: Ctx, env: string, host: string): Promise<void> {
  await mustUseAlone(ctx, env)
  await stopDrain(ctx, env, host)
  const changing = await hostToChange(ctx, env, host)
  if (changing.node.spec?.unschedulable === true) await setSchedulable(ctx, env, changing, true)
}

export async function setMaintenance(ctx: Ctx, env: string, host: string, enable: boolean): Promise<null> {
  note(ctx, { object: host, after: { maintenance: enable } })
  await (enable ? begin(ctx, env, host) : end(ctx, env, host))
  return null
}
