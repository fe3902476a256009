import { pushPath } from '@gantry/contract/push/path'
import { eventually } from '@gantry/waiting/eventually'
import { expect, test } from 'vitest'
import { socketClient } from '../../../test/socket-client.ts'
import { testApp } from '../../../test/test-app.ts'

const app = await testApp({ onlyDomains: [], config: { rateLimit: true } })
const client = await socketClient(app)
const refusals = async () => {
  const { rows } = await app.db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where('action', '=', 'socket.refuse')
    .executeTakeFirstOrThrow()
  return Number(rows)
}

test.for([
  ['without a ticket', { origin: client.origin }, 401],
  ['from a page of another site', { origin: 'https://evil.example' }, 403],
] as const)('an address that is refused repeatedly %s is rate-limited, and leaves no more audit rows', async (one) => {
  const [, headers, status] = one
  const before = await refusals()
  const answers = await Promise.all(
    Array.from({ length: 300 }, async () => (await client.open(pushPath, headers)).ended),
  )
  expect(new Set(answers)).toContain(429)
  expect(answers.filter((answer) => answer !== 429 && answer !== status)).toEqual([])
  const rows = answers.filter((answer) => answer === status).length
  await eventually(async () => expect((await refusals()) - before).toBe(rows))
  // a known user is counted separately
  const socket = await client.as(await app.user(), pushPath)
  expect(socket.ws.readyState).toBe(socket.ws.OPEN)
  socket.ws.close()
})
