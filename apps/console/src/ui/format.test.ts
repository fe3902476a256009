import { beforeAll, describe, expect, test, vi } from 'vitest'
import { loadLanguage } from '../api/language.ts'
import { session } from '../api/storage.ts'
import { bytes, clockTime, duration, exactTime, relativeTime } from './format.ts'

beforeAll(() => loadLanguage('en'))

describe('figures', () => {
  test('a time is YYYY-MM-DD HH:mm:ss', () => {
    expect(exactTime(new Date(2026, 0, 2, 3, 4, 5))).toBe('2026-01-02 03:04:05')
  })

  test.each([
    [0, 'just now'],
    [-59, 'just now'],
    [-60, '1 min. ago'],
    [-7200, '2 hr. ago'],
    [-86_400, 'yesterday'],
    [3600, 'in 1 hr.'],
  ])('%i seconds from now is %s', (seconds, words) => {
    const now = Date.UTC(2026, 5, 1)
    expect(relativeTime(now + seconds * 1000, now)).toBe(words)
  })

  test.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1536, '1.5 KiB'],
    [187_000_000, '178 MiB'],
    [5 * 1024 ** 5, '5.0 PiB'],
  ])('%i bytes are %s', (size, words) => {
    expect(bytes(size)).toBe(words)
  })

  test.each([
    [840, '840 ms'],
    [9_940, '9.9 s'],
    [59_000, '59 s'],
    [185_000, '3 min 5 s'],
    [3_600_000, '1 h'],
    [8_040_000, '2 h 14 min'],
    [273_600_000, '3 d 4 h'],
  ])('%i ms last %s', (ms, words) => {
    expect(duration(ms)).toBe(words)
  })

  test.each([
    [840, '840 毫秒'],
    [9_940, '9.9 秒'],
    [185_000, '3 分 5 秒'],
    [8_040_000, '2 小时 14 分'],
    [273_600_000, '3 天 4 小时'],
  ])('%i ms last %s in Chinese', async (ms, words) => {
    await loadLanguage('zh')
    expect(duration(ms)).toBe(words)
    await loadLanguage('en')
  })

  test('relative times are separated from their figures in Chinese', async () => {
    session.set('language', 'zh')
    vi.resetModules()
    const { relativeTime: inChinese } = await import('./format.ts')
    session.remove('language')
    // other files load the texts in their own language
    vi.resetModules()
    const now = Date.UTC(2026, 5, 1)
    expect([-720, 82_800, -86_400].map((seconds) => inChinese(now + seconds * 1000, now))).toEqual([
      '12 分钟前',
      '23 小时后',
      '昨天',
    ])
  })

  test('a clock has tenths of a second, and does not run ahead', () => {
    expect(clockTime(new Date(2026, 0, 2, 3, 4, 5, 678))).toBe('03:04:05.6')
    expect(clockTime(new Date(2026, 0, 2, 3, 4, 5, 999))).toBe('03:04:05.9')
  })
})
