import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocketServer, type WebSocket } from 'ws'
import { runLine, runNamed } from '../node/shell-run.ts'
import { ShellBegins, ShellExit, type Run, type Shell } from '../node/shell.ts'
import { ApiError, badRequest } from '../objects/status.ts'
import type { Pod } from '../objects/types.ts'
import { isAllowed, refuse } from './access.ts'
import { chosenContainer, statusOf } from './logs.ts'
import { isTrue, targetOf } from './request.ts'
import { type ApiOptions, attributesOf, userOf } from './caller.ts'
import { lineEditor, type Input } from './terminal.ts'
import { found } from './write.ts'

/** The channels of `v4.channel.k8s.io` and `v5`, each the first byte of a message. */
const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io']

const sockets = new WebSocketServer({
  noServer: true,
  maxPayload: 1024 * 1024,
  handleProtocols: (offered) => protocols.find((one) => offered.has(one)) ?? false,
})

/** Milliseconds until a command runs. */
const startTime = 15

interface Asked {
  argv: string[]
  shell: Shell
  tty: boolean
  stdin: boolean
}

/** What the request wants to run. Throws ApiError where there is nothing to run it in. */
function asked({ cluster, programs, token }: ApiOptions, request: IncomingMessage): Asked {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://sandbox')
  const user = userOf(request, token)
  const target = targetOf(pathname)
  if (target?.subresource !== 'exec')
    throw new ApiError(404, 'NotFound', 'the server could not find the requested resource')
  const attributes = attributesOf(target, 'GET', query)
  if (!isAllowed(cluster, user, attributes)) refuse(user, attributes, target.kind)
  const pod = found(cluster, target.kind, target.namespace, target.name ?? '') as Pod
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
  const shell = programs.shell(instance)
  if (tty) shell.env.set('TERM', 'xterm')
  return { argv, shell, tty, stdin: isTrue(query.get('stdin')) }
}

/** Takes over a connection that asks for a terminal or a command in a container. */
export function serveExec(options: ApiOptions, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  let what: Asked
  try {
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
    what = asked(options, request)
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

function resize(shell: Shell, text: string): void {
  try {
    const { Width, Height } = JSON.parse(text) as { Width?: number; Height?: number }
    if (Width) shell.env.set('COLUMNS', String(Width))
    if (Height) shell.env.set('LINES', String(Height))
  } catch {
    // No size that could be read: it stays as it was.
  }
}

async function flushed(ws: WebSocket): Promise<void> {
  while (ws.readyState === ws.OPEN && ws.bufferedAmount > 1024 * 1024) await delay(5)
}

/** Names that the shell can run; a command that is none of them does not start at all. */
const isShell = (name: string): boolean => /(^|\/)(sh|ash|bash)$/.test(name)

async function session(ws: WebSocket, { argv, shell, tty, stdin }: Asked, stopped: AbortSignal): Promise<void> {
  const send = (to: number, text: string): void => {
    if (ws.readyState === ws.OPEN && text !== '') ws.send(Buffer.concat([Buffer.from([to]), Buffer.from(text)]))
  }
  const out = (text: string): void => send(channel.stdout, tty ? text.replaceAll('\n', '\r\n') : text)
  const err = (text: string): void => (tty ? out(text) : send(channel.stderr, text))
  const input = lineEditor({ tty, echo: (text) => send(channel.stdout, text) })
  if (!stdin) input.end()
  const take = (data: Buffer): void => {
    const [to] = data
    if (to === channel.stdin) input.push(data.subarray(1).toString('utf8'))
    else if (to === channel.close && data[1] === channel.stdin) input.end()
    else if (to === channel.resize) resize(shell, data.subarray(1).toString('utf8'))
  }
  const early: Buffer[] = []
  ws.on('message', (data: Buffer) => early.push(data))
  ws.on('close', () => input.end())
  ws.on('error', () => ws.terminate())
  const leave = (): void => ws.close(1001)
  stopped.addEventListener('abort', leave)

  // A real container needs a moment to start a program, too.
  await delay(startTime)
  const [name = '', ...args] = argv
  const io = { out, err, input, alive: () => ws.readyState === ws.OPEN, flushed: () => flushed(ws) }
  const interactive = isShell(name) && args.every((arg) => /^-[il]+$/.test(arg))
  const missing = { missing: false }
  const run = interactive ? undefined : started({ ...shell, terminal: tty, unknown: refusing(missing) }, name, args)
  const ending = run ? drive(run, io).catch(goOn(io)) : repl(shell, io, tty)
  for (const data of early) take(data)
  ws.removeAllListeners('message').on('message', take)
  const code = await ending
  stopped.removeEventListener('abort', leave)
  send(
    channel.error,
    JSON.stringify(missing.missing ? notStarted(name) : outcome(code, ws.protocol.startsWith('v4') ? argv : undefined)),
  )
  ws.close(1000)
}

/** A script that became a shell, as a terminal's does: what is typed from now on is the shell's. */
const goOn =
  (io: Io) =>
  (error: unknown): Promise<number> => {
    if (!(error instanceof ShellBegins)) throw error
    return repl(error.shell, io, true)
  }

/** The command itself must exist; inside a shell's script a missing one is only the shell's complaint. */
const refusing = (found: { missing: boolean }): Shell['unknown'] =>
  // eslint-disable-next-line require-yield -- the shape of every run
  function* (): Run {
    found.missing = true
    return 127
  }

function* started(shell: Shell, name: string, args: string[]): Run {
  const plain: Shell = isShell(name)
    ? {
        ...shell,
        unknown: function* (command): Run {
          yield { err: `sh: ${command}: not found\n` }
          return 127
        },
      }
    : shell
  try {
    return yield* runNamed(plain, name, args)
  } catch (error) {
    if (error instanceof ShellExit) return error.code
    throw error
  }
}

interface Io {
  out(text: string): void
  err(text: string): void
  input: Input
  alive(): boolean
  /** Until the other side has taken most of what was sent. */
  flushed(): Promise<void>
}

/** Lets a run's effects happen: output is sent, time passes, input is waited for. */
async function drive(run: Run, { out, err, input, alive, flushed }: Io): Promise<number> {
  let answer: string | null | undefined
  for (;;) {
    const step = run.next(answer)
    answer = undefined
    if (step.done) return step.value
    if (!alive()) return 137
    const effect = step.value
    if ('out' in effect) {
      out(effect.out)
      await flushed()
    } else if ('err' in effect) err(effect.err)
    else if ('read' in effect) answer = await input.read()
    else if (await input.interrupted(effect.sleep)) return 130
  }
}

/** A shell that reads line after line. */
async function repl(shell: Shell, io: Io, tty: boolean): Promise<number> {
  for (;;) {
    if (tty) io.out(`${shell.cwd} # `)
    const line = await io.input.read()
    if (line === null || !io.alive()) {
      if (tty) io.out('exit\n')
      return shell.status
    }
    if (line.trim() === '') continue
    const exit = { code: undefined as number | undefined }
    shell.status = await drive(oneLine(shell, line, exit), io)
    if (exit.code !== undefined) return exit.code
  }
}

function* oneLine(shell: Shell, line: string, exit: { code: number | undefined }): Run {
  try {
    return yield* runLine(shell, line)
  } catch (error) {
    if (!(error instanceof ShellExit)) throw error
    exit.code = error.code
    return error.code
  }
}

const success = { metadata: {}, status: 'Success' }
/** The older protocol's side of the real server words it with the command. */
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
