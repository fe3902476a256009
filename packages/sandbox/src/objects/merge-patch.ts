import { isRecord } from './record.ts'

/** RFC 7386. Answers a new value; neither argument is written to. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return structuredClone(patch)
  const merged: Record<string, unknown> = isRecord(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    // An own property of this name would be lost in the assignment below and reach the prototype instead.
    if (name === '__proto__') continue
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(merged[name], value)
  }
  return merged
}
