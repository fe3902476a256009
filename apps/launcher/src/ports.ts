import { createServer } from 'node:net'
import { randomInt } from 'node:crypto'

/** Why a port cannot be listened on, as the system's error code; undefined where it can. */
export const portProblem = async (host: string, port: number): Promise<string | undefined> =>
  await new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })

/** From here to below the range from which systems lend ports to outgoing connections, so that one that is kept stays free. */
export const chosenPorts = { from: 20_000, to: 30_000 }

/** A free port; `spoken`: what others of ours will listen on, and do not yet. */
export const choosePort = async (host: string, spoken: readonly number[] = []): Promise<number> => {
  for (;;) {
    const port = randomInt(chosenPorts.from, chosenPorts.to)
    if (!spoken.includes(port) && (await portProblem(host, port)) === undefined) return port
  }
}
