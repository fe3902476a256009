import { createServer } from 'node:net'
import { randomInt } from 'node:crypto'

/** Why the process cannot listen on a port, as the system's error code; undefined if it can. */
export const portProblem = async (host: string, port: number): Promise<string | undefined> =>
  await new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })

/** Below the range from which systems assign ports to outgoing connections, so that a stored port stays free. */
export const chosenPorts = { from: 20_000, to: 30_000 }

/** A free port. `spoken`: ports that other processes of the product will listen on, but do not yet. */
export const choosePort = async (host: string, spoken: readonly number[] = []): Promise<number> => {
  for (;;) {
    const port = randomInt(chosenPorts.from, chosenPorts.to)
    if (!spoken.includes(port) && (await portProblem(host, port)) === undefined) return port
  }
}
