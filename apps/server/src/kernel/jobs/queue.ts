import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Tables } from '../../db/tables.gen.ts'

/** Where jobs of one kind wait, and how they are repeated. */
export interface Queue<S extends z.ZodType = z.ZodType> {
  /** `<domain>-<verb>`; a release must not give it another meaning. */
  name: string
  schema: S
  /** How often a failed run is repeated, and after how long at first; the pause doubles. Twice, after 5 s. */
  retry?: { limit: number; delaySeconds: number }
  /** How long a run may take before it is cut off and handed to another. 300 s. */
  timeoutSeconds?: number
}

export interface SendOptions {
  /** One that waits under the same key already is enough. */
  key?: string
  afterSeconds?: number
}

/** What ctx offers of jobs. Sent with enqueue(). */
export interface Jobs {
  /** Answers how to wake the workers, once what was sent can be seen by them. */
  send: (db: Kysely<Tables>, queue: Queue, data: object, options: SendOptions) => Promise<() => void>
}
