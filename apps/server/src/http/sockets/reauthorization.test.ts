import { pushPath } from '@gantry/contract/push/path'
import { topic } from '@gantry/contract/topic'
import { eventually } from '@gantry/waiting/eventually'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sampleCalls } from '../../../test/samples.ts'
import { socketClient } from '../../../test/socket-client.ts'
import { testApp } from '../../../test/test-app.ts'
import { publish } from '../../kernel/events/events.ts'
import { serve } from '../push/sources.ts'
import type { Owner } from '../server.ts'
import type { Sockets } from './sockets.ts'

/** Counts concurrent runs, now and at most, which continue until they are released. */
function counted() {
  const gate = Promise.withResolvers<void>()
  const seen = { running: 0, most: 0, all: 0 }
  const run = async () => {
    seen.running += 1
    seen.all += 1
    seen.most = Math.max(seen.most, seen.running)
    await gate.promise
    seen.running -= 1
  }
  return { seen, run, release: () => gate.resolve() }
}

const checked: string[] = []
const looks = counted()
const path = '/api/sample/watched/:as'
const sockets: Sockets = (socket) => {
  const params = z.strictObject({ as: z.string() })
  socket({ path, access: 'user', params }, (_ctx, _ws, { params: { as }, onReauthorize }) =>
    onReauthorize(async () => {
      checked.push(as)
      if (as === 'slow') await looks.run()
    }),
  )
}
const lookups = counted()
const owner: Owner = {
  kind: 'slow-thing',
  teamOf: async (_db, id) => {
    if (id.startsWith('slow')) await lookups.run()
    return team.id
  },
}
const slow = topic({ path: 'slow/:id', access: { owner: 'slow-thing', by: 'id' }, content: z.string() })
const topics = [serve(slow)]
const app = await testApp({
  onlyDomains: [],
  more: { ...sampleCalls, owners: [...(sampleCalls.owners ?? []), owner], topics, sockets },
})
const client = await socketClient(app)
const team = await app.team()

test('a changed role reauthorizes the sockets of its team only', async () => {
  const other = await app.team()
  const [mine, theirs] = [await team.member(['sample_thing_view']), await other.member()]
  const viewer = await app.user({ admin: true })
  const role = await app.db
    .selectFrom('team_role')
    .select('id')
    .where('name', '=', `role-${mine.id}`)
    .executeTakeFirstOrThrow()
  await app.db.updateTable('session').set({ view_as: role.id }).where('account_id', '=', viewer.id).execute()
  const clients = [
    await client.as(mine, '/api/sample/watched/mine'),
    await client.as(theirs, '/api/sample/watched/theirs'),
    await client.as(viewer, '/api/sample/watched/viewer'),
  ]
  // wait for the reauthorization that opening the sockets and the changes above have caused
  await app.db.updateTable('account').set({ admin: false }).where('id', '=', theirs.id).execute()
  await eventually(() => expect(checked).toContain('theirs'))
  checked.length = 0
  await app.db.updateTable('team_role').set({ permissions: [] }).where('id', '=', role.id).execute()
  await eventually(() => expect(new Set(checked)).toEqual(new Set(['mine', 'viewer'])))
  await app.db.updateTable('account').set({ admin: false }).where('id', '=', theirs.id).execute()
  await eventually(() => expect(checked).toContain('theirs'))
  expect(checked.filter((as) => as === 'theirs')).toHaveLength(1)
  for (const { ws } of clients) ws.close()
})

test('8 sockets at a time are reauthorized after a change', async () => {
  const one = await app.user()
  const clients = await Promise.all(Array.from({ length: 20 }, () => client.as(one, '/api/sample/watched/slow')))
  await app.db.updateTable('account').set({ admin: false }).where('id', '=', one.id).execute()
  await eventually(() => expect(looks.seen.running).toBe(8))
  looks.release()
  await eventually(() => expect(looks.seen.all).toBe(20))
  expect(looks.seen.most).toBe(8)
  for (const { ws } of clients) ws.close()
})

test('8 topics of one user, over all their sockets, are authorized at a time; other users do not wait', async () => {
  const clients = [await client.as(team.leader, pushPath), await client.as(team.leader, pushPath)]
  for (const [at, one] of clients.entries())
    for (let n = 0; n < 10; n++) one.send({ op: 'subscribe', topic: `slow/slow-${at}-${n}` })
  await eventually(() => expect(lookups.seen.running).toBe(8))
  const other = await client.as(await team.member(), pushPath)
  other.send({ op: 'subscribe', topic: 'slow/quick' })
  await eventually(async () => {
    await publish(app.ctx(), slow, { id: 'quick' }, 'heard')
    expect(other.frames).toContainEqual(expect.objectContaining({ content: 'heard' }))
  })
  expect(lookups.seen.running).toBe(8)
  lookups.release()
  await eventually(() => expect(lookups.seen.all).toBe(20))
  expect(lookups.seen.most).toBe(8)
  for (const { ws } of [...clients, other]) ws.close()
})
