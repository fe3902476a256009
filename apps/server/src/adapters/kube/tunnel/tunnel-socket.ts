import { isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect } from 'node:tls'
import type { buildConnector } from 'undici'
import { KubeError } from '../errors.ts'
import type { ClusterAuth } from '../transport/kubeconfig.ts'
import type { ThroughAgent, Tunnels } from './tunnels.ts'

type ByAgent = Extract<ClusterAuth, { kind: 'agent' }>

/**
 * TLS with the API server itself, not with its agent, at the address that the agent reported, as a pod would connect.
 * HTTP clients use no more of a socket than a duplex has, except ref and unref, which `duplexOver` adds.
 */
function secured({ stream, api, ca }: ThroughAgent): Socket {
  if (api.protocol === 'http:') return stream as Socket
  const host = api.hostname.replace(/^\[|\]$/g, '')
  return connect({
    socket: stream,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
    ALPNProtocols: ['http/1.1'],
  })
}

function through(tunnels: Tunnels | undefined, { environment, name }: ByAgent): Socket {
  if (!tunnels) throw new KubeError('agent', name, 'this client knows no agents')
  return secured(tunnels.dial(environment, name))
}

/** Connects for the HTTP client: passes on the connection once it is secure, always asynchronously. */
export function dialAgent(
  tunnels: Tunnels | undefined,
  auth: ByAgent,
  timeout: number,
  callback: buildConnector.Callback,
): void {
  let socket: Socket
  try {
    socket = through(tunnels, auth)
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error))
    return void setImmediate(() => callback(failure, null))
  }
  const answer = () => callback(null, socket)
  if (!('encrypted' in socket)) return void setImmediate(answer)
  const late = setTimeout(
    () => socket.destroy(Object.assign(new Error(`no TLS within ${timeout} ms`), { code: 'ETIMEDOUT' })),
    timeout,
  )
  const failed = (error: Error) => {
    clearTimeout(late)
    callback(error, null)
  }
  socket.once('error', failed)
  socket.once('secureConnect', () => {
    clearTimeout(late)
    socket.off('error', failed)
    answer()
  })
}

/** The same for a websocket, whose client waits by itself. Throws at once if the agent is not connected. */
export function socketThroughAgent(tunnels: Tunnels | undefined, auth: ByAgent): () => Socket {
  if (!tunnels?.isConnected(auth.environment)) through(tunnels, auth)
  return () => through(tunnels, auth)
}
