import type { Start } from '../../../http/server.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { beatOnce } from './cluster-agents.service.ts'
import { leave } from './cluster-agents.store.ts'
import { closeDeletedClusters } from '../clusters/connect.service.ts'

const beatMs = 10_000

async function beat(ctx: Ctx): Promise<void> {
  await beatOnce(ctx)
  await closeDeletedClusters(ctx)
}

/** Runs until the server drains. */
export const start: Start = {
  order: 80,
  async run(ctx) {
    await beat(ctx)
    const failed = (error: unknown) => ctx.log.warn({ err: error }, 'this replica could not say that it lives')
    const beating = setInterval(() => void beat(ctx).catch(failed), beatMs)
    ctx.signal.addEventListener('abort', () => {
      clearInterval(beating)
      leave(ctx.db, ctx.ports.kube.tunnels.replica).catch(failed)
    })
  },
}
