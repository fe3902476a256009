import { Cron } from 'croner'
import { Fault } from './fault.ts'

interface Schedule {
  cron: string
  zone: string
}

function isZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Parses a cron expression of five fields; refuses anything else. */
function parse(cron: string, timezone: string): Cron {
  try {
    return new Cron(cron, { timezone, mode: '5-part', paused: true })
  } catch {
    throw new Fault('invalid', 'cron-invalid', { cron })
  }
}

/** When a zone's clock shows a time: right after the change if that skips it, the first time if that repeats it. */
function momentOf(wall: Temporal.PlainDateTime, zone: string): Temporal.Instant {
  const before = wall.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (before.toPlainDateTime().equals(wall)) return before.toInstant()
  return (before.getTimeZoneTransition('next') ?? before).toInstant()
}

/** The schedule's times after `after`, as instants; computed on the zone's wall clock. */
function* momentsOf({ cron, zone }: Schedule, after: Date): Generator<Date> {
  // croner drops or doubles times of a changed hour unless it is the only one: it computes in a zone without changes
  const clock = parse(cron, 'UTC')
  const local = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(zone).toPlainDateTime()
  let wall = clock.nextRun(new Date(`${local.toString()}Z`))
  for (; wall; wall = clock.nextRun(wall))
    yield new Date(momentOf(Temporal.PlainDateTime.from(wall.toISOString().slice(0, -1)), zone).epochMilliseconds)
}

/**
 * The next slots after a moment. Local times that the change to summer time skips fire together right after the change;
 * one that occurs twice in autumn fires once. A schedule for every hour follows elapsed hours instead, so it neither
 * pauses nor runs twice as often when the clock changes.
 */
export function slotsAfter({ cron, zone }: Schedule, after: Date, count = 1): [Date, ...Date[]] {
  if (!isZone(zone)) throw new Fault('invalid', 'zone-unknown', { zone })
  const slots: Date[] = []
  if (/^\S+ +\* /.test(cron.trim())) slots.push(...parse(cron, zone).nextRuns(count, after))
  else
    for (const moment of momentsOf({ cron, zone }, after)) {
      if (moment > (slots.at(-1) ?? after)) slots.push(moment)
      if (slots.length === count) break
    }
  const [first, ...more] = slots
  if (!first) throw new Fault('invalid', 'cron-never', { cron })
  return [first, ...more]
}
