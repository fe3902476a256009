/** Reproducible random numbers: one sequence per seed. */
export interface Random {
  /** From 0 to `below`, exclusive. */
  int: (below: number) => number
  chance: (p: number) => boolean
  pick: <T>(from: readonly T[]) => T
  /** An independent sequence: drawing from it does not change this one. */
  fork: (label: number) => Random
}

/** mulberry32: 32 bits of state, fast, and good enough here. */
export function openRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number) => Math.floor(next() * below)
  return {
    int,
    chance: (p) => next() < p,
    pick: (from) => {
      if (from.length === 0) throw new Error('nothing to pick from')
      return from[int(from.length)] as (typeof from)[number]
    },
    fork: (label) => openRandom(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(label + 1, 0xc2b2ae35)),
  }
}
