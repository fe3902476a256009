import { readFile } from 'node:fs/promises'
import { parseKubeconfig } from '../../../adapters/kube/transport/kubeconfig.ts'
import type { Start } from '../../../http/server.ts'
import { type Ctx, scoped } from '../../../kernel/context.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { checkHealth } from '../health/health.service.ts'
import { addresses, putSandbox } from './clusters.store.ts'

/**
 * The sandbox starts beside the server and may answer a moment later; the regular check would be half a minute late.
 */
async function firstLook(ctx: Ctx, uuid: string): Promise<void> {
  for (let look = 0; look < 5 && !ctx.signal.aborted; look++) {
    const healthy = await checkHealth(ctx, uuid).catch(() => false)
    if (healthy) return
    await new Promise((later) => setTimeout(later, 1000))
  }
}

/** Every team may use the simulated cluster as long as the sandbox runs. */
export const start: Start = {
  order: 20,
  async run(ctx) {
    if (ctx.config.sandboxKubeconfig === undefined) return
    const address = parseKubeconfig(await readFile(ctx.config.sandboxKubeconfig, 'utf8'))
    const sealed = seal(ctx, JSON.stringify(address))
    await putSandbox(ctx.db, address.server, sealed)
    for (const clusterId of await addresses(ctx.db))
      if (clusterId.address === sealed) void firstLook(scoped(ctx), clusterId.uuid)
      else void checkHealth(scoped(ctx), clusterId.uuid).catch(() => false)
  },
}
