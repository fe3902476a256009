import { setTimeout as sleep } from 'node:timers/promises'

/** A second with a blocked event loop and the calls in progress, as the server's pressure monitor logs it. */
export interface Blocked {
  blockedMs: number
  calls: string[]
}

/** The monitor reports each second when it is over. */
const secondMs = 1_300

/**
 * How long the work blocks the event loop, if it does so in each of three attempts and the loop is free each time
 * without it: other load on the machine is no finding. `told` is where the log's reports are collected.
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
