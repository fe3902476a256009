import { z } from 'zod'
import { StoredReason } from '../../../kernel/phrase.ts'

/** What autoscaling has last seen of a service, as it is stored. */
export const Seen = z.object({
  /** Looks in a row at which one instance less would do. */
  low: z.number().int(),
  /** On average, in percent of what an instance may use. */
  cpu: z.number().nullable(),
  memory: z.number().nullable(),
  last: z.object({ at: z.string(), from: z.number().int(), to: z.number().int(), why: StoredReason }).nullable(),
  /** Why it cannot decide by use. */
  trouble: StoredReason.nullable(),
})
export type Seen = z.infer<typeof Seen>

const nothing: Seen = { low: 0, cpu: null, memory: null, last: null, trouble: null }

export const readSeen = (stored: unknown): Seen => (stored === null ? nothing : Seen.parse(stored))
