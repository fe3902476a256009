import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A port of this machine that forwards to another one: one on loopback only, or behind a bad network. */
export async function relay(host: string) {
  let target: URL | undefined
  const lines = new Set<{ sockets: Socket[]; forgotten: boolean }>()
  const server = createServer((near) => {
    if (!target) return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    const line = { sockets: [near, far], forgotten: false }
    lines.add(line)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('data', (bytes: Buffer) => void (line.forgotten || other.write(bytes)))
      one.on('end', () => void (line.forgotten || other.end()))
      one.on('error', () => void (line.forgotten || other.destroy()))
    }
    near.on('close', () => {
      far.destroy()
      lines.delete(line)
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    /** Sets where new connections lead; undefined means nowhere. */
    to: (origin: string | undefined) => {
      target = origin === undefined ? undefined : new URL(origin)
    },
    /** Like a network that forgets connections: data on open ones is lost, and neither end notices. */
    forget: () => lines.forEach((line) => (line.forgotten = true)),
    close: () => {
      server.close()
      for (const { sockets } of lines) for (const socket of sockets) socket.destroy()
    },
  }
}
