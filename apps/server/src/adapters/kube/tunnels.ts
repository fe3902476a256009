import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import {
  type AgentTells,
  encodeTell,
  readTell,
  type ServerTells,
  tunnelProtocol,
} from '@gantry/contract/clusters/tunnel'
import { openStreams, type Streams, TunnelProtocolError } from '@gantry/contract/clusters/tunnel-streams'
import { z } from 'zod'
import { keepOutOfLogs } from '../../kernel/masking.ts'
import { KubeError } from './errors.ts'
import { caBundle, serverUrl, tokenAuth } from './kubeconfig.ts'
import { duplexOver } from './tunnel-duplex.ts'

/** What a tunnel needs of its websocket. */
export interface TunnelSocket {
  send: (bytes: Uint8Array<ArrayBuffer>) => void
  close: (code: number, reason: string) => void
}

/** One connection of an agent, as long as its websocket is open. */
export interface Tunnel {
  /** Takes a message. A connection that breaks the rules is closed. */
  receive: (message: Uint8Array) => void
  /** The websocket is gone. */
  gone: () => void
}

/** A connection through an agent: plain bytes, to its API server alone. */
export interface ThroughAgent {
  stream: Duplex
  api: URL
  ca: string | undefined
}

export interface Tunnels {
  /** This process, among those that an agent connects to. */
  readonly replica: string
  /** How many of them there are: told to every agent, now and when it connects. */
  setReplicas: (count: number) => void
  /** `ready` is called once the agent has told where its API server is. */
  attach: (environment: string, socket: TunnelSocket, ready: () => void) => Tunnel
  /** Throws KubeError `agent` where none of the cluster is connected here. `name` stands in the message. */
  dial: (environment: string, name: string) => ThroughAgent
  /** The service account's token, as the agent told it last. */
  token: (environment: string) => string | undefined
  isConnected: (environment: string) => boolean
  /** Environments with at least one agent. */
  connected: () => string[]
  /** Told when a cluster can be reached again that could not be. */
  onReady: (listener: (environment: string) => void) => () => void
  close: () => void
}

interface Connection {
  streams: Streams
  socket: TunnelSocket
  told: { api: URL; ca: string | undefined; token: string } | undefined
}

/** From a cluster that may be anybody's: nothing in it is taken as it is. */
const Tells = z.object({
  protocol: z.number().int(),
  server: z.string().max(2000),
  ca: z.string().max(40_000),
  token: z.string().max(20_000),
}) satisfies z.ZodType<AgentTells>

/** RFC 6455, section 7.4. */
const closing = { protocol: 1002, policy: 1008 } as const

function checked(value: unknown): NonNullable<Connection['told']> {
  const tells = Tells.safeParse(value).data
  if (tells?.protocol !== tunnelProtocol) throw new TunnelProtocolError('agent-protocol')
  const auth = tokenAuth(tells.token)
  if (auth.kind !== 'token') throw new TunnelProtocolError('agent-token')
  keepOutOfLogs(auth.token)
  return {
    api: new URL(serverUrl(tells.server)),
    ca: tells.ca.trim() === '' ? undefined : caBundle(tells.ca),
    token: auth.token,
  }
}

/** The agents that are connected to this process, by the cluster that they dial out of. */
export function openTunnels(): Tunnels {
  const replica = randomUUID()
  let replicas = 1
  /** The newest last: it is used for what is new. */
  const byEnvironment = new Map<string, Connection[]>()
  const lost = new Map<string, number>()
  const began = Date.now()
  const listeners = new Set<(environment: string) => void>()
  const tells = (): ServerTells => ({ replica, replicas })
  const current = (environment: string) => byEnvironment.get(environment)?.findLast(({ told }) => told)

  function remove(environment: string, connection: Connection): void {
    const left = (byEnvironment.get(environment) ?? []).filter((one) => one !== connection)
    if (left.length > 0) byEnvironment.set(environment, left)
    else if (byEnvironment.delete(environment)) lost.set(environment, Date.now())
    connection.streams.close('ECONNRESET')
  }

  return {
    replica,
    setReplicas: (count) => {
      if (count === replicas) return
      replicas = count
      for (const { socket } of [...byEnvironment.values()].flat()) socket.send(encodeTell(tells()))
    },
    attach: (environment, socket, ready) => {
      const connection: Connection = {
        socket,
        told: undefined,
        streams: openStreams({ send: (message) => socket.send(message) }),
      }
      byEnvironment.set(environment, [...(byEnvironment.get(environment) ?? []), connection])
      socket.send(encodeTell(tells()))
      return {
        receive: (message) => {
          try {
            const frame = connection.streams.receive(message)
            if (!frame) return
            const again = current(environment) !== undefined
            const first = connection.told === undefined
            connection.told = checked(readTell(frame))
            if (first) ready()
            if (!again) for (const listener of listeners) listener(environment)
          } catch (error) {
            // A Fault of what was told is the agent's as well.
            const key = error instanceof Error ? error.message : ''
            remove(environment, connection)
            socket.close(error instanceof TunnelProtocolError ? closing.protocol : closing.policy, key.slice(0, 100))
          }
        },
        gone: () => remove(environment, connection),
      }
    },
    dial: (environment, name) => {
      const connection = current(environment)
      if (!connection?.told) {
        const at = new Date(lost.get(environment) ?? began).toISOString()
        const since = `${at.slice(0, 16).replace('T', ' ')} UTC`
        throw new KubeError('agent', name, `no agent is connected since ${since}`, { since })
      }
      const { api, ca } = connection.told
      const stream = duplexOver((events) => connection.streams.open(events))
      if (!stream) throw new KubeError('busy', name, 'too many streams through the agent')
      return { stream, api, ca }
    },
    token: (environment) => current(environment)?.told?.token,
    isConnected: (environment) => current(environment) !== undefined,
    connected: () => [...byEnvironment.keys()].filter((environment) => current(environment) !== undefined),
    onReady: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => {
      const all = [...byEnvironment.values()].flat()
      byEnvironment.clear()
      for (const { streams, socket } of all) {
        streams.close('ECONNRESET')
        socket.close(1012, 'restart')
      }
    },
  }
}
