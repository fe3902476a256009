import { type RawBuilder, sql } from 'kysely'
import type { Slots } from './periods.ts'

const moment = (at: number): RawBuilder<Date> => sql<Date>`${new Date(at).toISOString()}::timestamptz`

export const startOf = ({ startTime }: Slots) => moment(startTime)
export const endOf = ({ endTime }: Slots) => moment(endTime)

/** Whether a build has ended in the period. */
export const endedWithin = (slots: Slots) => sql<boolean>`ended_at >= ${startOf(slots)} and ended_at < ${endOf(slots)}`

/** The number, from 1, of the slot in which something has ended. */
export const slotOfEnd = ({ bounds }: Slots) =>
  sql<number>`width_bucket(ended_at, ${bounds.map((at) => new Date(at).toISOString())}::timestamptz[])`

interface Row {
  /** Null for the whole period. */
  slot: number | null
}

/** The figures of the whole period and of each slot; `none` for a slot without data. */
export function perSlot<F extends object>(
  { bounds }: Slots,
  rows: (F & Row)[],
  none: F,
): F & { items: (F & { startTime: number; endTime: number })[] } {
  const bySlot = new Map(rows.map(({ slot, ...figures }) => [slot, figures as unknown as F]))
  return {
    ...none,
    ...bySlot.get(null),
    items: bounds.slice(0, -1).map((startTime, at) => ({
      startTime,
      endTime: bounds[at + 1] ?? startTime,
      ...none,
      ...bySlot.get(at + 1),
    })),
  }
}
