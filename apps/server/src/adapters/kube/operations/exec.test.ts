import type { IncomingMessage } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { eventually } from '@gantry/waiting/eventually'
import { admitLocal, certificate, fakeApi } from '../../../../test/kube-api.ts'
import { kubeOver } from '../client.ts'
import type { Admit } from '../transport/connection.ts'
import { endOf } from './exec.ts'
import type { ExecSession } from './exec.ts'
import { openTransport } from '../transport/transport.ts'

type Program = (socket: WebSocket, request: IncomingMessage) => void

const api = await fakeApi(() => {}, { cert: certificate('server'), key: certificate('server-key') })
let speaks = 'v5.channel.k8s.io'
let program: Program = () => {}
let refusal: string | undefined
const sockets = new WebSocketServer({
  noServer: true,
  handleProtocols: (offered) => (offered.has(speaks) ? speaks : false),
})
api.server.on('upgrade', (request, socket, head) => {
  if (refusal !== undefined) return void socket.end(refusal)
  sockets.handleUpgrade(request, socket, head, (opened) => program(opened, request))
})
const transport = openTransport(api.address, { admit: admitLocal })
const kube = kubeOver(transport)
afterAll(async () => {
  await transport.close()
  await api[Symbol.asyncDispose]()
})

const pod = { namespace: 'n', name: 'p' }
const frame = (channel: number, text: string) => Buffer.concat([Buffer.of(channel), Buffer.from(text)])
const exit = (code: number) =>
  frame(
    3,
    JSON.stringify(
      code === 0
        ? { status: 'Success' }
        : {
            status: 'Failure',
            reason: 'NonZeroExitCode',
            details: { causes: [{ reason: 'ExitCode', message: `${code}` }] },
          },
    ),
  )
const outputOf = async (session: ExecSession) => {
  let text = ''
  for await (const { from, bytes } of session.output) text += `${from}:${bytes.toString()};`
  return text
}

test('runs a program: separate arguments, output, input and its end, exit code', async () => {
  let requested: URL | undefined
  let headers: IncomingMessage['headers'] = {}
  program = (socket, request) => {
    requested = new URL(request.url ?? '', 'http://x')
    headers = request.headers
    for (const channel of [1, 2]) socket.send(Buffer.of(channel))
    socket.on('message', (data: Buffer) => {
      if (data[0] === 0) socket.send(frame(1, `echo ${data.subarray(1).toString()}`))
      if (data[0] === 255 && data[1] === 0) {
        socket.send(frame(2, 'bye'))
        socket.send(exit(3))
        socket.close(1000)
      }
    })
  }
  const session = await kube
    .as({ user: 'gantry:user:1', groups: ['gantry:team:1', 'gantry:team:2'] })
    .exec(pod, { container: 'c', command: ['sh', '-c', 'a; b && c'], stdin: true })
  await session.write('hello')
  expect(session.endInput()).toBe(true)
  expect(await outputOf(session)).toBe('out:echo hello;err:bye;')
  expect(await session.ended).toEqual({ code: 3, message: '' })
  expect(requested?.pathname).toBe('/api/v1/namespaces/n/pods/p/exec')
  expect(requested?.searchParams.toString()).toBe(
    'container=c&command=sh&command=-c&command=a%3B+b+%26%26+c&tty=false&stdin=true&stdout=true&stderr=true',
  )
  expect(headers).toMatchObject({
    authorization: 'Bearer test-token',
    'impersonate-user': 'gantry:user:1',
    'impersonate-group': 'gantry:team:1, gantry:team:2',
  })
})

test('a terminal: its size, one stream of output, keys as bytes', async () => {
  const got: string[] = []
  program = (socket) =>
    socket.on('message', (data: Buffer) => {
      got.push(`${data[0]} ${data.subarray(1).toString()}`)
      if (data[0] === 0) {
        socket.send(frame(1, '$ '))
        socket.send(exit(0))
        socket.close()
      }
    })
  const session = await kube.exec(pod, { container: 'c', command: ['sh'], tty: true, stdin: true })
  await session.resize(120, 40)
  await session.write(Buffer.of(3))
  expect(await outputOf(session)).toBe('out:$ ;')
  expect(await session.ended).toEqual({ code: 0, message: '' })
  expect(got).toEqual(['4 {"Width":120,"Height":40}', '0 \u0003'])
})

test('input after the end is dropped without an error', async () => {
  program = (socket) => {
    socket.send(exit(0))
    socket.close()
  }
  const session = await kube.exec(pod, { container: 'c', command: ['sh'], tty: true, stdin: true })
  await session.ended
  await expect(session.write('late')).resolves.toBeUndefined()
})

test('input that is never read is limited', async () => {
  program = (socket) => socket.pause()
  const session = await kube.exec(pod, { container: 'c', command: ['sleep', '1h'], stdin: true })
  const chunk = Buffer.alloc(1024 * 1024)
  for (let written = 0; written < 64; written++) {
    void session.write(chunk)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await expect(session.ended).rejects.toMatchObject({ kind: 'reset' })
})

test('an older cluster uses v4, which cannot signal the end of the input', async () => {
  speaks = 'v4.channel.k8s.io'
  program = (socket) => {
    socket.send(exit(0))
    socket.close()
  }
  const session = await kube.exec(pod, { container: 'c', command: ['true'], stdin: true })
  expect(session.endInput()).toBe(false)
  expect((await session.ended).code).toBe(0)
  speaks = 'v5.channel.k8s.io'
})

test('unread output makes the program wait, and none is lost', async () => {
  const total = 400
  let flushed = 0
  program = (socket) => {
    const chunk = Buffer.alloc(64 * 1024, 1)
    const send = () =>
      socket.send(chunk, () => {
        flushed += 1
        if (flushed < total) send()
        else {
          socket.send(exit(0))
          socket.close()
        }
      })
    send()
  }
  const session = await kube.exec(pod, { container: 'c', command: ['yes'] })
  let before = 0
  await eventually(() => {
    const stands = flushed === before
    before = flushed
    return stands
  }, Boolean)
  expect(flushed).toBeLessThan(total)
  let bytes = 0
  for await (const output of session.output) bytes += output.bytes.length
  expect(bytes).toBe(total * (64 * 1024 - 1))
  expect((await session.ended).code).toBe(0)
})

test('closing, a signal and a broken connection each end it in their own way', async () => {
  program = () => {}
  const closed = await kube.exec(pod, { container: 'c', command: ['sh'] })
  closed.close()
  expect(await outputOf(closed)).toBe('')
  expect(await closed.ended).toEqual({ code: -1, message: '' })

  const stop = new AbortController()
  const stopped = await kube.exec(pod, { container: 'c', command: ['sh'], signal: stop.signal })
  stop.abort(new Error('right lost'))
  await expect(stopped.ended).rejects.toThrow('right lost')

  program = (socket) => socket.terminate()
  const broken = await kube.exec(pod, { container: 'c', command: ['sh'] })
  await expect(broken.ended).rejects.toMatchObject({ kind: 'reset' })
})

test('a call that is aborted while connecting does not start a program', async () => {
  let begun = false
  program = () => (begun = true)
  let admitted: (() => void) | undefined
  const admit: Admit = (url) => new Promise((resolve) => (admitted = () => resolve(admitLocal(url))))
  const slow = openTransport(api.address, { admit })
  const stop = new AbortController()
  const session = kubeOver(slow).exec(pod, { container: 'c', command: ['sh'], signal: stop.signal })
  await expect.poll(() => admitted).toBeDefined()
  stop.abort(new Error('gone'))
  admitted?.()
  await expect(session).rejects.toThrow('gone')
  expect(begun).toBe(false)
  await slow.close()
})

test('a refusal has the cluster’s own cause', async () => {
  const body = JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden', message: 'cannot create pods/exec' })
  refusal = `HTTP/1.1 403 Forbidden\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
  await expect(kube.as({ user: 'u', groups: [] }).exec(pod, { container: 'c', command: ['sh'] })).rejects.toMatchObject(
    { kind: 'forbidden', message: 'cannot create pods/exec', impersonated: true },
  )
  refusal = undefined
})

test.each([
  ['{"status":"Success"}', { code: 0, message: '' }],
  [
    '{"status":"Failure","reason":"InternalError","message":"no such program"}',
    { code: -1, message: 'no such program' },
  ],
  ['command terminated', { code: -1, message: 'command terminated' }],
  ['{"status":"Failure","reason":"NonZeroExitCode"}', { code: -1, message: '' }],
])('the end %j', (text, end) => {
  expect(endOf(text)).toEqual(end)
})
