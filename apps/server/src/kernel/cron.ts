import { Cron } from 'croner'
import { Fault } from './fault.ts'

function isZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Reads a cron expression of five fields in the local time of a zone; refuses what never fires. */
function read(cron: string, zone: string): Cron {
  if (!isZone(zone)) throw new Fault('invalid', 'zone-unknown', { zone })
  try {
    return new Cron(cron, { timezone: zone, mode: '5-part', paused: true })
  } catch {
    throw new Fault('invalid', 'cron-invalid', { cron })
  }
}

/**
 * The next slots after a moment. A local time that a change to summer time skips fires right after the change; one that
 * occurs twice in autumn fires once.
 */
export function slotsAfter({ cron, zone }: { cron: string; zone: string }, after: Date, count = 1): [Date, ...Date[]] {
  const [first, ...more] = read(cron, zone).nextRuns(count, after)
  if (!first) throw new Fault('invalid', 'cron-never', { cron })
  return [first, ...more]
}
