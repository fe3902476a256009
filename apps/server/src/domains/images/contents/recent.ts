/**
 * A cache of reads, finished or not: by key, for `ms` milliseconds, at most `most` entries, the most recently used. A
 * failure is not kept.
 */
export function recent<T>(ms: number, most: number) {
  const kept = new Map<string, { until: number; value: Promise<T> }>()
  return {
    get(key: string, read: () => Promise<T>): Promise<T> {
      const found = kept.get(key)
      kept.delete(key)
      if (found !== undefined && found.until > performance.now()) {
        kept.set(key, found)
        return found.value
      }
      const value = read()
      const entry = { until: performance.now() + ms, value }
      kept.set(key, entry)
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
      value.catch(() => {
        if (kept.get(key) === entry) kept.delete(key)
      })
      return value
    },
    /** Drops all entries whose key has this prefix. */
    forget(beginning: string): void {
      for (const key of kept.keys()) if (key.startsWith(beginning)) kept.delete(key)
    },
    get size(): number {
      return kept.size
    },
  }
}
