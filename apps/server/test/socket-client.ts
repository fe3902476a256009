import type { AddressInfo } from 'node:net'
import { findSession, makeTicket } from '../src/identity/sessions.ts'
import { eventually } from '@gantry/waiting/eventually'
import { WebSocket } from 'ws'
import type { TestApp, TestCaller } from './test-app.ts'

export interface Heard {
  ws: WebSocket
  /** All received frames, parsed, except acknowledgements of subscriptions. */
  frames: Record<string, unknown>[]
  /** Resolves with the close code, or with the HTTP status if the upgrade was refused. */
  ended: Promise<number>
  send: (frame: unknown) => void
  /** Subscribes to a topic and resolves once that is acknowledged. */
  subscribe: (topic: string) => Promise<number | undefined>
}

/** Listens on a free port and opens websockets like a browser: with a ticket and an Origin. */
export async function socketClient(app: TestApp) {
  await app.fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.fastify.server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  async function ticket(user: TestCaller, path: string): Promise<string> {
    const caller = await findSession(app.db, user.token ?? '')
    if (!caller) throw new Error('no session')
    return makeTicket(app.db, caller, 'GET', path)
  }

  /** Resolves once the websocket is open or refused. */
  async function open(url: string, headers: Record<string, string> = { origin }): Promise<Heard> {
    const ws = new WebSocket(`ws://127.0.0.1:${port}${url}`, { headers, handshakeTimeout: 60_000 })
    const frames: Record<string, unknown>[] = []
    const acknowledged: { topic?: string; quietMs?: number }[] = []
    // an agent's tunnel sends binary frames; only JSON frames are recorded
    ws.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) return
      const frame = JSON.parse(data.toString()) as Record<string, unknown>
      if (frame['op'] === 'subscribed') acknowledged.push(frame)
      else frames.push(frame)
    })
    const ended = new Promise<number>((resolve) => {
      ws.on('unexpected-response', (request, response) => {
        resolve(response.statusCode ?? 0)
        request.destroy()
      })
      ws.on('close', (code) => resolve(code))
      ws.on('error', () => undefined)
    })
    await Promise.race([new Promise((resolve) => ws.once('open', resolve)), ended])
    const send = (frame: unknown) => ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
    /** Subscribes; returns for how long nothing had been published to the topic. */
    const subscribe = async (topic: string): Promise<number | undefined> => {
      const of = () => acknowledged.filter((one) => one.topic === topic)
      const before = of().length
      send({ op: 'subscribe', topic })
      await eventually(
        () => of().length,
        (now) => now > before,
      )
      return of().at(-1)?.quietMs
    }
    return { ws, frames, ended, send, subscribe }
  }

  return {
    origin,
    ticket,
    open,
    as: async (user: TestCaller, path: string, headers?: Record<string, string>) =>
      open(`${path}?authorization=${await ticket(user, path)}`, headers),
  }
}
