import type { z } from 'zod'
import type { Db } from '../../db/tables.gen.ts'

/** The queue of one kind of job, and its retries. */
export interface Queue<S extends z.ZodType = z.ZodType> {
  /** `<domain>-<verb>`; must keep its meaning across releases. */
  name: string
  schema: S
  /** How often a failed run is retried, and the first pause; it doubles each time. Default: twice, after 5 s. */
  retry?: { limit: number; delaySeconds: number }
  /** A run that takes longer is cut off and handed to another worker. Default: 300 s. */
  timeoutSeconds?: number
}

export interface SendOptions {
  /** Nothing is sent while another job with this key waits. */
  key?: string
  afterSeconds?: number
}

/** The jobs of ctx. enqueue() sends them. */
export interface Jobs {
  /** Returns a function that wakes the workers, to be called after the commit. */
  send: (db: Db, queue: Queue, data: object, options: SendOptions) => Promise<() => void>
}

export const defaultRetry = { limit: 2, delaySeconds: 5 }
export const defaultTimeout = 300
