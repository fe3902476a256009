import { z } from 'zod'

/** What was last counted of a service's containers, and the recent restarts. */
export const SeenRestarts = z.object({
  /** By pod: the total restarts of its containers. */
  counts: z.record(z.string(), z.number()),
  /** Recent restarts: [epoch milliseconds, how many]. */
  came: z.array(z.tuple([z.number(), z.number()])),
})
export type SeenRestarts = z.infer<typeof SeenRestarts>

export const restartWindow = 15 * 60_000

/**
 * A pod's count only rises, and goes with the pod. A pod first seen after an earlier look has started since, so all its
 * restarts count; at the very first look their times are unknown, so none count.
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
