import { expect, test, vi } from 'vitest'
import { loadLanguage, t, withWords } from './language.ts'

vi.mock('./words.ts', () => ({
  loadWords: (_: string, part: string) =>
    Promise.resolve(part === 'base' ? { 'ui-save': 'Save' } : { 'users-ui-user': 'User' }),
}))

test('the texts of a screen are loaded before its code, which may use titles at once', async () => {
  await loadLanguage('en')
  expect(t('users-ui-user')).toBe('users-ui-user')
  expect(await withWords('users/user-list-page', () => Promise.resolve(t('users-ui-user')))).toBe('User')
  expect(t('ui-save')).toBe('Save')
})
