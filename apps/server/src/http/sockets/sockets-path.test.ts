import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sampleCalls } from '../../../test/samples.ts'
import { socketClient } from '../../../test/socket-client.ts'
import { testApp } from '../../../test/test-app.ts'
import type { Sockets } from './sockets.ts'

const sockets: Sockets = (socket) => {
  const params = z.strictObject({ name: z.string() })
  socket({ path: '/api/sample/named/:name', access: 'public', params }, (_ctx, ws) => ws.close())
}
const app = await testApp({ onlyDomains: [], more: { ...sampleCalls, sockets } })
const { port } = new URL((await socketClient(app)).origin)

/** Sends a path that no client library would send. */
async function upgrade(path: string): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
  return text(socket)
}

test.for(['//', 'http://', '//[', '/api/sample/named/%zz'])('an upgrade of %s is 400', async (path) => {
  const answer = await upgrade(path)
  expect(answer).toContain('HTTP/1.1 400 ')
  expect(answer).toContain('"path-invalid"')
  expect((await app.admin.raw({ method: 'GET', url: '/livez' })).statusCode).toBe(200)
})
