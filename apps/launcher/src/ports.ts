import { createServer } from 'node:net'
import { randomInt } from 'node:crypto'

/** Why a port cannot be listened on, as the system's error code; undefined where it can. */
export const portProblem = async (host: string, port: number): Promise<string | undefined> =>
  await new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })

/** Below the range from which systems lend ports to outgoing connections, so that one that is kept stays free. */
export const choosePort = async (host: string): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 30_000)
    if ((await portProblem(host, port)) === undefined) return port
  }
}
