import { containers } from '@gantry/contract/stacks/containers/containers'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openPressure } from '../../../http/pressure.ts'
import { runningContainer } from '../../../../test/running-container.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'
import { socketClient } from '../../../../test/socket-client.ts'

const place = await sandboxApp()
const { app } = place
const { origin, ticket } = await socketClient(app)

async function terminal() {
  const { team, envId, podId } = await runningContainer(place)
  const opened = await team.leader.call(containers.execute, {
    params: { teamId: team.id, envId, id: podId },
  })
  const address = `${origin.replace('http:', 'ws:')}${opened?.url}?authorization=${opened?.ticket}`
  return new WebSocket(address, { headers: { origin } })
}

const typed = (data: string) => JSON.stringify({ type: 'input', data })

test('input sent the moment a terminal opens reaches its shell, in order', async () => {
  const ws = await terminal()
  let output = ''
  ws.on('message', (data: Buffer) => (output += String(data)))
  ws.once('open', () => {
    ws.send(JSON.stringify({ type: 'resize', columns: 100, rows: 30 }))
    for (const data of ['echo on', 'e-', 'two\r']) ws.send(typed(data))
  })
  await expect.poll(() => output).toMatch(/\none-two\r?\n/)
  ws.close()
})

test('300 kB of input at once delay no other call, and run whole and in order', async () => {
  const ws = await terminal()
  const pieces: Buffer[] = []
  const output = () => String(Buffer.concat(pieces))
  ws.on('message', (data: Buffer) => pieces.push(data))
  await new Promise((resolve) => ws.once('open', resolve))
  const numbers = Array.from({ length: 300 }, (_, n) => n)
  const pressure = openPressure()
  const leave = pressure.enter('a call that is held up')
  const blocked: number[] = []
  pressure.watch(({ blockedMs }) => blocked.push(blockedMs))
  for (const n of numbers) ws.send(typed(`echo ${n} ${'a'.repeat(990)}\r`))
  const ran = () => [...output().matchAll(/\n(\d+) a{990}\r/g)].map(([, n]) => Number(n))
  let answered = 0
  await expect
    .poll(
      async () => {
        expect((await fetch(`${origin}/livez`)).status).toBe(200)
        answered += 1
        return ran()
      },
      { timeout: 18_000, interval: 20 },
    )
    .toEqual(numbers)
  expect(answered).toBeGreaterThan(5)
  await expect.poll(() => blocked.length).toBeGreaterThan(0)
  leave()
  pressure.close()
  // ten times what may be blocked, because the test machine may be busy
  expect(Math.max(...blocked)).toBeLessThan(2_000)
  expect(pieces.length).toBeLessThan(output().length / 50)
  ws.close()
})

test('input while a shell ends causes no error', async () => {
  const ws = await terminal()
  let output = ''
  ws.on('message', (data: Buffer) => {
    output += String(data)
    // each output is acknowledged a moment later
    ws.send(typed('ls\r'))
  })
  ws.once('open', () => ws.send(typed('exit\r')))
  await new Promise((resolve) => ws.once('close', resolve))
  expect(output).toContain('"type":"exit"')
})

/** Opens it like a browser: returns the status of a refusal, or 101 and the close code. */
async function connect(path: string, ticket: string, from = origin) {
  const ws = new WebSocket(`${origin.replace('http:', 'ws:')}${path}?authorization=${ticket}`, {
    headers: { origin: from },
  })
  const closed = new Promise<number>((resolve) => ws.once('close', resolve))
  const status = await new Promise<number>((resolve) => {
    ws.once('open', () => resolve(101))
    ws.once('unexpected-response', (request, answer) => {
      resolve(answer.statusCode ?? 0)
      request.destroy()
    })
    ws.once('error', () => undefined)
  })
  return { ws, status, closed }
}

test('a terminal opens for authorized users, once per ticket, for our own origin, and closes when the permission is revoked', async () => {
  const { team, envId, podId } = await runningContainer(place)
  const stranger = await app.team()
  const [member, powerless] = [
    await team.member(['stack_container_execute']),
    await team.member(['stack_container_view']),
  ]
  const open = (who: typeof member, teamId = team.id) =>
    who.call(containers.execute, { params: { teamId, envId, id: podId } })
  await expect(open(powerless)).rejects.toMatchObject({
    status: 403,
    key: expect.stringContaining('permission-missing'),
  })
  await expect(open(stranger.leader)).rejects.toMatchObject({ status: 403, key: 'user-team' })
  await expect(open(stranger.leader, stranger.id)).rejects.toMatchObject({ status: 404 })

  const opened = await open(member)
  const path = opened?.url ?? ''
  expect((await connect(path, opened?.ticket ?? '', 'https://evil.example')).status).toBe(403)
  for (const who of [powerless, stranger.leader])
    expect((await connect(path, await ticket(who, path))).status).toBe(403)
  // a ticket of another team for its own terminal, and one for another pod of this team
  for (const other of [
    path.replace(`/${team.id}/`, `/${stranger.id}/`),
    path.replace(
      podId,
      podId.replace(/./, (first) => (first === 'f' ? '0' : 'f')),
    ),
  ]) {
    expect(other).not.toBe(path)
    expect((await connect(path, await ticket(stranger.leader, other))).status).toBe(401)
    expect((await connect(other, (await open(member))?.ticket ?? '')).status).toBe(401)
  }

  const good = (await open(member))?.ticket ?? ''
  const session = await connect(path, good)
  expect(session.status).toBe(101)
  expect((await connect(path, good)).status).toBe(401)
  await app.db.updateTable('team_role').set({ permissions: [] }).where('name', '=', `role-${member.id}`).execute()
  expect(await session.closed).toBe(1008)
  expect((await connect(path, await ticket(member, path))).status).toBe(403)
})
