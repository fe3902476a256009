import type { Topic, TopicParams } from '@gantry/contract/topic'
import type { z } from 'zod'
import type { Ctx } from '../../kernel/context.ts'

type Stop = () => void

/**
 * Publishes to a topic's subscribers, besides the topic's events, what only this replica knows. It is started for the
 * first subscriber and stopped with the last one, by the function that it returns. Nothing is stored, so a client that
 * reconnects reads again. A Fault refuses the topic.
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

/** Serves a topic: its published events, and what its source publishes from memory. */
export const serve = <T extends Topic>(topic: T, source?: Source<T>): ServedTopic => ({
  topic,
  // push passes the parameters of the topic's own path, and parses what it publishes
  ...(source && { source }),
})

/** A subscriber's place at a source. */
export interface Joined {
  /** Since when the source has published all changes, by the process's monotonic clock. */
  since: number
  leave: () => void
}

interface Open {
  subscribers: number
  since: number
  /** Resolves, once the source has started, to the function that stops it. */
  stop: Promise<Stop>
}

/** The sources of the topics that are subscribed to on this replica, each open once for all its subscribers. */
export function openSources(ctx: () => Ctx, deliver: (name: string, topic: Topic, content: unknown) => void) {
  const open = new Map<string, Open>()

  return {
    /** Starts a topic's source or joins it. */
    join: async (name: string, topic: Topic, source: Source, params: Record<string, string>): Promise<Joined> => {
      const found = open.get(name)
      const stop = found?.stop ?? source(ctx(), params, (content) => deliver(name, topic, content))
      const one = found ?? { subscribers: 0, since: 0, stop }
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
        one.since ||= performance.now()
      } catch (error) {
        leave()
        throw error
      }
      return { since: one.since, leave }
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
