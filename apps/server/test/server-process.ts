import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

const main = join(import.meta.dirname, '../src/main.ts')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

export interface ServerProcess {
  port: number
  origin: string
  child: ChildProcess
  out: string[]
  err: string[]
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>
  end: (signal: NodeJS.Signals) => void
}

/** Starts the server as a process, on a free port of this machine. */
export async function startServer(databaseUrl: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, GANTRY_PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()))
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null)
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    child,
    out,
    err,
    ended,
    end: (signal) => void child.kill(signal),
  }
}
