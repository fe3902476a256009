import { PassThrough, Writable } from 'node:stream'
import type { Piped } from '../executors/piped.ts'

/** The first byte of each frame of Kubernetes' remote command protocol. */
const channels = { input: 0, output: 1, status: 3, size: 4 } as const

/** Starts a command with a terminal in a container of a pod; returns the API server's answer if it refuses. */
export async function exec(url: string, token: string, ca: string): Promise<Piped | { status: number; text: string }> {
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(url.replace(/^http/, 'ws'), ['v5.channel.k8s.io', 'v4.channel.k8s.io'], {
    headers: { authorization: `Bearer ${token}` },
    ca,
    handshakeTimeout: 10_000,
    perMessageDeflate: false,
  })
  const output = new PassThrough()
  let status = ''
  socket.on('message', (data: Buffer) => {
    const [channel] = data
    const content = data.subarray(1)
    if (channel === channels.status) status += content.toString('utf8')
    else if (channel === channels.output && !output.write(content)) {
      socket.pause()
      output.once('drain', () => socket.resume())
    }
  })
  const ended = new Promise<number>((done) => {
    socket.once('close', () => {
      output.end()
      done(exitCodeOf(status))
    })
  })
  const refusal = await new Promise<{ status: number; text: string } | undefined>((done, failed) => {
    socket.once('open', () => done(undefined))
    socket.once('unexpected-response', (_request, answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.once('close', () => done({ status: answer.statusCode ?? 0, text }))
    })
    socket.on('error', failed)
  })
  if (refusal) return refusal
  const send = (channel: number, content: Buffer | string, done?: (cause?: Error) => void): void =>
    socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(content)]), done)
  const input = new Writable({ write: (content: Buffer, _encoding, done) => send(channels.input, content, done) })
  // the connection may end before all input is sent
  input.on('error', () => {})
  return {
    input,
    outputs: [output],
    resize: (columns, rows) => send(channels.size, JSON.stringify({ Width: columns, Height: rows })),
    ended,
    kill: () => socket.terminate(),
  }
}

/** From the status that ends a command: a Kubernetes `Status` object. */
function exitCodeOf(text: string): number {
  try {
    const { status, details } = JSON.parse(text) as {
      status?: string
      details?: { causes?: { reason?: string; message?: string }[] }
    }
    if (status === 'Success') return 0
    return Number(details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message ?? -1)
  } catch {
    return -1
  }
}
