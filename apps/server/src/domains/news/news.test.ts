import { session } from '@gantry/contract/auth/session'
import { news } from '@gantry/contract/news/news'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type TestCaller, testApp } from '../../../test/test-app.ts'
import { noteStart } from './news.service.ts'
import { notesIn, notesOf, releaseOf } from './notes.ts'

const onlyDomains = ['auth', 'users', 'teams', 'news']
const version = '0.1.0'
const old = await testApp({ onlyDomains, config: { product: { name: 'Gantry', version: '0.0.9' } } })
const before = await old.team()
const colleague = await before.member()
await noteStart(old.ctx())
const newsOf = (by: TestCaller) =>
  by.call(session.refresh, { query: { tenantId: before.id } }).then(({ news: unread }) => unread)

test('a new installation announces nothing for its first version', async () => {
  const fresh = await testApp({ onlyDomains, config: { product: { name: 'Gantry', version } } })
  await noteStart(fresh.ctx())
  const team = await fresh.team()
  expect(await team.leader.call(news.get)).toMatchObject({ version, unread: false })
  expect(await fresh.admin.call(news.get)).toMatchObject({ unread: false })
})

describe('after an upgrade', async () => {
  // otherwise the account and the start would have the same time
  await old.db
    .updateTable('account')
    .set({ created_at: sql`now() - interval '1 day'`, password_changed_at: sql`now() - interval '1 day'` })
    .execute()
  const upgraded = await testApp({ onlyDomains, config: { product: { name: 'Gantry', version } }, beside: old })
  await noteStart(upgraded.ctx())
  const at = (by: TestCaller) => upgraded.caller(by, by.token)

  test('users from before are told once, in their language, on any server', async () => {
    expect(await newsOf(before.leader)).toBe(version)
    expect(await at(before.leader).call(news.get)).toEqual({
      version,
      title: 'What is new in 0.1.0',
      notes: await notesOf('en', version),
      unread: true,
    })
    expect(await at(before.leader).call(news.read)).toMatchObject({ unread: false })
    expect(await newsOf(before.leader)).toBe('')
    expect(await newsOf(colleague)).toBe(version)
  })

  test('a server that starts again, or an earlier version, announces nothing again', async () => {
    await noteStart(upgraded.ctx())
    await noteStart(old.ctx())
    expect(await newsOf(before.leader)).toBe('')
    expect(await colleague.call(news.get)).toMatchObject({ version: '0.0.9', notes: [], unread: false })
  })

  test('neither new users nor those who still have to change their password are told', async () => {
    expect(await newsOf(await before.member())).toBe('')
    await old.db.updateTable('account').set({ newly_built: true }).where('id', '=', colleague.id).execute()
    expect(await newsOf(colleague)).toBe('')
  })
})

test('the manual describes this version, equally in both languages', async () => {
  const [en, zh] = [await notesOf('en', version), await notesOf('zh', version)]
  expect(en.length).toBeGreaterThan(5)
  expect(zh).toHaveLength(en.length)
})

test.each([
  ['1.2.3', '1.2.3'],
  ['release-1.2.3', '1.2.3'],
  ['v1.2.3-4-gabc', '1.2.3'],
  ['main', 'main'],
])('the release of %s is %s', (given, release) => expect(releaseOf(given)).toBe(release))

test('notes are the items of one section, as plain text', () => {
  const page = '<h2 id="2.0.0">2</h2><ul><li>A <b>b</b>\n  &amp; c</li></ul><h2 id="1.0.0">1</h2><ul><li>d</li></ul>'
  expect(notesIn(page, '2.0.0')).toEqual(['A b & c'])
  expect(notesIn(page, '3.0.0')).toEqual([])
})
