import { z } from 'zod'

/** What was last counted of a service's containers, and the restarts since. */
export const SeenRestarts = z.object({
  /** By pod: how often its containers have been restarted in all. */
  counts: z.record(z.string(), z.number()),
  /** Restarts that came since the look before: [epoch milliseconds, how many]. */
  came: z.array(z.tuple([z.number(), z.number()])),
})
export type SeenRestarts = z.infer<typeof SeenRestarts>

export const restartWindow = 15 * 60_000

/**
 * Pods only count up, and go with their counts. What a pod has when it is first seen counts where others of the service
 * were seen before: it was started since. At the very first look nobody knows when they were.
 */
export function countRestarts(
  before: SeenRestarts | undefined,
  counts: Readonly<Record<string, number>>,
  now: number,
): { after: SeenRestarts; restarts: number } {
  const more = Object.entries(counts).reduce(
    (sum, [pod, count]) => sum + (before ? Math.max(0, count - (before.counts[pod] ?? 0)) : 0),
    0,
  )
  const came = (before?.came ?? []).filter(([at]) => at > now - restartWindow)
  if (more > 0) came.push([now, more])
  return { after: { counts: { ...counts }, came }, restarts: came.reduce((sum, [, count]) => sum + count, 0) }
}
