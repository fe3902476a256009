import { text } from 'node:stream/consumers'
import { audit } from '@gantry/contract/audit/audit'
import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/test-app.ts'
import { exportCsv } from './export.service.ts'

const app = await testApp({ onlyDomains: ['auth', 'users', 'teams', 'audit'] })

test('a file that cannot be read to its end says so in its last row', async () => {
  const broken: KyselyPlugin = {
    transformQuery: () => {
      throw new Error('the database is gone')
    },
    transformResult: async ({ result }) => result,
  }
  const ctx = app.ctx()
  const file = await exportCsv({ ...ctx, db: ctx.db.withPlugin(broken) }, audit.csv.query.parse({}))
  const rows = (await text(file)).split('\r\n').filter(Boolean)
  expect(rows).toEqual([expect.stringContaining('Time (UTC),User'), expect.stringContaining('The file is incomplete')])
})

test('a search that cannot be answered is refused before the first row', async () => {
  const answer = await app.admin.request(audit.csv, { query: { url: '\0' } })
  expect([answer.statusCode, answer.json().message]).toEqual([400, 'request-illegal-character'])
})
