import type { Ctx } from '../../kernel/context.ts'
import { Fault } from '../../kernel/fault.ts'
import { sandboxCluster } from '../clusters/public.ts'
import { sandboxRegistry } from '../images/public.ts'

/** Where a sample runs. */
export interface SampleTarget {
  environment: string
  /** Origin of the simulated cluster. */
  server: string
  registryId: number
}

/** Throws if there can be no sample here, without a sandbox or git. */
export async function samplePlace(ctx: Ctx): Promise<SampleTarget> {
  if (ctx.config.sandboxKubeconfig === undefined) throw new Fault('unavailable', 'sample-no-sandbox')
  const [environment, registry] = await Promise.all([sandboxCluster(ctx.db), sandboxRegistry(ctx.db)])
  if (!environment || !registry) throw new Fault('unavailable', 'sample-no-sandbox')
  await ctx.ports.git.version()
  return { environment: environment.uuid, server: environment.server, registryId: registry.id }
}
