import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { afterEach, expect } from 'vitest'
import { createOutbound, type Outbound, type OutboundSettings } from '../src/adapters/outbound/outbound.ts'

/** Servers on loopback and clients for them, closed at the end of the test. */
const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

export const listen = <T extends Server | TcpServer>(server: T): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
    open.push(() => {
      if ('closeAllConnections' in server) server.closeAllConnections()
      return server.close()
    })
  })
/** A port of this machine on which nobody listens. */
export async function closedPort(): Promise<number> {
  const port = await listen(createTcpServer())
  await open.pop()?.()
  return port
}
export const serve = (handle: RequestListener): Promise<number> => listen(createServer(handle))

export function outboundWith(settings: OutboundSettings = {}): Outbound {
  const outbound = createOutbound(settings)
  open.push(() => outbound.close())
  return outbound
}
export const loopbackOpen = (settings: OutboundSettings = {}): Outbound =>
  outboundWith({ allow: ['127.0.0.0/8'], ...settings })
export const refused = expect.objectContaining({ key: 'outbound-refused', kind: 'invalid' })
export const fault = (key: string) => expect.objectContaining({ key })
