import { WebSocket } from 'ws'
import type { RawData } from 'ws'
import { openInbox, sendMessage } from '../../../kernel/flow.ts'
import { answerError, KubeError, networkError, retryAfterIn } from '../errors.ts'
import type { Status } from '../errors.ts'
import type { Dialling, Identity } from '../transport/connection.ts'
import type { Transport } from '../transport/transport.ts'

export interface ExecOptions {
  container: string
  /** Program and arguments, never a shell command line. */
  command: readonly [string, ...string[]]
  /** A terminal: output is one stream, and `resize` works. */
  tty?: boolean
  stdin?: boolean
  signal?: AbortSignal | undefined
}

export interface ExecOutput {
  from: 'out' | 'err'
  bytes: Buffer
}

/** How the program ended. `code` is -1 where the cluster could not start it; `message` then says why. */
export interface ExecEnd {
  code: number
  message: string
}

/** A program running in a container. Read `output` to its end or call `close`; then `ended` settles. */
export interface ExecSession extends AsyncDisposable {
  output: AsyncIterable<ExecOutput>
  /**
   * Resolves once the bytes have been sent: a caller that awaits it never buffers more. One that does not is
   * disconnected at some megabytes. Never rejects.
   */
  write: (bytes: Uint8Array | string) => Promise<void>
  /** Ends the program's stdin. False if the cluster's protocol (v4) cannot: the program then keeps waiting. */
  endInput: () => boolean
  /** Resolves like `write`. */
  resize: (columns: number, rows: number) => Promise<void>
  /** Rejects with KubeError if the connection breaks before the program ends. */
  ended: Promise<ExecEnd>
  /** Disconnects from the program: in a terminal it is hung up, otherwise it runs to its end. */
  close: () => void
}

const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io']
const handshake = 10_000
const pulse = 15_000
const largestMessage = 8 * 1024 * 1024
/** Bytes of input that the program has not read yet; beyond this the connection ends. */
const maxInput = 4 * 1024 * 1024

/** Parses the error channel: a Status, though without its kind. */
export function endOf(text: string): ExecEnd {
  let status: Status
  try {
    status = JSON.parse(text) as Status
  } catch {
    return { code: -1, message: text.slice(0, 500) }
  }
  if (status.status === 'Success') return { code: 0, message: '' }
  const code = Number(status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message)
  const isExit = status.reason === 'NonZeroExitCode' && Number.isInteger(code)
  return { code: isExit ? code : -1, message: status.message ?? '' }
}

const bytesOf = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data

function connect(to: Dialling): WebSocket {
  const url = new URL(to.url)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return new WebSocket(url, protocols, {
    headers: to.headers,
    ...(to.ca !== undefined && { ca: to.ca }),
    ...(to.cert !== undefined && { cert: to.cert }),
    ...(to.key !== undefined && { key: to.key }),
    ...(to.servername !== undefined && { servername: to.servername }),
    lookup: to.lookup,
    ...(to.connect && { createConnection: to.connect }),
    handshakeTimeout: handshake,
    maxPayload: largestMessage,
    perMessageDeflate: false,
    // one message per turn of the event loop: thousands of tiny ones in a packet delay nothing else
    allowSynchronousEvents: false,
    followRedirects: false,
  })
}

/** Resolves once the websocket is open; another answer of the API server becomes its KubeError. */
function opened(socket: WebSocket, transport: Transport, impersonated: boolean): Promise<void> {
  const { server } = transport
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      // anything that arrived with the answer waits for a listener
      socket.pause()
      resolve()
    })
    socket.once('error', (error) =>
      reject(
        error.message.includes('handshake has timed out')
          ? new KubeError('timeout', server, error.message, { cause: error })
          : networkError(error, server),
      ),
    )
    socket.once('unexpected-response', (_request, answer) => {
      const chunks: Buffer[] = []
      let size = 0
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= 64 * 1024) chunks.push(chunk)
      })
      answer.once('close', () => {
        const status = answer.statusCode ?? 0
        const text = Buffer.concat(chunks).toString('utf8')
        const retryAfter = retryAfterIn(answer.headers['retry-after'])
        reject(answerError(transport, status, text, { retryAfter, impersonated }))
        socket.terminate()
      })
    })
  })
}

/** Merges adjacent chunks of one stream: a program that writes byte by byte costs its reader no more than others. */
function merged(batch: ExecOutput[]): ExecOutput[] {
  const runs: { from: ExecOutput['from']; parts: Buffer[] }[] = []
  for (const { from, bytes } of batch) {
    const run = runs.at(-1)
    if (run?.from === from) run.parts.push(bytes)
    else runs.push({ from, parts: [bytes] })
  }
  return runs.map(({ from, parts }) => ({ from, bytes: Buffer.concat(parts) }))
}

async function* outputOf(batches: AsyncIterable<ExecOutput[]>): AsyncGenerator<ExecOutput> {
  for await (const batch of batches) yield* merged(batch)
}

/** Starts a program in a container. Rejects with KubeError if the cluster refuses; resolves once the program runs. */
export async function execIn(
  transport: Transport,
  path: string,
  identity: Identity | undefined,
  options: ExecOptions,
): Promise<ExecSession> {
  const { container, command, tty = false, stdin = false, signal } = options
  const { server } = transport
  const query = { container, command, tty, stdin, stdout: true, stderr: !tty }
  const to = await transport.dial({ path, query, identity, signal })
  let socket: WebSocket
  try {
    signal?.throwIfAborted()
    socket = connect(to)
  } catch (error) {
    to.leave()
    throw signal?.aborted ? signal.reason : networkError(error, server)
  }
  socket.once('close', to.leave)
  const abort = () => socket.terminate()
  signal?.addEventListener('abort', abort, { once: true })
  try {
    await opened(socket, transport, identity !== undefined)
  } catch (error) {
    signal?.removeEventListener('abort', abort)
    // ws emits a second error for a websocket that never opened
    socket.on('error', () => {})
    throw signal?.aborted ? signal.reason : error
  }

  const output = openInbox<ExecOutput>(socket, ({ bytes }) => bytes.length)
  let end: ExecEnd | undefined
  let closing = false
  let alive = true
  let pinged = false
  const heart = setInterval(() => {
    if (pinged && !alive && !socket.isPaused) return socket.terminate()
    // Nobody reads what is sent to a program that has ended, and closing a connection with unread bytes resets it,
    // which would lose output on its way. So a ping is sent only after silence.
    pinged = !alive && !socket.isPaused
    if (pinged) socket.ping()
    alive = false
  }, pulse)
  socket.on('pong', () => {
    alive = true
  })
  socket.on('error', () => {})
  socket.on('message', (data) => {
    alive = true
    const message = bytesOf(data)
    const bytes = message.subarray(1)
    if (message[0] === channel.error) end = endOf(bytes.toString('utf8'))
    else if (bytes.length === 0) return
    else if (message[0] === channel.stdout) output.push({ from: 'out', bytes })
    else if (message[0] === channel.stderr) output.push({ from: 'err', bytes })
  })
  socket.resume()
  const ended = new Promise<ExecEnd>((resolve, reject) => {
    socket.once('close', () => {
      clearInterval(heart)
      signal?.removeEventListener('abort', abort)
      output.end()
      if (end) resolve(end)
      else if (closing) resolve({ code: -1, message: '' })
      else if (signal?.aborted) reject(signal.reason)
      else reject(new KubeError('reset', server, 'the connection to the container broke off'))
    })
  })
  // a caller that only reads the output sees the break as its end; an unhandled rejection must not end the process
  ended.catch(() => {})

  // late input is dropped: `ended` reports that the program has ended
  const send = (to: number, bytes: Uint8Array) => {
    const message = Buffer.allocUnsafe(bytes.length + 1)
    message[0] = to
    message.set(bytes, 1)
    const leaving = sendMessage(socket, message)
    if (socket.bufferedAmount > maxInput) socket.terminate()
    return leaving
  }
  const close = () => {
    closing = true
    output.end()
    socket.close(1000)
    // a dead peer never answers the close
    setTimeout(() => socket.terminate(), 2000).unref()
  }
  return {
    output: outputOf(output.batches()),
    write: (bytes) => send(channel.stdin, typeof bytes === 'string' ? Buffer.from(bytes) : bytes),
    endInput: () => {
      if (socket.protocol !== protocols[0]) return false
      void send(channel.close, Uint8Array.of(channel.stdin))
      return true
    },
    resize: (columns, rows) => {
      const size = JSON.stringify({ Width: columns, Height: rows })
      return send(channel.resize, Buffer.from(size))
    },
    ended,
    close,
    [Symbol.asyncDispose]: async () => {
      close()
      await ended.catch(() => {})
    },
  }
}
