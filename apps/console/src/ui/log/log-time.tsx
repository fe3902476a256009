import { clockTime, zonedTime } from '../format.ts'
import type { LogLine } from './log-feed.ts'

/** The time of a line, to the tenth of a second; the day and the zone are in the tooltip. */
export function LogTime({ at }: { at: LogLine['at'] }) {
  if (at === undefined || at === null) return <time />
  return (
    <time dateTime={new Date(at).toISOString()} title={zonedTime(at)}>
      {clockTime(at)}
    </time>
  )
}
