import type { podsTopic } from '@gantry/contract/clusters/pods'
import type { Ctx } from '../../../kernel/context.ts'
import { clusterNamed, type Publish, publishChanges, type Stop, watchStacks } from '../live/watch.ts'
import { shownPod } from './pods.rows.ts'

/** Publishes each change of a team's pods in a cluster, or of all. */
export async function watchPods(
  ctx: Ctx,
  env: string,
  teamId: number | undefined,
  publish: Publish<typeof podsTopic>,
): Promise<Stop> {
  const cluster = await clusterNamed(ctx, env, teamId)
  const stacks = await watchStacks(ctx, env, teamId)
  const stop = publishChanges(cluster, 'pods', publish, ({ type, row }) => {
    const stack = stacks.in(row.namespace)
    if (teamId !== undefined && !stack) return undefined
    return () => (type === 'removed' ? { gone: row.uid } : { pod: shownPod(row, stack) })
  })
  return () => {
    stop()
    stacks.stop()
  }
}
