/**
 * Works through a list, at most so many at once, and answers in its order. After the first failure, which it throws,
 * nothing more is begun.
 */
export async function inLanes<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    try {
      for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T)
    } catch (error) {
      next = items.length
      throw error
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane))
  return results
}
