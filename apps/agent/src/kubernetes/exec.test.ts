import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { exec } from './exec.ts'

/** Speaks the remote command protocol: repeats what is typed, and ends with the status that the command names. */
const http = createServer((_request, answer) => answer.writeHead(403).end('{"message":"no right"}'))
const sockets = new WebSocketServer({ noServer: true })
let url = ''
beforeAll(async () => {
  http.on('upgrade', (request, socket, head) => {
    if (request.headers.authorization !== 'Bearer right') {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n{"message":"no right"}')
      return
    }
    sockets.handleUpgrade(request, socket, head, (ws) => {
      const status = new URL(request.url ?? '', url).searchParams.get('status')
      const size = status?.length ?? 0
      ws.on('message', (data: Buffer) => {
        const [channel] = data
        const content = data.subarray(1).toString('utf8')
        if (channel === 4) ws.send(Buffer.from(`\u0001size ${content};`))
        if (channel === 0 && content !== 'end') ws.send(Buffer.from(`\u0001typed ${content};`))
        if (channel !== 0 || content !== 'end') return
        if (size > 0) ws.send(Buffer.from(`\u0003${status}`))
        ws.close()
      })
    })
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/exec`
})
afterAll(() => {
  http.close()
  http.closeAllConnections()
})

async function opened(status: string) {
  const shell = await exec(`${url}?status=${encodeURIComponent(status)}`, 'right', '')
  if (!('input' in shell)) throw new Error(`refused with ${shell.status}`)
  return shell
}

test('passes on input, sizes and output', async () => {
  const shell = await opened('{"status":"Success"}')
  shell.resize(91, 33)
  shell.input.write('one')
  shell.input.write('end')
  expect((await Promise.all(shell.outputs.map(text))).join('')).toBe('size {"Width":91,"Height":33};typed one;')
  expect(await shell.ended).toBe(0)
})

test.each([
  ['{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"137"}]}}', 137],
  ['{"status":"Failure","message":"the container is gone"}', -1],
  ['no status', -1],
  ['', -1],
])('a command that ends with the status %s has the exit code %i', async (status, code) => {
  const shell = await opened(status)
  shell.input.write('end')
  expect(await shell.ended).toBe(code)
})

test('a refusal of the API server is told with its text', async () => {
  expect(await exec(url, 'wrong', '')).toEqual({ status: 403, text: '{"message":"no right"}' })
})

test('killing it ends the connection', async () => {
  const shell = await opened('')
  shell.kill()
  expect(await shell.ended).toBe(-1)
  shell.input.write('too late')
  shell.resize(1, 1)
})
