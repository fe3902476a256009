import { createServer as createHttp } from 'node:http'
import { createServer as createTcp, type AddressInfo, type Server } from 'node:net'
import { fakeOidc } from '../fake-oidc.ts'
import { fakeOpenStack } from '../fake-openstack.ts'

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return (server.address() as AddressInfo).port
}

/** A registry that lets everybody in and has one image. */
const registry = () =>
  createHttp((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x')
    const found =
      pathname === '/v2/_catalog'
        ? { repositories: ['demo/hello'] }
        : pathname === '/v2/demo/hello/tags/list'
          ? { name: 'demo/hello', tags: ['1', '2'] }
          : pathname === '/v2/'
            ? {}
            : undefined
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}))
  })

/** A mail server that takes everything and keeps nothing. */
const mailServer = () =>
  createTcp((socket) => {
    let data = false
    socket.on('error', () => undefined)
    socket.write('220 fuzz\r\n')
    let rest = ''
    socket.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (data) {
          if (line !== '.') continue
          data = false
          socket.write('250 taken\r\n')
        } else if (/^DATA/i.test(line)) {
          data = true
          socket.write('354 go on\r\n')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else if (/^EHLO/i.test(line)) socket.write('250-fuzz\r\n250 AUTH PLAIN\r\n')
        else socket.write(/^AUTH/i.test(line) ? '235 in\r\n' : '250 fine\r\n')
      }
    })
  })

/** The systems around the product, as small as they can be: none of them is more than this machine. */
export async function openOutside() {
  const oidc = await fakeOidc()
  const openstack = await fakeOpenStack()
  const [images, mails] = [registry(), mailServer()]
  const [registryPort, mailPort] = [await listen(images), await listen(mails)]
  return {
    oidc,
    openstack,
    registryUrl: `http://127.0.0.1:${registryPort}`,
    mailPort,
    close: async () => {
      images.closeAllConnections()
      images.close()
      mails.close()
      await oidc.stop()
      await openstack[Symbol.asyncDispose]()
    },
  }
}

export type Outside = Awaited<ReturnType<typeof openOutside>>
