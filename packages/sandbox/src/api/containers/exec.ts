import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { WebSocketServer, type WebSocket } from 'ws'
import { fileProgram } from '../../node/file-programs.ts'
import { knows, run, type Run, type Shell } from '../../node/shell.ts'
import { ApiError, badRequest } from '../../objects/status.ts'
import type { Pod } from '../../objects/types.ts'
import { isAllowed, refuse } from '../access.ts'
import { chosenContainer, statusOf } from './logs.ts'
import { isTrue, targetOf } from '../request.ts'
import { type ApiOptions, attributesOf, userOf } from '../caller.ts'
import { lineEditor, type Input } from './terminal.ts'
import { mustFind } from '../write.ts'

/** The channels of `v4.channel.k8s.io` and `v5`; a message begins with the byte of its channel. */
const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, close: 255 } as const
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io']

const sockets = new WebSocketServer({
  noServer: true,
  maxPayload: 1024 * 1024,
  allowSynchronousEvents: false,
  handleProtocols: (offered) => protocols.find((one) => offered.has(one)) ?? false,
})

/** Milliseconds until a command runs. */
const startTime = 15

interface ExecRequest {
  argv: string[]
  shell: Shell
  /** Its image contains no programs, as if built from scratch. */
  bare: boolean
  tty: boolean
  stdin: boolean
}

/** The command that the request wants to run. Throws ApiError if there is no container for it. */
function parseRequest(options: ApiOptions, request: IncomingMessage): ExecRequest {
  const { cluster, programs } = options
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://sandbox')
  const user = userOf(options, request)
  const target = targetOf(pathname)
  if (target?.subresource !== 'exec')
    throw new ApiError(404, 'NotFound', 'the server could not find the requested resource')
  const attributes = attributesOf(target, 'GET', query)
  if (!isAllowed(cluster, user, attributes)) refuse(user, attributes, target.kind)
  const pod = mustFind(cluster, target.kind, target.namespace, target.name ?? '') as Pod
  const argv = query.getAll('command')
  if (argv.length === 0) throw badRequest('you must specify at least one command for the container')
  const container = chosenContainer(pod, query.get('container'))
  const status = statusOf(pod, container)
  if (!pod.spec.nodeName) throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`)
  const instance = status?.state.running && programs.instance(pod, container, status)
  if (!instance)
    throw new ApiError(
      500,
      'InternalError',
      `Internal error occurred: unable to upgrade connection: container not found ("${container.name}")`,
    )
  const tty = isTrue(query.get('tty'))
  const shell = programs.shell(instance, tty)
  return { argv, shell, bare: shell.env.get('SANDBOX_BARE') === '1', tty, stdin: isTrue(query.get('stdin')) }
}

/** Takes over a connection for a terminal or a command in a container. */
export function serveExec(options: ApiOptions, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  let what: ExecRequest
  try {
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
    what = parseRequest(options, request)
    if (!offered.some((one) => protocols.includes(one)))
      throw badRequest(`unable to upgrade: unable to negotiate protocol: client supports ${JSON.stringify(offered)}`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const body = JSON.stringify(error.status)
    const lines = [
      `HTTP/1.1 ${error.status.code} ${error.status.reason}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ]
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
    return
  }
  sockets.handleUpgrade(request, socket, head, (ws) => {
    session(ws, what, options.stopped).catch(options.onError)
  })
}

/** The most output in bytes that the client has not read yet. */
const maxUnread = 1024 * 1024

async function flushed(ws: WebSocket): Promise<void> {
  while (ws.readyState === ws.OPEN && ws.bufferedAmount > maxUnread) await delay(5)
}

async function session(ws: WebSocket, request: ExecRequest, stopped: AbortSignal): Promise<void> {
  const { argv, shell, tty, stdin, bare } = request
  const files = bare ? undefined : fileProgram(argv)
  if (files) return fileSession(ws, request, files, stopped)
  // Output of the same moment is sent as one message, because a terminal echoes key by key.
  let pending = { to: 0, text: '' }
  const flush = (): void => {
    const { to, text } = pending
    pending = { to, text: '' }
    if (ws.readyState === ws.OPEN && text !== '') ws.send(Buffer.concat([Buffer.from([to]), Buffer.from(text)]))
  }
  const send = (to: number, text: string): void => {
    if (to !== pending.to) flush()
    if (pending.text === '') queueMicrotask(flush)
    pending = { to, text: pending.text + text }
  }
  const out = (text: string): void => send(channel.stdout, tty ? text.replaceAll('\n', '\r\n') : text)
  const err = (text: string): void => (tty ? out(text) : send(channel.stderr, text))
  const input = lineEditor({
    tty,
    echo: (text) => send(channel.stdout, text),
    echoed: () => nextTurn().then(() => flushed(ws)),
  })
  if (!stdin) input.end()
  const take = (data: Buffer): void => {
    const [to] = data
    if (to === channel.stdin) input.push(data.subarray(1).toString('utf8'))
    else if (to === channel.close && data[1] === channel.stdin) input.end()
  }
  ws.on('close', () => input.end())
  ws.on('error', () => ws.terminate())
  const leave = (): void => ws.close(1001)
  stopped.addEventListener('abort', leave)

  // A real container also needs a moment to start a program. Earlier input waits in the websocket.
  ws.pause()
  await delay(startTime)
  const io = { out, err, input, alive: () => ws.readyState === ws.OPEN, flushed: () => flushed(ws) }
  const missing = bare || !knows(argv[0] ?? '')
  const ending = missing ? 127 : drive(run(shell, argv), io)
  const goOnReading = async (): Promise<void> => {
    await Promise.all([input.room(), flushed(ws)])
    ws.resume()
  }
  ws.on('message', (data: Buffer) => {
    take(data)
    if (ws.isPaused) return
    ws.pause()
    void goOnReading()
  })
  ws.resume()
  const code = await ending
  stopped.removeEventListener('abort', leave)
  send(channel.error, missing ? JSON.stringify(notStarted(argv[0] ?? '')) : endOf(ws, argv, code))
  flush()
  ws.close(1000)
}

const endOf = (ws: WebSocket, argv: string[], code: number): string =>
  JSON.stringify(outcome(code, ws.protocol.startsWith('v4') ? argv : undefined))

/** Runs a file program, whose input and output are bytes. */
async function fileSession(
  ws: WebSocket,
  { argv, shell, stdin }: ExecRequest,
  run: NonNullable<ReturnType<typeof fileProgram>>,
  stopped: AbortSignal,
): Promise<void> {
  const waiting: Buffer[] = []
  let [ended, wake] = [!stdin, () => {}]
  const finish = (): void => {
    ended = true
    wake()
  }
  ws.on('message', (data: Buffer) => {
    if (data[0] === channel.stdin) waiting.push(Buffer.from(data.subarray(1)))
    else if (data[0] === channel.close && data[1] === channel.stdin) ended = true
    if (waiting.length > 16) ws.pause()
    wake()
  })
  ws.on('close', finish)
  ws.on('error', () => ws.terminate())
  const leave = (): void => ws.close(1001)
  stopped.addEventListener('abort', leave)
  async function* input(): AsyncGenerator<Buffer> {
    for (;;) {
      const next = waiting.shift()
      if (next) yield next
      else if (ended) return
      else {
        ws.resume()
        await new Promise<void>((resolve) => (wake = resolve))
      }
    }
  }
  const send = async (to: number, bytes: Buffer): Promise<void> => {
    if (ws.readyState === ws.OPEN && bytes.length > 0) ws.send(Buffer.concat([Buffer.of(to), bytes]))
    await flushed(ws)
  }
  await delay(startTime)
  const code = await run(shell.files, {
    input: input(),
    out: (bytes) => send(channel.stdout, bytes),
    err: (text) => void send(channel.stderr, Buffer.from(text)),
  })
  stopped.removeEventListener('abort', leave)
  await send(channel.error, Buffer.from(endOf(ws, argv, code)))
  ws.close(1000)
}

interface Io {
  out(text: string): void
  err(text: string): void
  input: Input
  alive(): boolean
  /** Resolves once the client has read most of the output. */
  flushed(): Promise<void>
}

/** Performs a run's effects: sends output, lets time pass, waits for input. */
async function drive(running: Run, { out, err, input, alive, flushed }: Io): Promise<number> {
  let answer: string | null | undefined
  for (;;) {
    const step = running.next(answer)
    answer = undefined
    if (step.done) return step.value
    if (!alive()) return 137
    const effect = step.value
    if ('out' in effect) {
      out(effect.out)
      await flushed()
    } else if ('err' in effect) err(effect.err)
    else if ('unknown' in effect) err(`sh: ${effect.unknown}\n`)
    else if ('read' in effect) answer = await input.read()
    else if (await input.interrupted(effect.sleep)) answer = null
  }
}

const success = { metadata: {}, status: 'Success' }
/** The text of the older protocol in the real server includes the command. */
const outcome = (code: number, argv: string[] | undefined): unknown => {
  if (code === 0) return success
  const how = argv
    ? `error executing command [${argv.join(' ')}], exit code ${code}`
    : `command terminated with exit code ${code}`
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: ${how}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  }
}
const notStarted = (name: string): unknown => ({
  metadata: {},
  status: 'Failure',
  message: `Internal error occurred: error executing command in container: failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: exec: "${name}": executable file not found in $PATH`,
  reason: 'InternalError',
  details: {
    causes: [{ message: `error executing command in container: exec: "${name}": executable file not found in $PATH` }],
  },
  code: 500,
})
