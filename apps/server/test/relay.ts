import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A port at an address of this machine, joined to one that listens elsewhere: on loopback alone, or behind a bad network. */
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
    /** Where new connections lead from now on; undefined: nowhere. */
    to: (origin: string | undefined) => {
      target = origin === undefined ? undefined : new URL(origin)
    },
    /** As a network that forgets connections: what is said on those that are open is lost, and neither end is told. */
    forget: () => lines.forEach((line) => (line.forgotten = true)),
    close: () => {
      server.close()
      for (const { sockets } of lines) for (const socket of sockets) socket.destroy()
    },
  }
}
