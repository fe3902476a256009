import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostLogLine, isNotice } from './host-log.ts'

const now = new Date('2026-02-03T12:00:00Z')

describe('a line of a host’s log', () => {
  test.each([
    [
      'Feb 03 11:59:58.123456 node-1 kubelet[812]: I0203 11:59:58.1 x.go:1] ready',
      '2026-02-03T11:59:58.123Z',
      'kubelet[812]: I0203 11:59:58.1 x.go:1] ready',
    ],
    ['Feb  3 11:59:58 node-1 sshd[1]: hello', '2026-02-03T11:59:58.000Z', 'sshd[1]: hello'],
    ['Dec 31 23:59:59 node-1 cron[1]: last year', '2025-12-31T23:59:59.000Z', 'cron[1]: last year'],
    ['2026-02-03T11:59:58.5+01:00 node-1 kernel: up', '2026-02-03T10:59:58.500Z', 'node-1 kernel: up'],
    ['time="2026-02-03T11:59:58Z" level=info msg=hi', '2026-02-03T11:59:58.000Z', 'level=info msg=hi'],
    [
      'I0203 11:59:58.250000    812 kubelet.go:7] "hi"',
      '2026-02-03T11:59:58.250Z',
      'I0203 11:59:58.250000    812 kubelet.go:7] "hi"',
    ],
    ['Foo 03 11:59:58 node-1 x: y', '', 'Foo 03 11:59:58 node-1 x: y'],
    ['Feb 99 11:59:58 node-1 x: y', '', 'x: y'],
    ['no time at all', '', 'no time at all'],
  ])('%s', (line, time, text) => {
    expect(hostLogLine(line, now)).toEqual({ time, text })
  })

  test('in any form has a valid time, or none', () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        const { time } = hostLogLine(line, now)
        expect(time === '' || new Date(time).toISOString() === time).toBe(true)
      }),
    )
  })

  test.each([
    ['-- No entries --', true],
    ['-- Logs begin at Mon 2026-01-01 --', true],
    ['-- Boot 0f --', true],
    ['Feb 03 11:59:58 node-1 x: -- No entries --', false],
  ])('%s is a notice: %s', (line, notice) => {
    expect(isNotice(line)).toBe(notice)
  })
})
