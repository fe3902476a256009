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
])('row 86: %s in %s: %s', (cron, zone, expected) => {
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
])('row F20: %s', (_, cron, after, expected) => {
  const slots = slotsAfter({ cron, zone: 'Europe/Berlin' }, new Date(after), 3)
  expect(slots.map((slot) => slot.toISOString())).toEqual(expected)
})

test('row F20: each slot follows from the one before, so that none comes twice across a year of changes', () => {
  let at = new Date('2026-01-01T00:00:00Z')
  const days = new Map<string, number>()
  while (at < new Date('2027-01-01T00:00:00Z')) {
    ;[at] = slotsAfter({ cron: '30 2 * * *', zone: 'Europe/Berlin' }, at)
    const day = at.toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })
    days.set(day, (days.get(day) ?? 0) + 1)
  }
  expect([days.size, Math.max(...days.values())]).toEqual([366, 1])
})
