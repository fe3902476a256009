export interface HostLogLine {
  /** ISO 8601; empty if the line has none. */
  time: string
  text: string
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Nov 21 16:50:37.123456 host service[1]: text`, as journalctl and syslog write; the host is the requested one. */
const journal = /^([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d)(\.\d+)? \S+ (.*)$/
/** `2026-11-21T16:50:37.123456+00:00 host service: text` or `time="2026-…" level=info …`. */
const iso = /^(?:time=")?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d))"?\s+(.*)$/
/** `I1121 16:50:37.123456    1234 file.go:1] text`, as Kubernetes' own programs write to files. */
const klog = /^[IWEF](\d\d)(\d\d) (\d\d:\d\d:\d\d)(\.\d+)?\s/

/** The time of a line without a year: this year in UTC, or last year if that would be in the future. */
function timeOf(month: number, day: number, clock: string, fraction: string, now: Date): string {
  const at = (year: number): Date =>
    new Date(`${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T${clock}${fraction}Z`)
  const year = now.getUTCFullYear()
  const dayMs = 86_400_000
  const time = at(year).getTime() > now.getTime() + dayMs ? at(year - 1) : at(year)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}

const millis = (fraction: string | undefined): string => (fraction === undefined ? '' : fraction.slice(0, 4))

/** Parses the time and the text of one line of a host's log, in any of the formats that hosts write. */
export function hostLogLine(line: string, now: Date): HostLogLine {
  const match = journal.exec(line)
  const month = months.indexOf(match?.[1] ?? '') + 1
  if (match && month > 0)
    return { time: timeOf(month, Number(match[2]), match[3] ?? '', millis(match[4]), now), text: match[5] ?? '' }
  const whole = iso.exec(line)
  if (whole) {
    const time = new Date(whole[1] ?? '')
    if (!Number.isNaN(time.getTime())) return { time: time.toISOString(), text: whole[2] ?? '' }
  }
  const own = klog.exec(line)
  if (own) return { time: timeOf(Number(own[1]), Number(own[2]), own[3] ?? '', millis(own[4]), now), text: line }
  return { time: '', text: line }
}

/** Messages of journalctl about itself, and of the kubelet when it finds nothing. */
export const isNotice = (line: string): boolean => /^-- (?:No entries|Logs begin|Journal begins|Boot) /.test(`${line} `)
