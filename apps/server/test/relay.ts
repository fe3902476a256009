import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A port at an address of this machine that others reach, for one that listens on loopback alone. */
export async function relay(host: string) {
  let target: URL | undefined
  const open = new Set<Socket>()
  const server = createServer((near) => {
    if (!target) return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy()).on('close', () => open.delete(one))
      one.pipe(other)
    }
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${host}:${port}`,
    /** Where new connections lead from now on; undefined: nowhere. */
    to: (origin: string | undefined) => {
      target = origin === undefined ? undefined : new URL(origin)
    },
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
