import { pushLimits } from '@gantry/contract/push/frames'
import { pushPath } from '@gantry/contract/push/path'
import { topic } from '@gantry/contract/topic'
import { eventually } from '@gantry/waiting/eventually'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { Fault } from '../../kernel/fault.ts'
import { endSessions } from '../../identity/sessions.ts'
import { publishAs } from '../../../test/publish-as.ts'
import { sampleCalls } from '../../../test/samples.ts'
import { type Heard, socketClient } from '../../../test/socket-client.ts'
import { testApp, type TestCaller } from '../../../test/test-app.ts'
import type { Sockets } from '../sockets/sockets.ts'
import { serve, type Source } from './sources.ts'

const seenByTerminal: string[] = []
const sockets: Sockets = (socket) => {
  socket(
    {
      path: '/api/sample/teams/:teamId/terminal',
      access: { team: 'teamId', permission: 'sample_terminal_execute' },
      audit: 'terminal.open',
      params: z.strictObject({ teamId: z.coerce.number() }),
      query: z.strictObject({ shell: z.string().default('sh') }),
    },
    (ctx, ws, { params, query }) => {
      seenByTerminal.push(`${ctx.actor.name} ${params.teamId} ${query.shell}`)
      ctx.signal.addEventListener('abort', () => seenByTerminal.push('ended'))
      ws.on('message', (data: Buffer) => seenByTerminal.push(`typed ${data.toString()}`))
      ws.once('close', () => seenByTerminal.push('closed'))
      ws.send('"hello"')
    },
  )
}
/** Open sources by topic, each with its publish function. */
const open = new Map<string, (content: { n: number }) => void>()
const watched = topic({ path: 'watched/:id', access: 'user', content: z.object({ n: z.number() }) })
const source: Source<typeof watched> = async (_ctx, { id }, publish) => {
  if (id === 'none') throw new Fault('missing', 'resource-missing')
  open.set(id, publish)
  return () => void open.delete(id)
}
const topics = [
  serve(watched, source),
  serve(topic({ path: 'things/:teamId', access: { team: 'teamId' }, content: z.json() })),
  serve(
    topic({ path: 'secret/:teamId', access: { team: 'teamId', permission: 'sample_thing_view' }, content: z.json() }),
  ),
  serve(
    topic({
      path: 'either/:teamId',
      access: { team: 'teamId', permission: 'sample_thing_edit', or: 'sample_thing_view' },
      content: z.json(),
    }),
  ),
  serve(topic({ path: 'thing/:id/:part', access: { owner: 'sample-thing', by: 'id' }, content: z.json() })),
  serve(topic({ path: 'own/:id', access: { self: 'id' }, content: z.json() })),
]
const app = await testApp({ onlyDomains: [], more: { ...sampleCalls, topics, sockets } })
const client = await socketClient(app)
const team = await app.team()
const other = await app.team()
const member = await team.member(['sample_thing_view'])
const ctx = app.ctx()

const push = (user: TestCaller) => client.as(user, pushPath)
const publish = (name: string, content: unknown) => publishAs(ctx, name, content)
const errors = ({ frames }: Heard) =>
  frames.filter((frame) => frame['op'] === 'error').map((frame) => [frame['key'], frame['topic']])
const contents = ({ frames }: Heard) => frames.filter((frame) => 'content' in frame).map((frame) => frame['content'])

describe('the push channel', () => {
  test('delivers the events of a topic, in order, and nothing else', async () => {
    const socket = await push(member)
    await socket.subscribe(`things/${team.id}`)
    await publish(`things/${other.id}`, 'theirs')
    for (const n of [1, 2, 3]) await publish(`things/${team.id}`, { n })
    await eventually(() => expect(contents(socket)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]))
    expect(socket.frames.at(-1)).toEqual({ topic: `things/${team.id}`, seq: expect.any(String), content: { n: 3 } })
    socket.send({ op: 'unsubscribe', topic: `things/${team.id}` })
    socket.send({ op: 'unsubscribe', topic: `things/${team.id}` })
    await eventually(() => expect(errors(socket)).toEqual([['push-not-subscribed', `things/${team.id}`]]))
    socket.ws.close()
  })

  test('acknowledges a subscription with the time for which nothing was published to its topic', async () => {
    let now = Math.round(performance.now())
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    onTestFinished(() => void vi.restoreAllMocks())
    const topic = `thing/${(await app.team()).id}/moment`
    const quiet = async (topic: string) => {
      const socket = await push(app.admin)
      const quietMs = await socket.subscribe(topic)
      socket.ws.close()
      return quietMs
    }
    await publish(topic, 'before')
    await ctx.events.settle()
    expect(await quiet(topic)).toBe(0)
    now += 1_234
    expect(await quiet(topic)).toBe(1_234)
    // as far as the server knows, another topic has been quiet since the server started
    expect(await quiet(`thing/${(await app.team()).id}/moment`)).toBeGreaterThan(1_234)
    // a source is known to be quiet only since it was opened
    expect(await quiet('watched/quiet')).toBe(0)
  })

  test('acknowledges a subscription before it sends events of the topic', async () => {
    const socket = await push(member)
    const topic = `things/${team.id}`
    const seen: object[] = []
    socket.ws.on('message', (data: Buffer) => seen.push(JSON.parse(data.toString()) as object))
    socket.send({ op: 'subscribe', topic })
    await eventually(async () => {
      await publish(topic, 'now')
      expect(contents(socket)).toContain('now')
    })
    expect(seen[0]).toEqual({ op: 'subscribed', topic, quietMs: expect.any(Number) })
    socket.ws.close()
  })

  test('refuses a second subscription with the documented text', async () => {
    const socket = await push(member)
    socket.send({ op: 'subscribe', topic: `things/${team.id}` })
    socket.send({ op: 'subscribe', topic: `things/${team.id}` })
    await eventually(() =>
      expect(socket.frames.filter((frame) => frame['op'] === 'error')).toEqual([
        {
          op: 'error',
          topic: `things/${team.id}`,
          key: 'push-duplicate',
          message: `The topic things/${team.id} is already subscribed`,
        },
      ]),
    )
    socket.ws.close()
  })

  test.for([
    ['of another team', (): string => `things/${other.id}`],
    ['of a team that does not exist', (): string => 'things/999999'],
    ['of a foreign object', (): string => `thing/${other.id}/x`],
    ['of another user', (): string => `own/${app.admin.id}`],
    ['that does not exist', (): string => 'nothing/1'],
    ['with a wildcard', (): string => '*'],
    ['with a wildcard for a part', (): string => 'things/*'],
    ['with a list', (): string => `things/${team.id},${other.id}`],
    ['with an empty part', (): string => 'things/'],
    ['that leads elsewhere', (): string => '../access'],
    ['of the kernel itself', (): string => 'access'],
    ['like a prototype', (): string => '__proto__'],
  ] as const)('refuses a topic %s with the same text as an unknown one', async ([, topic]) => {
    const socket = await push(member)
    socket.send({ op: 'subscribe', topic: topic() })
    await eventually(() => expect(errors(socket)).toEqual([['push-topic-unknown', topic()]]))
    socket.ws.close()
  })

  test('admits a caller with either of two permissions, and nobody else', async () => {
    const topic = `either/${team.id}`
    const [socket, refused] = [await push(member), await push(await team.member(['sample_thing_delete']))]
    await socket.subscribe(topic)
    refused.send({ op: 'subscribe', topic })
    await eventually(() => expect(errors(refused)).toEqual([['push-topic-unknown', topic]]))
    await publish(topic, 1)
    await eventually(() => expect(contents(socket)).toEqual([1]))
    for (const { ws } of [socket, refused]) ws.close()
  })

  test('resumes where the client stopped, without a gap or a repetition', async () => {
    const topic = `thing/${team.id}/resumed`
    const first = await push(member)
    first.send({ op: 'subscribe', topic })
    first.send({ op: 'ping' })
    await eventually(() => expect(first.frames).toHaveLength(1))
    for (const n of [1, 2]) await publish(topic, n)
    await eventually(() => expect(contents(first)).toEqual([1, 2]))
    const seq = first.frames.find((frame) => frame['content'] === 1)?.['seq']
    first.ws.close()
    const publishing = (async () => {
      for (let n = 3; n <= 30; n++) await publish(topic, n)
    })()
    const second = await push(member)
    second.send({ op: 'resume', topic, seq })
    await publishing
    await eventually(() => expect(contents(second)).toEqual(Array.from({ length: 29 }, (_, n) => n + 2)))
    second.ws.close()
  })

  test('opens a source for its first subscriber and closes it with the last', async () => {
    const [one, two] = [await push(member), await push(team.leader)]
    one.send({ op: 'subscribe', topic: 'watched/a' })
    await eventually(() => expect([...open.keys()]).toEqual(['a']))
    await two.subscribe('watched/a')
    open.get('a')?.({ n: 1 })
    await publish('watched/a', { n: 2 })
    for (const socket of [one, two]) await eventually(() => expect(contents(socket)).toEqual([{ n: 1 }, { n: 2 }]))
    expect(one.frames[0]).toEqual({ topic: 'watched/a', seq: '', content: { n: 1 } })
    one.send({ op: 'unsubscribe', topic: 'watched/a' })
    one.send({ op: 'ping' })
    await eventually(() => expect(one.frames.at(-1)).toEqual({ op: 'pong' }))
    expect([...open.keys()]).toEqual(['a'])
    two.ws.close()
    await eventually(() => expect(open.size).toBe(0))
    one.ws.close()
  })

  test('delivers only declared fields from a source, and drops content that does not fit', async () => {
    const socket = await push(member)
    socket.send({ op: 'subscribe', topic: 'watched/c' })
    await eventually(() => expect(open.has('c')).toBe(true))
    const publishC = (content: object) => open.get('c')?.(content as { n: number })
    publishC({ n: 'many' })
    publishC({ n: 1, token: 'of the cluster' })
    await eventually(() => expect(contents(socket)).toEqual([{ n: 1 }]))
    socket.ws.close()
    await eventually(() => expect(open.size).toBe(0))
  })

  test('tells a client that returns to a source to read again, and reports a source that refuses as an unknown topic', async () => {
    const socket = await push(member)
    socket.send({ op: 'subscribe', topic: 'watched/none' })
    await eventually(() => expect(errors(socket)).toEqual([['push-topic-unknown', 'watched/none']]))
    socket.send({ op: 'subscribe', topic: 'watched/b' })
    await eventually(() => expect(open.has('b')).toBe(true))
    await publish('watched/b', 2)
    await eventually(() => expect(contents(socket)).toEqual([2]))
    const seq = socket.frames.at(-1)?.['seq']
    socket.ws.close()
    const back = await push(member)
    back.send({ op: 'resume', topic: 'watched/b', seq })
    await eventually(() => expect(errors(back)).toEqual([['push-resume-lost', 'watched/b']]))
    back.ws.close()
    await eventually(() => expect(open.size).toBe(0))
  })

  test('reports when too much was missed, and subscribes nevertheless', async () => {
    const socket = await push(member)
    const topic = `things/${team.id}`
    socket.send({ op: 'resume', topic, seq: '000000000000001.000000000000001' })
    await eventually(() => expect(errors(socket)).toEqual([['push-resume-lost', topic]]))
    await publish(topic, 'after')
    await eventually(() => expect(contents(socket)).toEqual(['after']))
    socket.ws.close()
  })

  test.for([
    'not json',
    '{}',
    '{"op":"shout"}',
    '{"op":"subscribe"}',
    '{"op":"subscribe","topic":7}',
    '{"op":"ping","x":1}',
    '[]',
    'null',
  ])('answers %s with an error and stays open', async (frame) => {
    const socket = await push(member)
    socket.send(frame)
    socket.send({ op: 'ping' })
    await eventually(() =>
      expect(socket.frames).toMatchObject([{ op: 'error', key: 'push-message-invalid' }, { op: 'pong' }]),
    )
    socket.ws.close()
  })

  test('limits frames in number and size', async () => {
    const many = await push(member)
    for (let n = 0; n < pushLimits.framesAtOnce * 2; n++) many.send({ op: 'ping' })
    expect(await many.ended).toBe(1008)
    const long = await push(member)
    long.send('x'.repeat(pushLimits.frame + 1))
    expect(await long.ended).toBe(1009)
    const huge = await push(member)
    huge.send('x'.repeat(1_000_000))
    expect(await huge.ended).toBe(1009)
    const binary = await push(member)
    binary.ws.send(Buffer.from('{"op":"ping"}'))
    expect(await binary.ended).toBe(1008)
  })

  test('limits the number of topics', async () => {
    const socket = await push(member)
    for (let n = 0; n <= pushLimits.topics; n++) socket.send({ op: 'subscribe', topic: `thing/${team.id}/${n}` })
    await eventually(() =>
      expect(errors(socket)).toEqual([['push-topics-full', `thing/${team.id}/${pushLimits.topics}`]]),
    )
    socket.ws.close()
  })

  test('is not compressed, so a decompression bomb does nothing', async () => {
    const socket = await push(member)
    expect(socket.ws.extensions).toBe('')
    socket.ws.close()
  })
})

describe('a websocket opens', () => {
  const refused = async (url: string, headers?: Record<string, string>) => (await client.open(url, headers)).ended
  const path = `/api/sample/teams/${team.id}/terminal`

  test('only with an unused ticket', async () => {
    expect(await refused(pushPath)).toBe(401)
    expect(await refused(`${pushPath}?authorization=nonsense`)).toBe(401)
    expect(await refused(`${pushPath}?authorization=${member.token}`)).toBe(401)
    const ticket = await client.ticket(member, pushPath)
    const socket = await client.open(`${pushPath}?authorization=${ticket}`)
    expect(socket.ws.readyState).toBe(socket.ws.OPEN)
    expect(await refused(`${pushPath}?authorization=${ticket}`)).toBe(401)
    expect(await refused(`${pushPath}?authorization=${await client.ticket(member, path)}`)).toBe(401)
    socket.ws.close()
  })

  test('and leaves an audit row if it is refused, without the ticket', async () => {
    expect(await refused(`${pushPath}?authorization=a-ticket-of-nobody`)).toBe(401)
    const rows = () => app.db.selectFrom('audit_log').selectAll().where('action', '=', 'socket.refuse').execute()
    const kept = {
      status: 401,
      message: 'ticket-invalid',
      actor_kind: 'anonymous',
      url: `${pushPath}?authorization=***`,
    }
    await eventually(async () => expect(await rows()).toContainEqual(expect.objectContaining(kept)))
    expect(JSON.stringify(await rows())).not.toContain('a-ticket-of-nobody')
  })

  test('only for pages of our own origin', async () => {
    for (const origin of ['https://evil.example', 'null', `${client.origin}.evil.example`]) {
      const url = `${pushPath}?authorization=${await client.ticket(member, pushPath)}`
      expect(await refused(url, { origin })).toBe(403)
    }
  })

  test('only for authorized callers, and only on its path', async () => {
    expect(await refused(`${path}?authorization=${await client.ticket(member, path)}`)).toBe(403)
    const foreign = `/api/sample/teams/${other.id}/terminal`
    expect(await refused(`${foreign}?authorization=${await client.ticket(member, foreign)}`)).toBe(403)
    expect(await refused('/api/nowhere')).toBe(404)
    expect(await refused(`${path}?authorization=${await client.ticket(team.leader, path)}&colour=red`)).toBe(400)
  })

  test('with its parameters, and leaves an audit row when it closes', async () => {
    const ticket = await client.ticket(team.leader, path)
    const socket = await client.open(`${path}?authorization=${ticket}&shell=bash`)
    await eventually(() => expect(socket.frames).toEqual(['hello']))
    expect(seenByTerminal).toEqual([`${team.leader.name} ${team.id} bash`])
    socket.ws.close()
    await eventually(() => expect(seenByTerminal.slice(-2).sort()).toEqual(['closed', 'ended']))
    const row = () =>
      app.db
        .selectFrom('audit_log')
        .selectAll()
        .where('action', '=', 'terminal.open')
        .where('status', '=', 200)
        .execute()
    await eventually(async () => expect(await row()).toMatchObject([{ actor_id: team.leader.id, team_id: team.id }]))
    expect((await row())[0]?.url).not.toContain(ticket)
  })
})

describe('a revoked permission closes', () => {
  const terminal = async () => {
    const one = await team.member(['sample_terminal_execute'])
    const path = `/api/sample/teams/${team.id}/terminal`
    return { one, pushed: await push(one), typed: await client.as(one, path) }
  }

  test.for([
    ['a logout', (id: number) => endSessions(ctx, id)],
    ['a ban', (id: number) => app.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', id).execute()],
    [
      'a new initial password',
      (id: number) => app.db.updateTable('account').set({ newly_built: true }).where('id', '=', id).execute(),
    ],
  ] as const)('every socket after %s', async ([, lose]) => {
    const { one, pushed, typed } = await terminal()
    await lose(one.id)
    expect(await Promise.all([pushed.ended, typed.ended])).toEqual([1008, 1008])
  })

  test.for([
    [
      'the role lost it',
      (id: number) =>
        app.db.updateTable('team_role').set({ permissions: [] }).where('name', '=', `role-${id}`).execute(),
    ],
    [
      'another role was given',
      (id: number) => app.db.updateTable('team_member').set({ role_id: null }).where('account_id', '=', id).execute(),
    ],
    ['the member was removed', (id: number) => app.db.deleteFrom('team_member').where('account_id', '=', id).execute()],
  ] as const)('the terminal when %s, and leaves open what the user may still see', async ([, lose]) => {
    const { one, pushed, typed } = await terminal()
    pushed.send({ op: 'subscribe', topic: `own/${one.id}` })
    await lose(one.id)
    expect(await typed.ended).toBe(1008)
    await publish(`own/${one.id}`, 'still here')
    await eventually(() => expect(contents(pushed)).toEqual(['still here']))
    pushed.ws.close()
  })

  test('a terminal at once, even if its client ignores the close and keeps typing', async () => {
    const { one, pushed, typed } = await terminal()
    pushed.ws.close()
    seenByTerminal.length = 0
    typed.ws.send('before')
    await eventually(() => expect(seenByTerminal).toEqual(['typed before']))
    typed.ws.pause()
    await endSessions(ctx, one.id)
    await eventually(() => expect(seenByTerminal).toContain('ended'))
    typed.ws.send('after')
    await eventually(() => expect(seenByTerminal).toContain('closed'))
    expect(seenByTerminal).toEqual(['typed before', 'ended', 'closed'])
    typed.ws.terminate()
  })

  test('a topic, with the same text as an unknown one', async () => {
    const one = await team.member(['sample_thing_view'])
    const socket = await push(one)
    const topic = `secret/${team.id}`
    await socket.subscribe(topic)
    await app.db.updateTable('team_role').set({ permissions: [] }).where('name', '=', `role-${one.id}`).execute()
    await eventually(() => expect(errors(socket)).toEqual([['push-topic-unknown', topic]]))
    await publish(topic, 'not for you')
    socket.send({ op: 'ping' })
    await eventually(() => expect(socket.frames.at(-1)).toEqual({ op: 'pong' }))
    expect(contents(socket)).toEqual([])
    socket.ws.close()
  })
})

test('a former administrator loses the topics of other teams, and cannot subscribe to them again', async () => {
  const one = await app.user({ admin: true })
  const socket = await push(one)
  const topic = `secret/${other.id}`
  await socket.subscribe(topic)
  await app.db.updateTable('account').set({ admin: false }).where('id', '=', one.id).execute()
  const refused = ['push-topic-unknown', topic]
  await eventually(() => expect(errors(socket)).toEqual([refused]))
  socket.send({ op: 'subscribe', topic })
  await eventually(() => expect(errors(socket)).toEqual([refused, refused]))
  socket.ws.close()
})

test('a stopping server tells its clients to reconnect', async () => {
  const ending = await testApp({ onlyDomains: [], more: sampleCalls })
  const its = await socketClient(ending)
  const socket = await its.as(ending.admin, pushPath)
  const closing = ending.close()
  expect(await socket.ended).toBe(1012)
  await closing
})
