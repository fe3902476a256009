import type { Deployment, ReplicaSet } from '../../objects/workloads.ts'

/** The input for the next step of a rollout, without names and times, so that it can be table-tested. */
export interface Rollout {
  /** The replicas in the specification. */
  replicas: number
  strategy: 'RollingUpdate' | 'Recreate'
  maxSurge: number
  maxUnavailable: number
  paused: boolean
  current: Size
  /** Newest first. */
  old: Size[]
}
export interface Size {
  /** The wanted size of the replica set. */
  wanted: number
  /** Its present number of pods. */
  actual: number
  available: number
}

/** The next sizes of the replica sets. */
export interface Plan {
  current: number
  old: number[]
}

const percentage = (value: number | string | undefined, of: number, up: boolean): number => {
  if (typeof value === 'number') return value
  const exact = (Number.parseFloat(value ?? '0') * of) / 100
  return up ? Math.ceil(exact) : Math.floor(exact)
}

/** maxSurge and maxUnavailable in pods. If both are zero, one pod may be missing, so that a rollout proceeds. */
export function bounds({ spec }: Deployment): { maxSurge: number; maxUnavailable: number } {
  if (spec.strategy.type === 'Recreate') return { maxSurge: 0, maxUnavailable: spec.replicas }
  const { maxSurge, maxUnavailable } = spec.strategy.rollingUpdate ?? {}
  const surge = percentage(maxSurge, spec.replicas, true)
  const missing = percentage(maxUnavailable, spec.replicas, false)
  const moving = surge === 0 && missing === 0 ? 1 : missing
  return { maxSurge: surge, maxUnavailable: Math.min(moving, spec.replicas) }
}

const sum = (sizes: Size[], field: keyof Size): number => sizes.reduce((total, size) => total + size[field], 0)

/** Distributes a change of the total over all replica sets in proportion; the largest takes the remainder. */
function proportionally({ replicas, maxSurge, current, old }: Rollout): Plan {
  const sizes = [current.wanted, ...old.map(({ wanted }) => wanted)]
  const total = sizes.reduce((a, b) => a + b, 0)
  const allowed = replicas > 0 ? replicas + maxSurge : 0
  const scaled = sizes.map((size) => (total === 0 ? 0 : Math.round((size * allowed) / total)))
  const largest = sizes.indexOf(Math.max(...sizes))
  scaled[largest] = Math.max((scaled[largest] ?? 0) + allowed - scaled.reduce((a, b) => a + b, 0), 0)
  return { current: scaled[0] ?? 0, old: scaled.slice(1) }
}

function recreate({ replicas, current, old }: Rollout): Plan {
  const gone = old.every(({ wanted, actual }) => wanted === 0 && actual === 0)
  return { current: gone ? replicas : current.wanted, old: old.map(() => 0) }
}

function roll(rollout: Rollout): Plan {
  const { replicas, maxSurge, maxUnavailable, current, old } = rollout
  const total = current.wanted + sum(old, 'wanted')
  if (current.wanted > replicas) return { current: replicas, old: old.map(({ wanted }) => wanted) }
  if (current.wanted < replicas) {
    const room = replicas + maxSurge - total
    if (room > 0)
      return {
        current: current.wanted + Math.min(room, replicas - current.wanted),
        old: old.map(({ wanted }) => wanted),
      }
  }
  // New pods that are not available yet do not count: this many old ones stay.
  const least = replicas - maxUnavailable
  const pending = current.wanted - current.available
  let mayGo = total - least - pending
  const next = old.map(({ wanted }) => wanted)
  if (mayGo <= 0) return { current: current.wanted, old: next }
  // Unhealthy pods first, from the oldest set on, then healthy ones as long as enough stay available.
  const oldestFirst = old.map((_, n) => old.length - 1 - n)
  for (const n of oldestFirst) {
    const size = old[n]
    const ill = Math.min((size?.wanted ?? 0) - (size?.available ?? 0), mayGo)
    if (ill <= 0) continue
    next[n] = (next[n] ?? 0) - ill
    mayGo -= ill
  }
  let spare = current.available + sum(old, 'available') - least
  for (const n of oldestFirst) {
    const healthy = Math.min(next[n] ?? 0, old[n]?.available ?? 0, spare)
    if (healthy <= 0) continue
    next[n] = (next[n] ?? 0) - healthy
    spare -= healthy
  }
  return { current: current.wanted, old: next }
}

/**
 * A step of a rollout, which is complete if the plan equals the present sizes. `resized`: replicas changed meanwhile.
 */
export function planRollout(rollout: Rollout, resized: boolean): Plan {
  const { replicas, current, old } = rollout
  const idle = old.every(({ wanted }) => wanted === 0)
  const same: Plan = { current: current.wanted, old: old.map(({ wanted }) => wanted) }
  if (rollout.paused || resized) {
    if (idle) return { ...same, current: replicas }
    if (current.wanted === 0 && old.filter(({ wanted }) => wanted > 0).length === 1)
      return { ...same, old: old.map(({ wanted }) => (wanted > 0 ? replicas : 0)) }
    return resized && rollout.strategy === 'RollingUpdate' ? proportionally(rollout) : same
  }
  return rollout.strategy === 'Recreate' ? recreate(rollout) : roll(rollout)
}

export const sizeOf = ({ spec, status }: ReplicaSet): Size => ({
  wanted: spec.replicas,
  actual: status.replicas,
  available: status.availableReplicas ?? 0,
})
