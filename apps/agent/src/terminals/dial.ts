import { setTimeout as sleep } from 'node:timers/promises'
import { protocolHeader, protocolVersion } from '@gantry/agent-protocol/protocol'
import type { WebSocket as Socket } from 'ws'
import { agentTerminalPath, terminalElsewhere } from '../protocol.ts'

export interface Server {
  serverUrl: string
  token: () => string
  ca: string | undefined
}

export type Frame = { type: 'input'; data: string } | { type: 'resize'; columns: number; rows: number }

export interface Line {
  /** Passes on the input from the beginning; may be called once. */
  hear: (take: (frame: Frame) => void) => void
  pause: () => void
  resume: () => void
  /** Resolves once the bytes have been sent, or the connection is closed. */
  send: (bytes: Buffer) => Promise<void>
  /** Sends the last frame. */
  end: (frame: object) => void
  closed: Promise<void>
}

/** Milliseconds for which a user's connection waits. */
const patienceMs = 20_000
const againMs = 200
/** Milliseconds without a frame after which the server counts as gone; it pings every 20 s. */
const silentMs = 60_000

/** Connects until it reaches the server process where the user waits; undefined if the user waits no longer. */
export async function dial(server: Server, id: string): Promise<Line | undefined> {
  const until = performance.now() + patienceMs
  while (performance.now() < until) {
    const reached = await dialOnce(server, id)
    if (reached === 'over') return undefined
    if (reached !== 'elsewhere') return reached
    await sleep(againMs)
  }
  return undefined
}

async function dialOnce({ serverUrl, token, ca }: Server, id: string): Promise<Line | 'elsewhere' | 'over'> {
  // loaded with the first terminal, so that idle agents need no memory for it
  const { WebSocket } = await import('ws')
  const url = `${serverUrl.replace(/^http/, 'ws')}${agentTerminalPath.replace(':terminal', id)}`
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${token()}`, [protocolHeader]: protocolVersion },
    handshakeTimeout: 10_000,
    perMessageDeflate: false,
    followRedirects: false,
    ...(ca === undefined ? {} : { ca }),
  })
  return new Promise((resolve) => {
    const line = lineOver(socket, () => resolve(line))
    socket.on('error', () => {})
    socket.once('close', (code) => resolve(code === terminalElsewhere || code === 1006 ? 'elsewhere' : 'over'))
  })
}

function lineOver(socket: Socket, joined: () => void): Line {
  let early: Frame[] = []
  let take = (frame: Frame): void => void early.push(frame)
  let timer: NodeJS.Timeout | undefined
  const resetTimer = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => socket.terminate(), silentMs)
  }
  for (const event of ['open', 'ping', 'message'] as const) socket.on(event, resetTimer)
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString('utf8')) as Frame | { type: 'joined' }
    if (frame.type === 'joined') joined()
    else take(frame)
  })
  const closed = new Promise<void>((done) => {
    socket.once('close', () => {
      clearTimeout(timer)
      done()
    })
  })
  return {
    hear(given) {
      take = given
      for (const frame of early) given(frame)
      early = []
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    send: (bytes) => new Promise((done) => socket.send(bytes, () => done())),
    end: (frame) => {
      socket.resume()
      socket.send(JSON.stringify(frame))
      socket.close(1000)
    },
    closed,
  }
}
