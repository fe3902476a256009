import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { PushMessage } from '@gantry/contract/push/frames'
import { beatMs, createPush, waitBefore } from './push.ts'

class Socket extends EventTarget {
  static all: Socket[] = []
  readyState: number = WebSocket.CONNECTING
  frames: { op?: string; topic?: string; seq?: string }[] = []
  constructor() {
    super()
    Socket.all.push(this)
  }
  send(text: string): void {
    this.frames.push(JSON.parse(text) as { op: string })
  }
  close(): void {
    this.readyState = WebSocket.CLOSED
  }
  opens(): void {
    this.readyState = WebSocket.OPEN
    this.dispatchEvent(new Event('open'))
  }
  says(frame: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }))
  }
  breaks(code = 1006): void {
    this.readyState = WebSocket.CLOSED
    this.dispatchEvent(new CloseEvent('close', { code }))
  }
}

const channel = () => createPush({ open: () => Promise.resolve(new Socket() as unknown as WebSocket), random: () => 1 })
const socket = (at: number): Socket => {
  const found = Socket.all[at]
  if (!found) throw new Error(`there is no connection ${at}`)
  return found
}
const opened = async (at = 0): Promise<Socket> => {
  await vi.advanceTimersByTimeAsync(0)
  socket(at).opens()
  return socket(at)
}

describe('the push channel', () => {
  beforeEach(() => {
    Socket.all = []
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  test('delivers the events of topics that were subscribed to before it was open', async () => {
    const push = channel()
    const messages: PushMessage[] = []
    push.subscribe('stacks/1', (message) => messages.push(message))
    expect(Socket.all).toHaveLength(0)
    push.open()
    const line = await opened()
    expect(line.frames).toEqual([{ op: 'subscribe', topic: 'stacks/1' }])
    line.says({ topic: 'stacks/1', seq: '4', content: { state: 'stable' } })
    expect(messages).toEqual([{ topic: 'stacks/1', seq: '4', content: { state: 'stable' } }])
  })

  test('tells a new subscriber until when something may have been published: from the server’s answer, or its own record', async () => {
    const push = channel()
    const lost: (number | undefined)[] = []
    const subscribe = () =>
      push.subscribe(
        'a',
        () => undefined,
        (until) => lost.push(until),
      )
    push.open()
    const line = await opened()
    subscribe()
    await vi.advanceTimersByTimeAsync(700)
    expect(lost).toEqual([])
    line.says({ op: 'subscribed', topic: 'a', quietMs: 200 })
    const at = performance.now() - 200
    expect(lost.splice(0)).toEqual([at])
    subscribe()
    expect(lost.splice(0)).toEqual([at])
    await vi.advanceTimersByTimeAsync(100)
    line.says({ topic: 'a', seq: '7', content: null })
    subscribe()
    expect(lost).toEqual([performance.now()])
  })

  test('opened early and closed by a logout, leaves no connection behind', async () => {
    const push = channel()
    push.open()
    push.close()
    await vi.advanceTimersByTimeAsync(0)
    expect(Socket.all.map(({ readyState }) => readyState)).toEqual([WebSocket.CLOSED])
  })

  test('beats every 3 s, and is closed after three unanswered beats', async () => {
    const push = channel()
    push.subscribe('a', () => undefined)
    push.open()
    const line = await opened()
    for (let beat = 0; beat < 3; beat += 1) await vi.advanceTimersByTimeAsync(beatMs)
    expect(line.frames.filter((frame) => frame.op === 'ping')).toHaveLength(3)
    expect(line.readyState).toBe(WebSocket.OPEN)
    await vi.advanceTimersByTimeAsync(beatMs)
    expect(line.readyState).toBe(WebSocket.CLOSED)
  })

  test('asks again at once when closed for lack of permission, but not in a loop', async () => {
    const push = channel()
    push.subscribe('a', () => undefined)
    push.open()
    const line = await opened()
    await vi.advanceTimersByTimeAsync(beatMs + 1)
    line.breaks(1008)
    await vi.advanceTimersByTimeAsync(0)
    expect(Socket.all).toHaveLength(2)
    socket(1).opens()
    socket(1).breaks(1008)
    await vi.advanceTimersByTimeAsync(999)
    expect(Socket.all).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(Socket.all).toHaveLength(3)
  })

  test('stays open with an answered beat', async () => {
    const push = channel()
    push.subscribe('a', () => undefined)
    push.open()
    const line = await opened()
    for (let beat = 0; beat < 10; beat += 1) {
      await vi.advanceTimersByTimeAsync(beatMs)
      line.says({ op: 'pong' })
    }
    expect(line.readyState).toBe(WebSocket.OPEN)
  })

  test('reconnects, resumes each topic after the last event, and delivers nothing twice', async () => {
    const push = channel()
    const seqs: string[] = []
    push.subscribe('a', (message) => seqs.push(message.seq))
    push.subscribe('b', () => undefined)
    push.open()
    const first = await opened()
    first.says({ topic: 'a', seq: '7', content: null })
    first.breaks()
    await vi.advanceTimersByTimeAsync(1000)
    const second = await opened(1)
    expect(second.frames).toEqual([
      { op: 'resume', topic: 'a', seq: '7' },
      { op: 'subscribe', topic: 'b' },
    ])
    second.says({ topic: 'a', seq: '7', content: null })
    second.says({ topic: 'a', seq: '8', content: null })
    expect(seqs).toEqual(['7', '8'])
  })

  test('delivers momentary events each time, and does not resume from them', async () => {
    const push = channel()
    const contents: unknown[] = []
    push.subscribe('a', (message) => contents.push(message.content))
    push.open()
    const first = await opened()
    for (const content of [1, 2]) first.says({ topic: 'a', seq: '', content })
    expect(contents).toEqual([1, 2])
    first.breaks()
    await vi.advanceTimersByTimeAsync(1000)
    expect((await opened(1)).frames).toEqual([{ op: 'subscribe', topic: 'a' }])
  })

  test('reports possible loss after a break if nothing was received before it, or too much happened', async () => {
    const push = channel()
    const lost: string[] = []
    for (const topic of ['a', 'b'])
      push.subscribe(
        topic,
        () => undefined,
        (until) => until === undefined && lost.push(topic),
      )
    push.open()
    const first = await opened()
    for (const topic of ['a', 'b']) first.says({ op: 'subscribed', topic, quietMs: 0 })
    first.says({ topic: 'a', seq: '7', content: null })
    first.breaks()
    await vi.advanceTimersByTimeAsync(1000)
    const second = await opened(1)
    expect(lost).toEqual([])
    for (const topic of ['a', 'b']) second.says({ op: 'subscribed', topic, quietMs: 60_000 })
    expect(lost).toEqual(['b'])
    second.says({ op: 'error', topic: 'a', key: 'push-resume-lost', message: 'Too much has happened' })
    expect(lost).toEqual(['b', 'a'])
  })

  test('waits 1, 2, 4 … at most 30 s, with jitter down to half of it', () => {
    expect([0, 1, 2, 3, 4, 5, 9].map((attempt) => waitBefore(attempt, 1))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ])
    expect(waitBefore(3, 0)).toBe(4000)
  })

  test('has one subscription per topic for all listeners; the last one ends it', async () => {
    const push = channel()
    const ends = [push.subscribe('a', () => undefined), push.subscribe('a', () => undefined)]
    push.open()
    const line = await opened()
    expect(line.frames).toHaveLength(1)
    ends[0]?.()
    expect(line.frames).toHaveLength(1)
    ends[1]?.()
    expect(line.frames.at(-1)).toEqual({ op: 'unsubscribe', topic: 'a' })
  })

  test('stays closed once closed', async () => {
    const push = channel()
    push.subscribe('a', () => undefined)
    push.open()
    await opened()
    push.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(Socket.all).toHaveLength(1)
  })
})
