import { bareCopy, isRecord } from './record.ts'

/** RFC 7386. Answers a new value; modifies neither argument. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return structuredClone(patch)
  const merged = bareCopy(target)
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(merged[name], value)
  }
  return merged
}
