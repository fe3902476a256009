import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openStreams, type StreamEvents, type Streams, TunnelProtocolError, type TunnelStream } from './streams.ts'
import { encodeCredit, encodeFrame, longestFrame, streamWindow } from './frames.ts'

/** One end of a stream as a test sees it. */
interface End {
  stream: TunnelStream
  got: number[]
  /** Bytes received that are not yet acknowledged with `consumed`. */
  unread: number
  most: number
  ended: boolean
  reset: string | undefined
  drained: number
}

function endOf(): End & { events: StreamEvents } {
  const end: End & { events: StreamEvents } = {
    stream: undefined as never,
    got: [],
    unread: 0,
    most: 0,
    ended: false,
    reset: undefined,
    drained: 0,
    events: {
      onData: (bytes) => {
        end.got.push(...bytes)
        end.unread += bytes.length
        end.most = Math.max(end.most, end.unread)
      },
      onEnd: () => (end.ended = true),
      onReset: (reason) => (end.reset = reason),
      onDrain: () => (end.drained += 1),
    },
  }
  return end
}

/** Both ends of a connection; messages wait until they are delivered. */
function pair(most?: number) {
  const toAgent: Uint8Array[] = []
  const toServer: Uint8Array[] = []
  const leaving = new Map<Uint8Array, () => void>()
  const sendTo = (messages: Uint8Array[]) => (message: Uint8Array, sent: () => void) => {
    messages.push(message)
    leaving.set(message, sent)
  }
  const next = (messages: Uint8Array[]): Uint8Array | undefined => {
    const message = messages.shift()
    if (message) leaving.get(message)?.()
    return message
  }
  const accepted: End[] = []
  const limit = most === undefined ? {} : { most }
  const server = openStreams({ send: sendTo(toAgent), ...limit })
  const agent = openStreams({
    send: sendTo(toServer),
    accept: (stream) => {
      const end = endOf()
      end.stream = stream
      accepted.push(end)
      return end.events
    },
    ...limit,
  })
  function deliver(count = Infinity): void {
    for (let left = count; left > 0; left--) {
      const down = next(toAgent)
      if (down) agent.receive(down)
      const up = next(toServer)
      if (up) server.receive(up)
      if (!down && !up) return
    }
  }
  function open(streams: Streams = server): End {
    const end = endOf()
    const stream = streams.open(end.events)
    if (!stream) throw new Error('refused')
    end.stream = stream
    return end
  }
  return { server, agent, toAgent, toServer, accepted, deliver, open }
}

const read = (end: End | undefined, count = end?.unread ?? 0): void => {
  if (!end) return
  end.unread -= count
  end.stream.consumed(count)
}

/** Bytes whose values tell their position. */
const pattern = (from: number, length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (from + at) % 251)

test('bytes arrive complete, in order and within the window, however they are written, read and delivered', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('write' as const), stream: fc.nat(2), down: fc.boolean(), length: fc.nat(100_000) }),
    fc.record({ do: fc.constant('read' as const), stream: fc.nat(2), down: fc.boolean(), length: fc.nat(200_000) }),
    fc.record({ do: fc.constant('deliver' as const), stream: fc.nat(9), down: fc.boolean(), length: fc.nat(1) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { deliver, open, accepted, server, agent } = pair()
      const near = [open(), open(), open()]
      deliver()
      const written = new Map<End, number>()
      for (const { do: what, stream, down, length } of steps) {
        const [from, to] = down ? [near[stream], accepted[stream]] : [accepted[stream], near[stream]]
        if (what === 'deliver') deliver(stream)
        else if (what === 'read') read(to, Math.min(length, to?.unread ?? 0))
        else if (from) {
          const before = written.get(from) ?? 0
          from.stream.write(pattern(before, length))
          written.set(from, before + length)
        }
      }
      for (const end of [...near, ...accepted]) end.stream.end()
      const all = [...near, ...accepted]
      for (let round = 0; all.some(({ ended }) => !ended); round++) {
        if (round > 200) throw new Error('it does not end')
        deliver()
        for (const end of all) read(end)
      }
      for (const [at, end] of near.entries()) {
        const other = accepted[at]
        expect(other?.got.length).toBe(written.get(end) ?? 0)
        expect(Uint8Array.from(other?.got ?? [])).toEqual(pattern(0, written.get(end) ?? 0))
        expect(end.got.length).toBe((other && written.get(other)) ?? 0)
        expect(Uint8Array.from(end.got)).toEqual(pattern(0, end.got.length))
        expect(Math.max(end.most, other?.most ?? 0)).toBeLessThanOrEqual(streamWindow)
      }
      deliver()
      expect([server.count(), agent.count()]).toEqual([0, 0])
    }),
    { numRuns: 40 },
  )
})

test('a slow reader holds up only its own stream', () => {
  const { deliver, open, accepted } = pair()
  const [slow, quick] = [open(), open()]
  expect(slow.stream.write(pattern(0, streamWindow * 2))).toBe(false)
  deliver()
  expect(accepted[0]?.got.length).toBe(streamWindow)
  expect(quick.stream.write(pattern(0, 1000))).toBe(true)
  deliver()
  expect(accepted[1]?.got.length).toBe(1000)
  read(accepted[0])
  deliver()
  expect([accepted[0]?.got.length, slow.drained]).toEqual([streamWindow * 2, 1])
})

test('a blocked connection holds at most 1 MB of all its streams, and each continues where it stopped', () => {
  const { deliver, open, accepted, toAgent } = pair()
  const all = Array.from({ length: 8 }, () => open())
  for (const { stream } of all) stream.write(pattern(0, streamWindow))
  const buffered = toAgent.reduce((sum, { length }) => sum + length, 0)
  expect(buffered).toBeLessThanOrEqual(1024 * 1024 + longestFrame)
  deliver()
  for (const end of accepted) expect(Uint8Array.from(end.got)).toEqual(pattern(0, streamWindow))
  expect(all.map(({ drained }) => drained)).toEqual([...Array(4).fill(0), ...Array(4).fill(1)])
})

test('one side may continue to send after the other has ended', () => {
  const { deliver, open, accepted, server } = pair()
  const near = open()
  near.stream.write(pattern(0, 10))
  near.stream.end()
  deliver()
  expect([accepted[0]?.ended, server.count()]).toEqual([true, 1])
  accepted[0]?.stream.write(pattern(0, 20))
  accepted[0]?.stream.end()
  deliver()
  expect([near.got.length, near.ended, server.count()]).toEqual([20, true, 0])
})

test('a reset arrives with its reason, and data still in transit is ignored', () => {
  const { deliver, open, accepted, server, agent } = pair()
  const near = open()
  deliver()
  near.stream.write(pattern(0, 10))
  accepted[0]?.stream.reset('ECONNREFUSED')
  deliver()
  expect([near.reset, accepted[0]?.reset, server.count(), agent.count()]).toEqual(['ECONNREFUSED', undefined, 0, 0])
  expect(near.stream.write(pattern(0, 10))).toBe(true)
})

test('neither end opens more streams than allowed', () => {
  const { deliver, open, server } = pair(2)
  open()
  open()
  expect(server.open(endOf().events)).toBeUndefined()
  deliver()
  const strict = pair(1)
  strict.agent.receive(encodeFrame(1, 'open'))
  strict.agent.receive(encodeFrame(2, 'open'))
  expect(strict.toServer.map((message) => message[4])).toEqual([4])
  expect(strict.agent.count()).toBe(1)
})

test('a closed connection resets its streams, once', () => {
  const { open, server } = pair()
  const near = open()
  server.close('gone')
  expect([near.reset, server.count(), server.open(endOf().events)]).toEqual(['gone', 0, undefined])
  expect(server.receive(encodeFrame(1, 'data', pattern(0, 3)))).toBeUndefined()
  expect(near.got).toEqual([])
})

test.for([
  ['opens a stream', (near: Streams) => near.receive(encodeFrame(7, 'open'))],
  [
    'sends more than there is room for',
    (near: Streams) => {
      for (let at = 0; at < 5; at++) near.receive(encodeFrame(1, 'data', new Uint8Array(60_000)))
    },
  ],
  ['says that it read more than was sent', (near: Streams) => near.receive(encodeCredit(1, 1))],
  [
    'sends after its end',
    (near: Streams) => {
      near.receive(encodeFrame(1, 'end'))
      near.receive(encodeFrame(1, 'data', new Uint8Array(1)))
    },
  ],
  [
    'ends twice',
    (near: Streams) => {
      near.receive(encodeFrame(1, 'end'))
      near.receive(encodeFrame(1, 'end'))
    },
  ],
  ['sends what is no frame', (near: Streams) => near.receive(new Uint8Array(3))],
  ['sends more than a frame', (near: Streams) => near.receive(new Uint8Array(longestFrame + 1))],
] as const)('a peer that %s is not trusted', ([, act]) => {
  const { server, open } = pair()
  open()
  expect(() => act(server)).toThrow(TunnelProtocolError)
})
