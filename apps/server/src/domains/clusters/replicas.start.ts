import type { Start } from '../../http/server.ts'
import { beatOnce } from './cluster-agents.service.ts'
import { leave } from './cluster-agents.store.ts'

const beatMs = 10_000

/** Until the server drains. */
export const start: Start = {
  order: 80,
  async run(ctx) {
    await beatOnce(ctx)
    const failed = (error: unknown) => ctx.log.warn({ err: error }, 'this replica could not say that it lives')
    const beating = setInterval(() => void beatOnce(ctx).catch(failed), beatMs)
    ctx.signal.addEventListener('abort', () => {
      clearInterval(beating)
      leave(ctx.db, ctx.ports.kube.tunnels.replica).catch(failed)
    })
  },
}
