import { setTimeout as sleep } from 'node:timers/promises'

/** A second in which the event loop stood still, and what was worked on, as the server's pressure monitor tells it. */
export interface Blocked {
  blockedMs: number
  calls: string[]
}

/** The monitor tells of each second when it is over. */
const secondMs = 1_300

/**
 * How long the work holds up the event loop, where it does so each of three times and the loop goes free each time without it: a
 * neighbour who takes the processor is no finding. `told` is where the log puts what it tells.
 */
export async function isBlocking(told: Blocked[], work: () => Promise<void>): Promise<number | undefined> {
  let shortest = Infinity
  for (let round = 0; round < 3; round++) {
    told.length = 0
    await sleep(secondMs)
    if (told.length > 0) return undefined
    await work()
    await sleep(secondMs)
    const [one] = told
    if (!one) return undefined
    shortest = Math.min(shortest, one.blockedMs)
  }
  return shortest
}
