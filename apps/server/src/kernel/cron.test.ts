import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from './fault.ts'
import { slotsAfter } from './cron.ts'

const keyOf = (work: () => unknown): string => {
  try {
    work()
    return 'accepted'
  } catch (error) {
    return error instanceof Fault ? error.key : String(error)
  }
}

test.each([
  ['0 0 31 2 *', 'UTC', 'cron-never'],
  ['0 0 30 2 *', 'Asia/Shanghai', 'cron-never'],
  ['* * * * * *', 'UTC', 'cron-invalid'],
  ['60 * * * *', 'UTC', 'cron-invalid'],
  ['a b c d e', 'UTC', 'cron-invalid'],
  ['0 3 * * *', 'Mars/Base', 'zone-unknown'],
  ['0 0 29 2 *', 'UTC', 'accepted'],
  ['*/5 8-18 * * 1-5', 'Asia/Shanghai', 'accepted'],
])('%s in %s: %s', (cron, zone, expected) => {
  expect(keyOf(() => slotsAfter({ cron, zone }, new Date('2026-11-24T00:00:00Z')))).toBe(expected)
})

test.each([
  [
    'the hour that summer time skips fires once, right after the change',
    '30 2 * * *',
    '2026-03-28T00:00:00Z',
    ['2026-03-28T01:30:00.000Z', '2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
  ],
  [
    'the hour that occurs twice in autumn fires once',
    '30 2 * * *',
    '2026-10-24T12:00:00Z',
    ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z', '2026-10-27T01:30:00.000Z'],
  ],
  [
    'local noon stays noon',
    '0 12 * * *',
    '2026-03-28T00:00:00Z',
    ['2026-03-28T11:00:00.000Z', '2026-03-29T10:00:00.000Z', '2026-03-30T10:00:00.000Z'],
  ],
])('across clock changes: %s', (_, cron, after, expected) => {
  const slots = slotsAfter({ cron, zone: 'Europe/Berlin' }, new Date(after), 3)
  expect(slots.map((slot) => slot.toISOString())).toEqual(expected)
})

test.each([
  ['0,30 2 * * *', '2027-03-28', ['03:00']],
  ['*/15 2 * * *', '2027-03-28', ['03:00']],
  ['30 2,3 * * *', '2027-03-28', ['03:00', '03:30']],
  ['0 */2 * * *', '2027-03-28', ['00:00', '03:00', '04:00']],
  ['30 * * * *', '2027-03-28', ['00:30', '01:30', '03:30', '04:30']],
  ['0,30 2 * * *', '2027-10-31', ['02:00', '02:30']],
  ['*/15 2 * * *', '2027-10-31', ['02:00', '02:15', '02:30', '02:45']],
  ['30 2,3 * * *', '2027-10-31', ['02:30', '03:30']],
  ['0 */2 * * *', '2027-10-31', ['00:00', '02:00', '04:00']],
  ['30 * * * *', '2027-10-31', ['00:30', '01:30', '02:30', '02:30', '03:30', '04:30']],
])('%s on %s, when the clock changes, fires at %j', (cron, day, expected) => {
  const zone = 'Europe/Berlin'
  const midnight = Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds
  const slots = slotsAfter({ cron, zone }, new Date(midnight - 1), 8).map((slot) =>
    slot.toLocaleString('sv', { timeZone: zone }),
  )
  expect(slots.filter((slot) => slot < `${day} 05`).map((slot) => slot.slice(11, 16))).toEqual(expected)
})

/** The clock changes of five years in zones that change by an hour or less. */
const years = ['2026-01-01T00:00Z', '2031-01-01T00:00Z'].map((one) => Temporal.Instant.from(one)) as [
  Temporal.Instant,
  Temporal.Instant,
]
const changing = Intl.supportedValuesOf('timeZone').flatMap((zone) => {
  const changes: Temporal.ZonedDateTime[] = []
  let at = years[0].toZonedDateTimeISO(zone).getTimeZoneTransition('next')
  for (; at && Temporal.Instant.compare(at.toInstant(), years[1]) < 0; at = at.getTimeZoneTransition('next'))
    changes.push(at)
  return changes.length === 0 || zone === 'Antarctica/Troll' ? [] : [{ zone, changes }]
})
const zones = changing.filter((_, at) => at % Math.floor(changing.length / 40) === 0).slice(0, 40)

test('around all clock changes of forty zones no local time fires twice, and none more than an hour off', () => {
  expect(zones).toHaveLength(40)
  const few = (max: number) => fc.uniqueArray(fc.integer({ min: 0, max }), { minLength: 1, maxLength: 4 })
  const places = zones.flatMap(({ zone, changes }) => changes.map((change) => ({ zone, change })))
  for (const { zone, change } of places)
    fc.assert(
      fc.property(few(59), few(4), (minutes, hours) => {
        const cron = `${minutes.join(',')} ${hours.join(',')} * * *`
        const days = [-1, 0, 1].map((more) => change.toPlainDate().add({ days: more }))
        const due = days.flatMap((day) =>
          hours.flatMap((hour) =>
            minutes.map(
              (minute) => day.toZonedDateTime({ timeZone: zone, plainTime: { hour, minute } }).epochMilliseconds,
            ),
          ),
        )
        const [from, to] = [
          days[0]?.toZonedDateTime(zone).epochMilliseconds ?? 0,
          days[2]?.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds ?? 0,
        ]
        const slots = slotsAfter({ cron, zone }, new Date(from - 1), due.length)
          .map(Number)
          .filter((slot) => slot < to)
        const wallTimes = slots.map((slot) => new Date(slot).toLocaleString('sv', { timeZone: zone }))
        expect(new Set(wallTimes).size).toBe(wallTimes.length)
        const isNear = (one: number, others: number[]) => others.some((other) => Math.abs(one - other) <= 3_600_000)
        for (const one of due) expect(isNear(one, slots)).toBe(true)
        for (const slot of slots) expect(isNear(slot, due)).toBe(true)
      }),
      { numRuns: 2 },
    )
})

test('each slot follows from the previous one, so none fires twice across a year of clock changes', () => {
  let at = new Date('2026-01-01T00:00:00Z')
  const days = new Map<string, number>()
  while (at < new Date('2027-01-01T00:00:00Z')) {
    ;[at] = slotsAfter({ cron: '30 2 * * *', zone: 'Europe/Berlin' }, at)
    const day = at.toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })
    days.set(day, (days.get(day) ?? 0) + 1)
  }
  expect([days.size, Math.max(...days.values())]).toEqual([366, 1])
})
