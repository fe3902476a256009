/** A published event. */
export interface Event {
  /** The topic's name. */
  topic: string
  content: unknown
  /** Its position in the order that all readers share: opaque, comparable as text. */
  seq: string
}

/** The events of ctx. publish() writes them, and subscribe() delivers those of one topic. */
export interface Events {
  /** Calls `listener` for every event from now on, of every replica, in order and once. Returns how to stop. */
  subscribe: (listener: (event: Event) => void) => () => void
  /** Called after a commit: readers look at once instead of at their next poll. */
  committed: () => void
  /**
   * Wakes who listens for this bell: here at once, in other replicas within milliseconds. Nothing is stored: a replica
   * that has lost its connection is rung when it listens again, and until then looks by itself.
   */
  ring: (bell: string) => void
  /** Calls `hear` at every ring. Returns how to stop. */
  onRing: (bell: string, hear: () => void) => () => void
  /** The events of a topic after `seq`, oldest first; undefined where some of them have been deleted. */
  since: (topic: string, seq: string) => Promise<Event[] | undefined>
  /** Delivers all that is committed by now, also what an older transaction still holds back. For tests. */
  settle: () => Promise<void>
  close: () => Promise<void>
}
