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

/** Reads a cron expression of five fields; refuses what is none. */
function parse(cron: string, timezone: string): Cron {
  try {
    return new Cron(cron, { timezone, mode: '5-part', paused: true })
  } catch {
    throw new Fault('invalid', 'cron-invalid', { cron })
  }
}

/** When a clock on the wall of a zone comes to a time: right after the change where it skips it, at first where it repeats it. */
function momentOf(wall: Temporal.PlainDateTime, zone: string): Temporal.Instant {
  const before = wall.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (before.toPlainDateTime().equals(wall)) return before.toInstant()
  return (before.getTimeZoneTransition('next') ?? before).toInstant()
}

/** The times of a schedule after a moment as its zone's clock shows them, each with the moment that they come at. */
function* momentsOf({ cron, zone }: Schedule, after: Date): Generator<Date> {
  // croner drops or doubles the times of a changed hour, unless it is the only one: it is asked in a zone without changes
  const clock = parse(cron, 'UTC')
  const shown = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(zone).toPlainDateTime()
  let wall = clock.nextRun(new Date(`${shown.toString()}Z`))
  for (; wall; wall = clock.nextRun(wall))
    yield new Date(momentOf(Temporal.PlainDateTime.from(wall.toISOString().slice(0, -1)), zone).epochMilliseconds)
}

/**
 * The next slots after a moment. Local times that a change to summer time skips fire right after the change, together;
 * one that occurs twice in autumn fires once. A schedule of every hour goes by the hours that pass instead, so that it
 * neither pauses nor hurries when the clock changes.
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
