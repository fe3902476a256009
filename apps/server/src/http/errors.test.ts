import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { socketClient } from '../../test/socket-client.ts'
import { testApp } from '../../test/test-app.ts'

const app = await testApp({ onlyDomains: [] })
const { port } = new URL((await socketClient(app)).origin)

/** Sends raw bytes that no client library would send. */
async function answerTo(bytes: string): Promise<{ status: string; envelope: unknown }> {
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: head.split('\r\n')[0] ?? '', envelope: JSON.parse(body) }
}

test.for([
  ['what is no HTTP', 'hello\r\n\r\n', 'HTTP/1.1 400 Bad Request', 'request-not-http'],
  [
    'an address longer than is read',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'HTTP/1.1 431 Request Header Fields Too Large',
    'request-headers-too-large',
  ],
])('%s is refused in the envelope of every other answer', async ([, bytes = '', status, message]) => {
  const code = Number(status?.split(' ')[1])
  expect(await answerTo(bytes)).toEqual({
    status,
    envelope: { status: 0, data: null, code, message, errorMsg: expect.stringMatching(/\w/) },
  })
})
