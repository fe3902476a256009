import type { Start } from '../../http/server.ts'
import type { Ctx } from '../../kernel/context.ts'
import { settleService, settleStack } from './settle.service.ts'
import { leaseUnsettled } from './services.store.ts'
import { settling } from './settling.ts'
import { leaseUnsettledStacks } from './stacks.store.ts'

const lookMs = 500

/** One round: everything that is unsettled and nobody else works on. Each on its own, so that a slow cluster holds up no other. */
export async function settleOnce(ctx: Ctx): Promise<number> {
  const stacks = await leaseUnsettledStacks(ctx.db)
  const services = await leaseUnsettled(ctx.db)
  const work = [...stacks.map((id) => settleStack(ctx, id)), ...services.map((round) => settleService(ctx, round))]
  for (const done of work)
    done.catch((error: unknown) => ctx.log.error({ err: error }, 'settling met an error that it does not know'))
  // the round waits for the quick ones only: the lease keeps the slow from being begun again
  await Promise.race([Promise.allSettled(work), new Promise((resolve) => setTimeout(resolve, lookMs))])
  return work.length
}

async function loop(ctx: Ctx): Promise<void> {
  while (!ctx.signal.aborted) {
    const rung = settling.wait(lookMs, ctx.signal)
    const busy = await settleOnce(ctx).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'what is unsettled could not be read')
      return 0
    })
    if (busy > 0) await new Promise((resolve) => setTimeout(resolve, 100))
    else await rung
  }
}

/** Runs until the server drains. What it leaves half done, the next one finds in the tables. */
export const start: Start = {
  order: 90,
  async run(ctx) {
    void loop(ctx)
  },
}
