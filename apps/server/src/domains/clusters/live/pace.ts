import type { Many } from '@gantry/contract/topic'
import type { z } from 'zod'

interface Pace {
  /** At most this many messages within `every` ms; further ones are counted, and published as {many: n} at the end. */
  most: number
  every: number
}

/** Many pods change at once if a cluster has trouble: pages then read again instead of receiving each change. */
const usual: Pace = { most: 20, every: 1000 }

/** Publishes messages up to a rate. A message that is not published is not created either. */
export function paced<C>(publish: (content: C | z.infer<typeof Many>) => void, { most, every }: Pace = usual) {
  let published = 0
  let pending = 0
  let timer: NodeJS.Timeout | undefined

  const next = () => {
    timer = undefined
    published = 0
    if (pending === 0) return
    const many = pending
    pending = 0
    timer = setTimeout(next, every)
    // the sum is the only message of the next second: a page that reads again needs no others
    published = most
    publish({ many })
  }

  return {
    publish: (content: () => C | z.infer<typeof Many>): void => {
      timer ??= setTimeout(next, every)
      if (published < most) {
        published += 1
        publish(content())
      } else pending += 1
    },
    stop: (): void => clearTimeout(timer),
  }
}
