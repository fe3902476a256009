/** How long figures of every minute are kept, and averages of five minutes. */
export const rawHours = 24
export const averagedDays = 8
/** Figures of every minute are dropped by whole partitions of so many hours. */
export const rawSpanHours = 6

export interface Partition {
  name: string
  /** Epoch milliseconds; `to` is exclusive. */
  from: number
  to: number
}

const hour = 3_600_000
const day = 24 * hour

/** The span of each table's partitions, how far ahead they are created, and how long rows are kept. */
export const partitioned = [
  { table: 'metric_raw', span: rawSpanHours * hour, ahead: 2 * day, kept: rawHours * hour },
  { table: 'metric_hour', span: day, ahead: 3 * day, kept: averagedDays * day },
] as const
export type Partitioned = (typeof partitioned)[number]

const stamp = (at: number): string => new Date(at).toISOString().slice(0, 13).replaceAll(/\D/g, '')

/** The partitions that have to exist, from the present one on. */
export function partitionsNeeded({ table, span, ahead }: Partitioned, now: number): Partition[] {
  const found: Partition[] = []
  for (let from = Math.floor(now / span) * span; from < now + ahead; from += span)
    found.push({ name: `${table}_${stamp(from)}`, from, to: from + span })
  return found
}

/** Whether nothing in a partition is kept any more; its name tells the time that it covers. */
export function isOver({ table, span, kept }: Partitioned, name: string, now: number): boolean {
  const [, year, month, date, hours] = new RegExp(`^${table}_(\\d{4})(\\d\\d)(\\d\\d)(\\d\\d)$`).exec(name) ?? []
  if (hours === undefined) return false
  const from = Date.UTC(Number(year), Number(month) - 1, Number(date), Number(hours))
  return from + span < now - kept
}
