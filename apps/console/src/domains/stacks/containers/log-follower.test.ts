import type { LogSource } from '@gantry/contract/stacks/containers/logs'
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
  says(frame: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }))
  }
  ends(): void {
    this.readyState = WebSocket.CLOSED
    this.dispatchEvent(new Event('close'))
  }
}

const source = (n: number): LogSource => ({
  n,
  pod: `web-${n}`,
  container: 'web',
  role: 'main',
  previous: false,
  state: 'open',
  reason: '',
})

function following() {
  const sockets: Socket[] = []
  const lines: FollowLine[] = []
  const states: FollowState[] = []
  let anew = 0
  const close = followLogs(
    { teamId: 1, envId: 'e', id: 2, pod: '', quantity: 500 },
    {
      lines: (more) => lines.push(...more),
      state: (now) => states.push(now),
      anew: () => (anew += 1),
      open: () => {
        const socket = new Socket()
        sockets.push(socket)
        return Promise.resolve(socket as unknown as WebSocket)
      },
    },
  )
  return { close, lines, sockets, anew: () => anew, state: () => states.at(-1) }
}

describe('following the logs of a service', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  test('delivers lines with the container that wrote them', async () => {
    const { sockets, lines, state, close } = following()
    await vi.advanceTimersByTimeAsync(0)
    sockets[0]?.opens()
    sockets[0]?.says({ sources: [source(0), source(1)], left: 3 })
    sockets[0]?.says({ lines: [[1, '2026-01-01T00:00:00Z', 'hello']] })
    expect(lines).toEqual([{ source: source(1), at: '2026-01-01T00:00:00Z', text: 'hello' }])
    expect(state()).toMatchObject({ state: 'open', left: 3 })
    close()
  })

  test('reports why the server ended the connection, and reconnects with growing delays', async () => {
    const { sockets, state, anew, close } = following()
    await vi.advanceTimersByTimeAsync(0)
    sockets[0]?.opens()
    sockets[0]?.says({ end: 'The team has 100 logs open' })
    sockets[0]?.ends()
    expect(state()).toMatchObject({ state: 'waiting', reason: 'The team has 100 logs open' })
    await vi.advanceTimersByTimeAsync(1000)
    expect(sockets).toHaveLength(2)
    sockets[1]?.ends()
    await vi.advanceTimersByTimeAsync(1000)
    expect(sockets).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1000)
    sockets[2]?.opens()
    expect([state()?.state, anew()]).toEqual(['open', 2])
    close()
  })

  test('closes a connecting socket only after it has opened', async () => {
    const { sockets, close } = following()
    await vi.advanceTimersByTimeAsync(0)
    close()
    expect(sockets[0]?.closed).toBe(0)
    sockets[0]?.opens()
    expect(sockets[0]?.closed).toBe(1)
  })
})
