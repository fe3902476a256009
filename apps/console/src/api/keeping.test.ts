import { beforeAll, describe, expect, test, vi } from 'vitest'
import { chooseLanguage, loadLanguage, switchLanguage, t } from './language.ts'
import { allows, flatten } from './permissions.ts'
import { keepPageSize, keepParameters, local, session } from './storage.ts'

describe('browser storage', () => {
  test('every key has the prefix WISECLOUD__', () => {
    local.set('theme', 'dark')
    session.set('token', 'x')
    expect(Object.keys(localStorage)).toEqual(['WISECLOUD__theme'])
    expect(Object.keys(sessionStorage)).toEqual(['WISECLOUD__token'])
  })

  test('keeps the page size for 7 days, and request parameters for 30', () => {
    expect([keepPageSize, keepParameters]).toEqual([604_800_000, 2_592_000_000])
  })

  test('drops a value after its expiry', () => {
    vi.useFakeTimers()
    local.set('pageSize', 50, keepPageSize)
    vi.setSystemTime(Date.now() + keepPageSize - 1)
    expect(local.get('pageSize')).toBe(50)
    vi.setSystemTime(Date.now() + 2)
    expect(local.get('pageSize')).toBeUndefined()
    vi.useRealTimers()
  })

  test('ignores values that others wrote under our key', () => {
    localStorage.setItem('WISECLOUD__theme', '{not json')
    expect(local.get('theme')).toBeUndefined()
  })
})

describe('language', () => {
  beforeAll(() => loadLanguage('en'))

  test.each([
    ['zh', ['en-US'], 'zh'],
    ['en', ['zh-CN'], 'en'],
    [undefined, ['zh-Hans-CN', 'en'], 'zh'],
    [undefined, ['de', 'zh'], 'en'],
    [undefined, [], 'en'],
    ['../../x', ['zh'], 'zh'],
  ])('with %s in the session, the browser language %s gives %s', (kept, browser, chosen) => {
    expect(chooseLanguage(kept, browser)).toBe(chosen)
  })

  test('the button reloads the page, and the choice is kept for the session', () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    switchLanguage()
    expect(session.get('language')).toBe('zh')
    expect(localStorage.getItem('WISECLOUD__language')).toBeNull()
    expect(reload).toHaveBeenCalledOnce()
  })

  test('fills placeholders, and leaves one without a value visible', () => {
    expect(t('ui-page-number', { page: 3 })).toBe('Page 3')
    expect(t('ui-page-number', { other: 3 })).toBe('Page {page}')
  })
})

describe('the specified permission check', () => {
  const entries = [
    { name: 'a', enable: true },
    { name: 'b', enable: false },
  ]
  test.each([
    ['an administrator may everything', true, [], 'a', true],
    ['a list that was never loaded allows all', false, undefined, 'a', true],
    ['an empty list denies all', false, [], 'a', false],
    ['named and enabled', false, entries, 'a', true],
    ['named and not enabled', false, entries, 'b', false],
    ['not named', false, entries, 'c', false],
  ])('%s', (_rule, admin, list, name, may) => {
    expect(allows(admin, list, name)).toBe(may)
  })

  test('entries are flattened out of their modules', () => {
    expect(
      flatten([{ permissions: [{ permissions: [{ name: 'a', enable: true }] }] }, { name: 'b', enable: false }]),
    ).toEqual(entries)
  })
})
