import type { Start } from '../../http/server.ts'
import type { Ctx } from '../../kernel/context.ts'
import { draining } from './draining.ts'
import { drainOnce } from './drains.service.ts'

const lookMs = 1000

async function loop(ctx: Ctx): Promise<void> {
  while (!ctx.signal.aborted) {
    const rung = draining.wait(lookMs, ctx.signal)
    try {
      // Each goes on by itself, and has told its errors: the next look does not wait for a slow cluster.
      void Promise.all(await drainOnce(ctx))
    } catch (error) {
      ctx.log.error({ err: error }, 'the drains that are due could not be read')
    }
    await rung
  }
}

/** Runs until the server drains. What it leaves half done, the next one finds in the table. */
export const start: Start = {
  order: 91,
  async run(ctx) {
    void loop(ctx)
  },
}
