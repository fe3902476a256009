import { z } from 'zod'
import { StoredReason } from '../../../kernel/phrase.ts'

/** The last result of autoscaling for a service, as stored. */
export const Seen = z.object({
  /** Measurements in a row that allow one instance less. */
  low: z.number().int(),
  /** The average, in percent of an instance's limit. */
  cpu: z.number().nullable(),
  memory: z.number().nullable(),
  last: z.object({ at: z.string(), from: z.number().int(), to: z.number().int(), why: StoredReason }).nullable(),
  /** Why it cannot decide by use. */
  trouble: StoredReason.nullable(),
})
export type Seen = z.infer<typeof Seen>

const nothing: Seen = { low: 0, cpu: null, memory: null, last: null, trouble: null }

export const readSeen = (stored: unknown): Seen => (stored === null ? nothing : Seen.parse(stored))
