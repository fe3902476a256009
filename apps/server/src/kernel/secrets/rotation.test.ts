import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { jsonb } from '../../db/json.ts'
import { testApp } from '../../../test/test-app.ts'
import { resealAll } from './rotation.ts'
import { keysOf, open, seal } from './secrets.ts'

const app = await testApp({ onlyDomains: [] })
const old = keysOf(['the key that was used so far'])
const both = keysOf(['the key that comes now', 'the key that was used so far'])
const only = keysOf(['the key that comes now'])
const ctx = { ...app.ctx(), keys: both }

test('every stored secret is resealed under the new key, in any column, and nothing else changes', async () => {
  const user = await app.user()
  const foreign = seal({ keys: keysOf(['the key of another installation']) }, 'theirs')
  const document = {
    list: [{ name: 'A', value: seal({ keys: old }, 'first') }],
    two: seal({ keys: old }, 'second'),
    foreign,
  }
  await app.db
    .insertInto('setting')
    .values({ name: 'doc', value: jsonb(document) })
    .execute()
  await app.db
    .updateTable('account')
    .set({ nickname: seal({ keys: old }, 'third'), space_name: 'sealed1.not really' })
    .where('id', '=', user.id)
    .execute()

  expect(await resealAll(ctx)).toBe(2)

  const stored = await app.db.selectFrom('setting').select('value').where('name', '=', 'doc').executeTakeFirstOrThrow()
  const after = stored.value as typeof document
  expect(open({ keys: only }, after.list[0]?.value ?? '')).toBe('first')
  expect(open({ keys: only }, after.two)).toBe('second')
  expect(after.foreign).toBe(foreign)
  const account = await app.db.selectFrom('account').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
  expect(open({ keys: only }, account.nickname)).toBe('third')
  expect(account.space_name).toBe('sealed1.not really')
  expect(await resealAll(ctx)).toBe(0)
})

test('finds all rows, even if there are more than in one batch', async () => {
  const sealed = seal({ keys: old }, 'many')
  await sql`insert into rate_counter (key, hits, expires_at) select ${sealed} || n, 1, now() from generate_series(1, 1200) n`.execute(
    app.db,
  )
  expect(await resealAll(ctx)).toBe(0)
  await sql`delete from rate_counter`.execute(app.db)
  await sql`insert into setting (name, value) select 'n' || n, to_jsonb(${sealed}::text) from generate_series(1, 1200) n`.execute(
    app.db,
  )
  expect(await resealAll(ctx)).toBe(1200)
})
