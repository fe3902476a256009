import { Cron } from 'croner'

/** A schedule of five fields in the local time of a zone (UTC where none is named); undefined for what is none. */
export function scheduleOf(schedule: string, timeZone: string | undefined): Cron | undefined {
  try {
    const cron = new Cron(schedule, { timezone: timeZone ?? 'UTC', mode: '5-part', paused: true })
    // An unknown zone shows only once a time is asked for.
    cron.nextRun()
    return cron
  } catch {
    return undefined
  }
}
