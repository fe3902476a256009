import { randomUUID } from 'node:crypto'
import { createServer, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { reply } from './kube-api.ts'

/**
 * A gateway to one API server, with a path for each of many clusters, as some products have. Its clusters are the same
 * server but for their identity: for tests that need several environments, but one store of objects.
 */
export async function gatewayTo(server: string) {
  const to = new URL(server)
  const uids = new Map<string, string>()
  const logs = new Set<ServerResponse>()
  const hooks: {
    refuses?: ((method: string, path: string) => boolean | number) | undefined
    passes?: ((method: string, path: string, when: 'before' | 'after') => boolean) | undefined
  } = {}
  const below = /^\/clusters\/([^/]+)(\/.*)$/
  const gateway = createServer((asked, response) => {
    const [, name = '', path = ''] = below.exec(asked.url ?? '') ?? []
    if (path === '/api/v1/namespaces/kube-system')
      return reply(response, { metadata: { name: 'kube-system', uid: uids.get(name) } })
    const { method = '', headers } = asked
    const refused = hooks.refuses?.(method, path) ?? false
    if (refused !== false) return response.writeHead(refused === true ? 503 : refused).end()
    if (hooks.passes?.(method, path, 'before') === false) return undefined
    const onward = request({ host: to.hostname, port: to.port, method, path, headers }, (answer) => {
      if (hooks.passes?.(method, path, 'after') === false) return void answer.resume()
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      response.flushHeaders()
      answer.pipe(response)
      return undefined
    })
    onward.on('error', () => response.destroy())
    if (/\/log\?.*follow=true/.test(path)) logs.add(response)
    response.on('close', () => {
      logs.delete(response)
      onward.destroy()
    })
    asked.pipe(onward)
    return undefined
  })
  gateway.on('upgrade', (asked, socket, head) => {
    const [, , path = ''] = below.exec(asked.url ?? '') ?? []
    const onward = connect(Number(to.port), to.hostname, () => {
      const headers = Object.entries(asked.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
      onward.write(`GET ${path} HTTP/1.1\r\n${headers.join('')}\r\n`)
      onward.write(head)
      socket.pipe(onward).pipe(socket)
    })
    for (const end of [socket, onward]) end.on('error', () => (socket.destroy(), onward.destroy()))
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const { port } = gateway.address() as AddressInfo
  return {
    /**
     * `refuses`: requests that are answered as by a cluster that is down, or with a status. `passes`: whether a
     * request reaches the server, and then whether its answer returns.
     */
    hooks,
    /** URL of another cluster. */
    cluster: (uid: string = randomUUID()): string => {
      const name = `c-${uids.size + 1}`
      uids.set(name, uid)
      return `http://127.0.0.1:${port}/clusters/${name}`
    },
    /** Ends all followed logs like a restarting host, or breaks their connections. Returns how many. */
    endLogs: (how: 'end' | 'destroy'): number => {
      const open = [...logs]
      for (const response of open) response[how]()
      return open.length
    },
    close: () =>
      new Promise<void>((resolve) => {
        gateway.close(() => resolve())
        gateway.closeAllConnections()
      }),
  }
}
