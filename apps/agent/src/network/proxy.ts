import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect, type LookupFunction, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { StepFailure } from '../reasons.ts'
import type { Destination, Destinations } from './destinations.ts'

/** A connection without data for this long is closed. */
const idleMs = 10 * 60_000
const connectMs = 30_000

/** Headers that concern only one connection and are not passed on. */
const hopByHop = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/

/**
 * The way out of a step's network: an HTTP proxy, with CONNECT for encrypted traffic. Returns the handler of an
 * incoming connection. Resolves names itself, checks the addresses, and connects to one of these.
 */
export function stepProxy(to: Destinations, ca: string | undefined): (socket: Socket) => void {
  const http = createServer({ requestTimeout: 0 }, (request, response) => {
    forward(request, response).catch((cause: unknown) => refuse(response, cause))
  })
  http.on('connect', (request, socket, head) => {
    const fail = (cause: unknown): void => {
      const { status, text } = answerTo(cause)
      socket.end(`HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${text}\n`)
    }
    socket.on('error', () => socket.destroy())
    tunnel(request.url ?? '', socket as Socket, head).catch(fail)
  })

  async function tunnel(target: string, socket: Socket, head: Buffer): Promise<void> {
    const url = URL.parse(`http://${target}`)
    const port = Number(/:(\d+)$/.exec(target)?.[1])
    if (url === null || !(port > 0)) throw new StepFailure('agents-address-refused', { host: target })
    if (to.isServer(url.hostname, port)) throw new StepFailure('agents-address-refused', { host: url.host })
    const upstream = await open(url.hostname, port, await to.admit(url.hostname, port))
    upstream.on('error', () => upstream.destroy())
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    upstream.write(head)
    for (const end of [socket, upstream]) end.setTimeout(idleMs, () => end.destroy())
    pipeline(socket, upstream, () => {})
    pipeline(upstream, socket, () => {})
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '')
    if (url === null || url.protocol !== 'http:') throw new StepFailure('agents-address-refused', { host: '?' })
    const port = Number(url.port || 80)
    const isServer = to.isServer(url.hostname, port)
    if (isServer && !isGit(request.method, url)) throw new StepFailure('agents-address-refused', { host: url.host })
    const destination = isServer ? undefined : await to.admit(url.hostname, port)
    const base = isServer ? to.server : url
    const headers = Object.entries(request.headersDistinct).filter(([name]) => !hopByHop.test(name))
    const upstream = (base.protocol === 'https:' ? httpsRequest : httpRequest)({
      host: base.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: base.port,
      path: url.pathname + url.search,
      method: request.method ?? 'GET',
      headers: {
        ...Object.fromEntries(headers),
        host: url.host,
        // without either of these headers, a body would be read as the next request
        ...(request.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
      },
      agent: false,
      timeout: idleMs,
      ...(ca === undefined ? {} : { ca }),
      ...(destination === undefined ? {} : { lookup: pinnedLookup(destination) }),
    })
    upstream.on('timeout', () => upstream.destroy())
    response.on('close', () => upstream.destroy())
    if (isServer) upstream.end()
    else pipeline(request, upstream, () => {})
    const answered = await new Promise<IncomingMessage>((done, failed) => {
      upstream.once('response', done)
      upstream.once('error', failed)
    })
    const answer = Object.entries(answered.headersDistinct).filter(([name]) => !hopByHop.test(name))
    response.writeHead(answered.statusCode ?? 502, Object.fromEntries(answer) as Record<string, string[]>)
    pipeline(answered, response, () => {})
  }

  return (socket) => void http.emit('connection', socket)
}

/** The server serves repositories as files for reading, below one path. `url` is normalized and contains no `..`. */
const isGit = (method: string | undefined, url: URL): boolean =>
  (method === 'GET' || method === 'HEAD') && url.pathname.startsWith('/git/')

const pinnedLookup =
  ({ addresses }: Destination): LookupFunction =>
  (_host, options, done) => {
    const first = addresses[0]
    if (options.all === true) done(null, addresses)
    else if (first !== undefined) done(null, first.address, first.family)
  }

export function open(host: string, port: number, destination: Destination): Promise<Socket> {
  const socket = connect({ host, port, lookup: pinnedLookup(destination), allowHalfOpen: true })
  return new Promise((done, failed) => {
    const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${connectMs / 1000} s`)), connectMs)
    socket.once('close', () => clearTimeout(timer))
    socket.once('error', failed)
    socket.once('connect', () => {
      clearTimeout(timer)
      done(socket)
    })
  })
}

function answerTo(cause: unknown): { status: string; text: string } {
  if (!(cause instanceof StepFailure))
    return {
      status: '504 Gateway Timeout',
      text: `The host cannot be reached: ${(cause as NodeJS.ErrnoException).code}`,
    }
  const { host } = cause.reason.vars
  if (cause.reason.key === 'agents-git-unreachable')
    return {
      status: '504 Gateway Timeout',
      text: `The host name ${host} cannot be resolved on the build agent’s machine.`,
    }
  return {
    status: '403 Forbidden',
    text: `Steps cannot reach ${host}: it is on the build agent’s machine or in a reserved network. The agent’s operator can allow it with GANTRY_OUTBOUND_ALLOW.`,
  }
}

function refuse(response: ServerResponse, cause: unknown): void {
  const { status, text } = answerTo(cause)
  if (response.headersSent) return void response.destroy()
  response.writeHead(Number(status.slice(0, 3)), { 'content-type': 'text/plain', connection: 'close' }).end(`${text}\n`)
}
