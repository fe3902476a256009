import type { Ctx } from '../kernel/context.ts'

/**
 * Tells a topic's followers what this replica alone sees, beside what events say of it: started for the first of them and
 * stopped, by what it answers, with the last. Nothing of it is kept, so who was away reads again. A Fault refuses the topic.
 */
export type Source = (ctx: Ctx, params: Record<string, string>, tell: (content: unknown) => void) => Promise<() => void>

interface Open {
  followers: number
  /** Stops it, as soon as it is started. */
  stop: Promise<() => void>
}

/** The sources of the topics that are followed on this replica, each open once however many follow. */
export function openSources(ctx: () => Ctx, deliver: (topic: string, content: unknown) => void) {
  const open = new Map<string, Open>()

  return {
    /** Starts a topic's source or joins it; answers how to leave it. */
    join: async (topic: string, source: Source, params: Record<string, string>): Promise<() => void> => {
      const found = open.get(topic)
      const one = found ?? { followers: 0, stop: source(ctx(), params, (content) => deliver(topic, content)) }
      open.set(topic, one)
      one.followers += 1
      let joined = true
      const leave = () => {
        if (!joined) return
        joined = false
        one.followers -= 1
        if (one.followers > 0) return
        if (open.get(topic) === one) open.delete(topic)
        one.stop.then(
          (stop) => stop(),
          () => undefined,
        )
      }
      try {
        await one.stop
      } catch (error) {
        leave()
        throw error
      }
      return leave
    },
    close: () => {
      for (const { stop } of open.values())
        stop.then(
          (end) => end(),
          () => undefined,
        )
      open.clear()
    },
  }
}
