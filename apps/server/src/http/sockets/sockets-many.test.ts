import { pushLimits } from '@gantry/contract/push/frames'
import { pushPath } from '@gantry/contract/push/path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { sampleCalls } from '../../../test/samples.ts'
import { socketClient } from '../../../test/socket-client.ts'
import { testApp, type TestCaller } from '../../../test/test-app.ts'
import type { Sockets } from './sockets.ts'

const sockets: Sockets = (socket) => {
  socket(
    {
      path: '/api/sample/teams/:teamId/terminal',
      access: { team: 'teamId' },
      params: z.strictObject({ teamId: z.coerce.number() }),
    },
    (_ctx, ws) => ws.send('"hello"'),
  )
}

test.for(['a push channel', 'a terminal'])('of 250 %s that one caller opens at once, 100 open', async (what) => {
  const app = await testApp({ onlyDomains: [], more: { ...sampleCalls, sockets } })
  const client = await socketClient(app)
  const team = await app.team()
  const path = what === 'a terminal' ? `/api/sample/teams/${team.id}/terminal` : pushPath
  const open = async (who: TestCaller) => client.as(who, path)
  const isOpen = ({ ws }: Awaited<ReturnType<typeof open>>) => ws.readyState === ws.OPEN
  const tickets = await Promise.all(Array.from({ length: 250 }, () => client.ticket(team.leader, path)))
  const all = await Promise.all(tickets.map((ticket) => client.open(`${path}?authorization=${ticket}`)))
  const refused = all.filter((one) => !isOpen(one))
  expect(new Set(await Promise.all(refused.map(({ ended }) => ended)))).toEqual(new Set([429]))
  expect(all.filter(isOpen)).toHaveLength(100)
  // other callers may open sockets, and closing one allows another
  expect(isOpen(await open(await team.member()))).toBe(true)
  all.find(isOpen)?.ws.close()
  await expect.poll(async () => isOpen(await open(team.leader))).toBe(true)
})

describe('missing heartbeats', () => {
  // fakes the server's own timers only; PostgreSQL and the sockets keep the real ones
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  async function quiet(options: ConstructorParameters<typeof WebSocket>[2]) {
    const app = await testApp({ onlyDomains: [], more: sampleCalls })
    const client = await socketClient(app)
    const url = `${client.origin.replace('http', 'ws')}${pushPath}?authorization=${await client.ticket(app.admin, pushPath)}`
    const ws = new WebSocket(url, options)
    const ended = new Promise<number>((resolve) => ws.once('close', resolve))
    await new Promise((resolve) => ws.once('open', resolve))
    return { ended, ws }
  }
  const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)

  test('a peer that does not answer a ping is cut off at the second ping', async () => {
    const { ended } = await quiet({ autoPong: false })
    await seconds(41)
    expect(await ended).toBe(1006)
  })

  test('a peer that sends nothing for too long is closed', async () => {
    const { ended, ws } = await quiet({})
    await seconds(pushLimits.idleSeconds - 30)
    ws.send('{"op":"ping"}')
    await new Promise((resolve) => ws.once('message', resolve))
    for (let beat = 0; beat < 5; beat++) await seconds(20)
    expect(await ended).toBe(1008)
  })
})
