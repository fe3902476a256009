import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testApp } from '../test/test-app.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams'] })

const admin = (...args: string[]) =>
  new Promise<{ code: number; out: string; error: string }>((resolve) => {
    const env = {
      DATABASE_URL: app.database.url,
      GANTRY_DATA: app.config.data,
      GANTRY_SECRET_KEY: 'a secret key for tests only',
    }
    execFile(process.execPath, [join(import.meta.dirname, 'admin.ts'), ...args], { env }, (error, out, problems) =>
      resolve({ code: error ? Number(error.code) : 0, out, error: problems }),
    )
  })

test('npm run admin unlocks a locked administrator while a server is running', async () => {
  await app.db.updateTable('account').set({ status: 'locked' }).where('id', '=', app.admin.id).execute()
  expect(await admin('unban', 'admin')).toEqual({ code: 0, out: 'admin can log in again\n', error: '' })
  const row = await app.db.selectFrom('account').select('status').where('id', '=', app.admin.id).executeTakeFirst()
  expect(row?.status).toBe('normal')
})

test('an unknown command or user prints one line and exits with code 1', async () => {
  expect(await admin('drop', 'admin')).toMatchObject({
    code: 1,
    out: '',
    error: expect.stringMatching(/^Usage: npm run admin -- .*\n$/),
  })
  expect(await admin('unban', 'nobody')).toEqual({ code: 1, out: '', error: 'There is no user nobody\n' })
})
