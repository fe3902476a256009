import type { Ctx } from '../../kernel/context.ts'
import { clusterNamed, type Stop, type Tell, tellChanges } from './follow.ts'

/** Tells which hosts of a cluster changed. */
export async function followHosts(ctx: Ctx, env: string, tell: Tell): Promise<Stop> {
  return tellChanges(await clusterNamed(ctx, env), 'nodes', tell, ({ row }) => () => ({ host: row.name }))
}
