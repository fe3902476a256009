import { createHash, randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { type AgentTells, encodeTell, readTell, type ServerTells, tunnelProtocol } from '@gantry/tunnel/frames'
import { openStreams, type Streams, TunnelProtocolError } from '@gantry/tunnel/streams'
import { z } from 'zod'
import { KubeError } from '../errors.ts'
import { caBundle, serverUrl, tokenAuth } from '../transport/kubeconfig.ts'
import { duplexOver } from './tunnel-duplex.ts'

/** The part of a websocket that a tunnel needs. */
export interface TunnelSocket {
  /** Calls `sent` once the bytes have left, or the websocket is gone. */
  send: (bytes: Uint8Array<ArrayBuffer>, sent?: () => void) => void
  close: (code: number, reason: string) => void
}

/** One connection of an agent, for as long as its websocket is open. */
export interface Tunnel {
  /** Processes a message. Closes a connection that breaks the protocol, or that is another cluster's. */
  receive: (message: Uint8Array) => void
  /** Called when the websocket has closed. */
  gone: () => void
}

/** An environment with a connected agent, and the digest that identifies the reported cluster. */
export interface ConnectedCluster {
  environment: string
  cluster: Buffer
}

/** What a connection asks and reports about its environment. */
export interface Attached {
  /**
   * Whether the environment may be this cluster from now on; clusters are identified by a digest. `before` is the
   * digest that the same connection reported until now, if its CA was replaced. Rejects if this cannot be decided now:
   * the agent then reconnects later.
   */
  claim: (cluster: Buffer, before: Buffer | undefined) => Promise<boolean>
  /** Called once the agent has reported its API server. */
  ready: () => void
}

/** A connection through an agent: plain bytes, to its API server only. */
export interface ThroughAgent {
  stream: Duplex
  api: URL
  ca: string | undefined
}

export interface Tunnels {
  /** The id of this process among those that an agent connects to. */
  readonly replica: string
  /** Sets the number of replicas, which every agent is sent now and when it connects. */
  setReplicas: (count: number) => void
  attach: (clusterId: string, socket: TunnelSocket, attached: Attached) => Tunnel
  /** Throws KubeError `agent` if no agent of the cluster is connected to this process. `name` is for the message. */
  dial: (clusterId: string, name: string) => ThroughAgent
  /** The service account's token, as the agent last reported it. */
  token: (clusterId: string) => string | undefined
  isConnected: (clusterId: string) => boolean
  /** The reports of the connected agents, one entry per connection. */
  connected: () => ConnectedCluster[]
  /** Closes the connections of a cluster that is no longer the environment's. */
  hangUp: (clusterId: string, cluster: Buffer) => void
  /** Calls the listener when a cluster can be reached again, or the environment has become `another` one. */
  onReady: (listener: (clusterId: string, another: boolean) => void) => () => void
  close: () => void
}

interface AgentState {
  api: URL
  ca: string | undefined
  token: string
  cluster: Buffer
}

interface Connection {
  streams: Streams
  socket: TunnelSocket
  agent: AgentState | undefined
}

/** An agent reports when it connects, and when its token (every hour) or its CA changes. */
const most = { tells: 10, withinMs: 60_000, connections: 20 }

/** Sent by a cluster that may belong to anybody, so everything is validated. */
const Tells = z.object({
  protocol: z.number().int(),
  server: z.string().max(2000),
  ca: z.string().max(40_000),
  token: z.string().max(20_000),
}) satisfies z.ZodType<AgentTells>

/** RFC 6455, section 7.4, and its registry of codes. */
const closing = { protocol: 1002, policy: 1008, later: 1013 } as const
const another = 'the environment is another cluster'

/** Its cause is not sent to the agent, which may be anybody. */
class ClaimFailed extends Error {
  constructor() {
    super('which cluster the environment is cannot be read now')
  }
}

const closingCode = (error: unknown): number => {
  if (error instanceof ClaimFailed) return closing.later
  return error instanceof TunnelProtocolError ? closing.protocol : closing.policy
}

/** A cluster is identified by its CA, or by its address if it has none. */
const clusterOf = ({ api, ca }: Pick<AgentState, 'api' | 'ca'>): Buffer =>
  createHash('sha256')
    .update(ca ?? api.origin)
    .digest()

const sameCluster = (a: Buffer | undefined, b: Buffer): boolean => a?.equals(b) ?? false

function checked(value: unknown): AgentState {
  const tells = Tells.safeParse(value).data
  if (tells?.protocol !== tunnelProtocol) throw new TunnelProtocolError('agent-protocol')
  const auth = tokenAuth(tells.token)
  if (auth.kind !== 'token') throw new TunnelProtocolError('agent-token')
  const api = new URL(serverUrl(tells.server))
  const ca = tells.ca.trim() === '' ? undefined : caBundle(tells.ca)
  return { api, ca, token: auth.token, cluster: clusterOf({ api, ca }) }
}

/** The agents that are connected to this process, by environment. */
export function openTunnels(): Tunnels {
  const replica = randomUUID()
  let replicas = 1
  /** The newest last, which is used for new streams. */
  const byCluster = new Map<string, Connection[]>()
  const lost = new Map<string, number>()
  const began = Date.now()
  const listeners = new Set<(clusterId: string, another: boolean) => void>()
  /** The last known identity of each environment. */
  const clusters = new Map<string, Buffer>()
  const tells = (): ServerTells => ({ replica, replicas })
  const current = (clusterId: string) => byCluster.get(clusterId)?.findLast(({ agent }) => agent)

  function remove(clusterId: string, connection: Connection): void {
    const left = (byCluster.get(clusterId) ?? []).filter((one) => one !== connection)
    if (left.length > 0) byCluster.set(clusterId, left)
    else if (byCluster.delete(clusterId)) lost.set(clusterId, Date.now())
    connection.streams.close('ECONNRESET')
  }

  function end(clusterId: string, connection: Connection, code: number, reason: string): void {
    remove(clusterId, connection)
    connection.socket.close(code, reason)
  }

  const has = (clusterId: string, connection: Connection): boolean =>
    byCluster.get(clusterId)?.includes(connection) ?? false

  /** Accepts a connection's report if its environment is that cluster. */
  async function take(
    environment: string,
    connection: Connection,
    agent: AgentState,
    { claim, ready }: Attached,
  ): Promise<void> {
    const before = connection.agent?.cluster
    const claimed = async () => {
      try {
        return await claim(agent.cluster, before)
      } catch {
        throw new ClaimFailed()
      }
    }
    if (!sameCluster(before, agent.cluster) && !(await claimed())) throw new Error(another)
    if (!has(environment, connection)) return
    const known = clusters.get(environment)
    // a later report on an open connection means the same cluster with another CA
    const moved = before === undefined && known !== undefined && !known.equals(agent.cluster)
    const again = current(environment) !== undefined
    connection.agent = agent
    clusters.set(environment, agent.cluster)
    if (before === undefined) ready()
    if (!again || moved) for (const listener of listeners) listener(environment, moved)
  }

  return {
    replica,
    setReplicas: (count) => {
      if (count === replicas) return
      replicas = count
      for (const { socket } of [...byCluster.values()].flat()) socket.send(encodeTell(tells()))
    },
    attach: (environment, socket, attached) => {
      const connection: Connection = {
        socket,
        agent: undefined,
        streams: openStreams({ send: (message, sent) => socket.send(message, sent) }),
      }
      const all = [...(byCluster.get(environment) ?? []), connection]
      byCluster.set(environment, all)
      const broke = (error: unknown): void => {
        if (!has(environment, connection)) return
        // a Fault about the report is also sent to the agent
        const key = error instanceof Error ? error.message : ''
        end(environment, connection, closingCode(error), key.slice(0, 100))
      }
      if (all.length > most.connections) broke(new Error('the agents of the cluster have too many connections'))
      else socket.send(encodeTell(tells()))
      /** Times of its recent reports. */
      let times: number[] = []
      /** Reports are processed in order. */
      let taken = Promise.resolve()
      return {
        receive: (message) => {
          try {
            const frame = connection.streams.receive(message)
            if (!frame) return
            const now = Date.now()
            times = [...times.filter((time) => now - time < most.withinMs), now]
            if (times.length > most.tells) throw new Error('the agent tells too often')
            const agent = checked(readTell(frame))
            taken = taken.then(() => take(environment, connection, agent, attached)).catch(broke)
          } catch (error) {
            broke(error)
          }
        },
        gone: () => remove(environment, connection),
      }
    },
    dial: (environment, name) => {
      const connection = current(environment)
      if (!connection?.agent) {
        const at = new Date(lost.get(environment) ?? began).toISOString()
        const since = `${at.slice(0, 16).replace('T', ' ')} UTC`
        throw new KubeError('agent', name, `no agent is connected since ${since}`, { since })
      }
      const { api, ca } = connection.agent
      const stream = duplexOver((events) => connection.streams.open(events))
      if (!stream) throw new KubeError('busy', name, 'too many streams through the agent')
      return { stream, api, ca }
    },
    token: (environment) => current(environment)?.agent?.token,
    isConnected: (environment) => current(environment) !== undefined,
    connected: () =>
      [...byCluster].flatMap(([environment, all]) =>
        all.flatMap(({ agent }) => (agent ? [{ environment, cluster: agent.cluster }] : [])),
      ),
    hangUp: (environment, cluster) => {
      for (const connection of byCluster.get(environment) ?? [])
        if (sameCluster(connection.agent?.cluster, cluster)) end(environment, connection, closing.policy, another)
    },
    onReady: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => {
      const all = [...byCluster.values()].flat()
      byCluster.clear()
      for (const { streams, socket } of all) {
        streams.close('ECONNRESET')
        socket.close(1012, 'restart')
      }
    },
  }
}
