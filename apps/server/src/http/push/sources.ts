import type { Topic, TopicParams } from '@gantry/contract/topic'
import type { z } from 'zod'
import type { Ctx } from '../../kernel/context.ts'

type Stop = () => void

/**
 * Publishes to a topic's subscribers what this replica alone sees, beside what events say of it: started for the first of them and
 * stopped, by what it answers, with the last. Nothing of it is kept, so who was away reads again. A Fault refuses the topic.
 */
export type Source<T extends Topic = Topic> = (
  ctx: Ctx,
  params: Record<keyof TopicParams<T>, string>,
  publish: (content: z.input<T['content']>) => void,
) => Promise<Stop>

/** A topic that a room serves. */
export interface ServedTopic {
  topic: Topic
  source?: Source
}

/** Serves a topic: the events that are published to it, and what its source publishes from memory. */
export const serve = <T extends Topic>(topic: T, source?: Source<T>): ServedTopic => ({
  topic,
  // push hands it the parameters of the topic's own path, and parses what it publishes
  ...(source && { source }),
})

interface Open {
  subscribers: number
  /** Stops it, as soon as it is started. */
  stop: Promise<Stop>
}

/** The sources of the topics that are subscribed to on this replica, each open once however many subscribe. */
export function openSources(ctx: () => Ctx, deliver: (name: string, topic: Topic, content: unknown) => void) {
  const open = new Map<string, Open>()

  return {
    /** Starts a topic's source or joins it; answers how to leave it. */
    join: async (name: string, topic: Topic, source: Source, params: Record<string, string>): Promise<Stop> => {
      const found = open.get(name)
      const one = found ?? { subscribers: 0, stop: source(ctx(), params, (content) => deliver(name, topic, content)) }
      open.set(name, one)
      one.subscribers += 1
      let joined = true
      const leave = () => {
        if (!joined) return
        joined = false
        one.subscribers -= 1
        if (one.subscribers > 0) return
        if (open.get(name) === one) open.delete(name)
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
