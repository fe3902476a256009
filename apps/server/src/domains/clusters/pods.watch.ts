import type { Ctx } from '../../kernel/context.ts'
import { clusterNamed, followStacks, type Stop, type Tell, tellChanges } from './follow.ts'
import { shownPod } from './pods.rows.ts'

/** Tells each change of a team's pods in a cluster, or of all, as `topics.pods` promises. */
export async function followPods(ctx: Ctx, env: string, teamId: number | undefined, tell: Tell): Promise<Stop> {
  const cluster = await clusterNamed(ctx, env, teamId)
  const stacks = await followStacks(ctx, env, teamId)
  const stop = tellChanges(cluster, 'pods', tell, ({ type, row }) => {
    const stack = stacks.in(row.namespace)
    if (teamId !== undefined && !stack) return undefined
    return () => (type === 'removed' ? { gone: row.uid } : { pod: shownPod(row, stack) })
  })
  return () => {
    stop()
    stacks.stop()
  }
}
