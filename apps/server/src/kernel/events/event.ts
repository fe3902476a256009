/** What was published. */
export interface Event {
  /** The topic's name. */
  topic: string
  content: unknown
  /** Its place in the one order that all readers share: opaque, comparable as text. */
  seq: string
}

/** What ctx offers of events. Written with publish(), and of one topic heard with subscribe(). */
export interface Events {
  /** Calls `listener` for every event from now on, of every replica, in order and once. Answers how to stop. */
  subscribe: (listener: (event: Event) => void) => () => void
  /** Something was committed: readers look at once instead of at their next look. */
  committed: () => void
  /** The events of a topic after `seq`, oldest first; undefined where some of them are gone already. */
  since: (topic: string, seq: string) => Promise<Event[] | undefined>
  /** Reads what there is to read now. For tests and shutdown. */
  settle: () => Promise<void>
  close: () => Promise<void>
}
