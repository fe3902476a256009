/** A published event. */
export interface Event {
  /** The topic's name. */
  topic: string
  content: unknown
  /** Its position in the order that all readers share: opaque, comparable as text. */
  seq: string
}

/** The events of ctx. publish() writes them; subscribe() delivers those of one topic. */
export interface Events {
  /** Calls `listener` once for each event of any replica from now on, in order. Returns how to unsubscribe. */
  subscribe: (listener: (event: Event) => void) => () => void
  /** Called after a commit: readers look at once instead of at their next poll. */
  committed: () => void
  /**
   * Wakes whoever listens for this bell: in this replica at once, in others within milliseconds. Nothing is stored: a
   * replica that has lost its connection is woken when it listens again, and until then relies on its own looks.
   */
  ring: (bell: string) => void
  /** Calls `hear` at every ring. Returns how to unsubscribe. */
  onRing: (bell: string, hear: () => void) => () => void
  /** The events of a topic after `seq`, oldest first; undefined if that one has been deleted or over 500 follow. */
  since: (topic: string, seq: string) => Promise<Event[] | undefined>
  /** Delivers everything that is committed by now, including what an older transaction still holds back. For tests. */
  settle: () => Promise<void>
  close: () => Promise<void>
}
