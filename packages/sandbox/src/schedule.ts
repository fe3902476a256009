import { Cron } from 'croner'

/** A schedule of five fields in the local time of a zone (default UTC); undefined if it is invalid. */
export function scheduleOf(schedule: string, timeZone: string | undefined): Cron | undefined {
  try {
    const cron = new Cron(schedule, { timezone: timeZone ?? 'UTC', mode: '5-part', paused: true })
    // An unknown zone throws only when a time is computed.
    cron.nextRun()
    return cron
  } catch {
    return undefined
  }
}
