import { connect as connectPlain, type Socket } from 'node:net'

const patienceMs = 2_000

const open = async (url: URL): Promise<Socket> => {
  const address = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) }
  if (url.protocol === 'http:') return connectPlain(address)
  const { connect } = await import('node:tls')
  // the certificate need not be trusted here: this asks one of our own processes, on this machine, for its status
  return connect({ ...address, rejectUnauthorized: false })
}

/** Whether GET `path` answers 200. Written by hand: node:http would cost the launcher a third of its memory. */
export const answers = async (origin: string, path: string): Promise<boolean> => {
  const url = new URL(origin)
  const socket = await open(url)
  return await new Promise((resolve) => {
    const done = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.setTimeout(patienceMs, () => done(false))
    socket.once('error', () => done(false))
    socket.once('close', () => done(false))
    socket.once('data', (chunk: Buffer) => done(chunk.toString('latin1').startsWith('HTTP/1.1 200 ')))
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`)
  })
}
