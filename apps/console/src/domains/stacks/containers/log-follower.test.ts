import { beforeEach, describe, expect, test, vi } from 'vitest'
import { followLogs, type FollowLine, type FollowState } from './log-follower.ts'

class Socket extends EventTarget {
  readyState: number = WebSocket.CONNECTING
  closed = 0
  close(): void {
    this.closed += 1
    this.readyState = WebSocket.CLOSED
  }
  opens(): void {
    this.readyState = WebSocket.OPEN
    this.dispatchEvent(new Event('open'))
  }
  says(...texts: string[]): void {
    const lines = texts.map((text) => ({ at: `2026-01-01T00:00:0${text.slice(-1)}Z`, text }))
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ lines }) }))
  }
  /** The server ends it, and says why. */
  refuses(end: string): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ end }) }))
    this.ends()
  }
  ends(): void {
    this.readyState = WebSocket.CLOSED
    this.dispatchEvent(new Event('close'))
  }
}

const target = (key: string) => ({ key, teamId: 1, envId: 'e', podId: key, name: 'app' })

function following() {
  const sockets: [key: string, socket: Socket][] = []
  const lines: FollowLine[] = []
  let states: ReadonlyMap<string, FollowState> = new Map()
  const follower = followLogs(500, {
    lines: (more) => lines.push(...more),
    states: (now) => {
      states = now
    },
    open: ({ key }) => {
      const socket = new Socket()
      sockets.push([key, socket])
      return Promise.resolve(socket as unknown as WebSocket)
    },
  })
  const socketOf = (key: string): Socket => {
    const found = sockets.findLast(([of]) => of === key)
    if (!found) throw new Error(`nothing follows ${key}`)
    return found[1]
  }
  return {
    follower,
    lines,
    sockets,
    socketOf,
    state: (key: string) => states.get(key)?.state,
    reason: (key: string) => states.get(key)?.reason,
  }
}

describe('following logs', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  test('says why the server ended one, until it is opened again', async () => {
    const { follower, socketOf, state, reason } = following()
    follower.set([target('a')])
    await vi.advanceTimersByTimeAsync(0)
    socketOf('a').opens()
    socketOf('a').refuses('The team has 100 logs open')
    expect([state('a'), reason('a')]).toEqual(['waiting', 'The team has 100 logs open'])
    await vi.advanceTimersByTimeAsync(1000)
    socketOf('a').opens()
    expect([state('a'), reason('a')]).toEqual(['open', undefined])
    socketOf('a').ends()
    expect([state('a'), reason('a')]).toEqual(['waiting', ''])
    follower.close()
  })

  test('delivers the first lines of all containers in the order in which they were written', async () => {
    const { follower, socketOf, lines } = following()
    follower.set([target('a'), target('b')])
    await vi.advanceTimersByTimeAsync(0)
    for (const key of ['a', 'b']) socketOf(key).opens()
    socketOf('b').says('b2', 'b4')
    socketOf('a').says('a1', 'a3')
    await vi.advanceTimersByTimeAsync(600)
    expect(lines.map(({ text, key }) => `${key}:${text}`)).toEqual(['a:a1', 'b:b2', 'a:a3', 'b:b4'])
  })

  test('reopens a connection that ended, later each time, and delivers nothing twice', async () => {
    const { follower, socketOf, lines, sockets, state } = following()
    follower.set([target('a')])
    await vi.advanceTimersByTimeAsync(0)
    socketOf('a').opens()
    socketOf('a').says('x1', 'x2')
    socketOf('a').ends()
    expect(state('a')).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1000)
    expect(sockets).toHaveLength(2)
    socketOf('a').ends()
    await vi.advanceTimersByTimeAsync(1000)
    expect(sockets).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1000)
    expect(sockets).toHaveLength(3)
    socketOf('a').opens()
    expect(state('a')).toBe('open')
    socketOf('a').says('x1', 'x2', 'x3')
    await vi.advanceTimersByTimeAsync(600)
    expect(lines.map(({ text }) => text)).toEqual(['x1', 'x2', 'x3'])
  })

  test('closes those that are no longer wanted, and continues with the others', async () => {
    const { follower, socketOf, sockets, state } = following()
    follower.set([target('a'), target('b')])
    await vi.advanceTimersByTimeAsync(0)
    socketOf('a').opens()
    socketOf('b').opens()
    follower.set([target('b')])
    expect(socketOf('a').closed).toBe(1)
    expect(state('a')).toBeUndefined()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sockets).toHaveLength(2)
    expect(socketOf('b').closed).toBe(0)
  })

  test('closes a connection that is still being opened only once it is open', async () => {
    const { follower, socketOf } = following()
    follower.set([target('a')])
    await vi.advanceTimersByTimeAsync(0)
    follower.close()
    expect(socketOf('a').closed).toBe(0)
    socketOf('a').opens()
    expect(socketOf('a').closed).toBe(1)
  })
})
