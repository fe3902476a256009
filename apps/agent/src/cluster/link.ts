import { Agent as PlainAgent } from 'node:http'
import { Agent } from 'node:https'
import { type AgentTells, encodeTell, longestFrame, readTell } from '@gantry/tunnel/frames'
import { openStreams, TunnelProtocolError } from '@gantry/tunnel/streams'
import { WebSocket } from 'ws'
import { joinToApi } from './api-socket.ts'

/** A proxy is often the only way out of such a cluster; HTTPS_PROXY, HTTP_PROXY and NO_PROXY name it. */
function agentFor(url: string): Agent | PlainAgent {
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY, http_proxy, https_proxy, no_proxy } = process.env
  const proxyEnv = { HTTP_PROXY, HTTPS_PROXY, NO_PROXY, http_proxy, https_proxy, no_proxy }
  return url.startsWith('wss:') ? new Agent({ proxyEnv }) : new PlainAgent({ proxyEnv })
}

/** The server refuses this agent, because its token is not valid or no longer valid. */
export class RefusedError extends Error {}

/** One open connection to one replica of the server. */
export interface Link {
  replica: string
  tell: (report: AgentTells) => void
  /** The number of open streams. */
  streams: () => number
  close: (reason: string) => void
  /** Resolves with the reason when the connection has ended. */
  ended: Promise<{ reason: string; refused: boolean }>
}

interface Options {
  url: string
  token: string
  api: URL
  report: AgentTells
  /** Called with the number of replicas, whenever the server reports it. */
  onReplicas: (count: number) => void
  pulseMs?: number
}

const handshakeMs = 10_000
/** The time within which the server must report which replica it is. */
const welcomeMs = 10_000
const policy = 1008

function serverTells(value: unknown): { replica: string; replicas: number } | undefined {
  if (typeof value !== 'object' || value === null || !('replica' in value) || !('replicas' in value)) return undefined
  const { replica, replicas } = value
  return typeof replica === 'string' && typeof replicas === 'number' ? { replica, replicas } : undefined
}

/** Resolves once the server has reported which of its replicas it is. */
export function openLink({ url, token, api, report, onReplicas, pulseMs = 15_000 }: Options): Promise<Link> {
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}` },
    handshakeTimeout: handshakeMs,
    maxPayload: longestFrame,
    perMessageDeflate: false,
    followRedirects: false,
    agent: agentFor(url),
  })
  const streams = openStreams({
    send: (message, sent) => socket.send(message, sent),
    accept: (stream) => joinToApi(api, stream),
  })

  // a network that drops a connection notifies neither end, so a peer that is silent for a whole pulse counts as gone
  let alive = true
  const pulse = setInterval(() => {
    if (!alive) return socket.terminate()
    alive = false
    if (socket.readyState === WebSocket.OPEN) socket.ping()
  }, pulseMs)
  for (const event of ['pong', 'ping', 'message'] as const) socket.on(event, () => (alive = true))

  let fault: Error | undefined
  const ended = new Promise<{ reason: string; refused: boolean }>((resolve) => {
    socket.once('close', (code, given) => {
      clearInterval(pulse)
      streams.close('ECONNRESET')
      const reason = fault?.message ?? (given.toString('utf8') || `closed with ${code}`)
      resolve({ reason, refused: code === policy || fault instanceof RefusedError })
    })
  })
  socket.on('error', (error) => (fault ??= error))
  socket.once('unexpected-response', (request, answer) => {
    const status = answer.statusCode ?? 0
    fault = new (status === 401 || status === 403 ? RefusedError : Error)(`the server answered ${status}`)
    request.destroy()
    socket.terminate()
  })
  socket.once('open', () => socket.send(encodeTell(report)))

  return new Promise<Link>((resolve, reject) => {
    const late = setTimeout(() => {
      fault ??= new Error(`the server said nothing within ${welcomeMs / 1000} s`)
      socket.terminate()
    }, handshakeMs + welcomeMs)
    void ended.then(({ reason, refused }) => {
      clearTimeout(late)
      reject(refused ? new RefusedError(reason) : new Error(reason))
    })
    socket.on('message', (data) => {
      try {
        const frame = Buffer.isBuffer(data) ? streams.receive(data) : undefined
        const tells = frame && serverTells(readTell(frame))
        if (!tells) return
        clearTimeout(late)
        onReplicas(tells.replicas)
        resolve({
          replica: tells.replica,
          tell: (more) => socket.send(encodeTell(more)),
          streams: streams.count,
          close: (reason) => {
            socket.close(1000, reason)
            setTimeout(() => socket.terminate(), 2000).unref()
          },
          ended,
        })
      } catch (error) {
        if (!(error instanceof TunnelProtocolError)) throw error
        fault ??= error
        socket.close(1002)
      }
    })
  })
}
