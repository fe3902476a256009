import { mask } from '@gantry/contract/validators'
import { expect, test } from 'vitest'
import { testApp } from '../../test/test-app.ts'
import { writeSystemAuditRow } from './audit.ts'
import { inTx } from './context.ts'

const app = await testApp({ onlyDomains: [] })
const rows = () => app.db.selectFrom('audit_log').selectAll().where('action', 'like', 'trial.%').orderBy('id').execute()

test('records an action of the product itself under the product’s name and masks secrets, except in searched columns', async () => {
  const secret = 'a-secret-that-it-was-sent'
  // a visitor's call brought it about
  const visitor = { kind: 'anonymous', id: 0, name: '', admin: false } as const
  const ctx = app.ctx(visitor)
  ctx.told.add(secret)
  await writeSystemAuditRow(ctx, {
    action: 'trial.done',
    by: `trial ${secret}`,
    object: `ada ${secret}`,
    message: 'ldap-barred-gone',
    before: { password: 'old' },
    after: { note: `it said ${secret}` },
  })
  expect(await rows()).toMatchObject([
    {
      actor_kind: 'system',
      actor_id: 0,
      actor_name: 'system',
      action: 'trial.done',
      method: 'RUN',
      url: `trial ${secret}`,
      object: `ada ${secret}`,
      message: 'ldap-barred-gone',
      status: 200,
      detail: { before: { password: mask }, after: { note: `it said ${mask}` } },
    },
  ])
})

test('a row is rolled back with the transaction that it describes', async () => {
  const undone = inTx(app.ctx(), async (ctx) => {
    await writeSystemAuditRow(ctx, { action: 'trial.undone', by: 'trial', object: 'ada' })
    throw new Error('rolled back')
  })
  await expect(undone).rejects.toThrow('rolled back')
  expect((await rows()).map(({ action }) => action)).not.toContain('trial.undone')
})
