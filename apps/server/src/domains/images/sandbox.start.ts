import type { Start } from '../../http/server.ts'
import { putSandbox } from './registries.store.ts'

/** The simulated registry is there for every team as long as the sandbox runs. */
export const start: Start = {
  order: 20,
  async run(ctx) {
    if (ctx.config.sandboxRegistry !== undefined) await putSandbox(ctx.db, ctx.config.sandboxRegistry)
  },
}
