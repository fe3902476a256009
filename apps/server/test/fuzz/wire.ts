import { Agent, request as send } from 'node:http'
import { connect } from 'node:net'

/** A request as sent. Headers are a list, because a name may occur twice. */
export interface Wire {
  method: string
  target: string
  headers: [name: string, value: string][]
  payload?: Buffer | undefined
}

export interface Answer {
  /** 0 if the connection ended without an answer. */
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  ms: number
  hung: boolean
}

/** Maximum of an answer that is read. */
const readBytes = 4 * 1024 * 1024

const nothing = (ms: number, hung: boolean): Answer => ({ status: 0, headers: {}, text: '', ms, hung })

/** Waits `budget` ms for an answer; later ones are aborted and count as hanging. */
export function openWire(origin: string, budget: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const { hostname, port, host } = new URL(origin)
  return {
    origin,
    send: ({ method, target, headers, payload }: Wire): Promise<Answer> =>
      new Promise((resolve) => {
        const began = performance.now()
        const end = (answer: Omit<Answer, 'ms'>) => resolve({ ...answer, ms: performance.now() - began })
        const flat = headers.flat()
        if (!headers.some(([name]) => name.toLowerCase() === 'host')) flat.push('host', host)
        if (payload && !headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name)))
          flat.push('content-length', String(payload.length))
        let request
        try {
          request = send({
            hostname,
            port,
            method,
            path: target,
            headers: flat,
            agent,
            signal: AbortSignal.timeout(budget),
          })
        } catch {
          // Node's client refuses to send it, so there is no request
          return end(nothing(0, false))
        }
        request.on('response', (response) => {
          const chunks: Buffer[] = []
          let size = 0
          const whole = (hung: boolean) =>
            end({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString('utf8'),
              hung,
            })
          response.on('data', (chunk: Buffer) => {
            size += chunk.length
            if (size <= readBytes) chunks.push(chunk)
            else response.destroy()
          })
          response.on('close', () => whole(!response.complete && performance.now() - began >= budget))
          response.on('error', () => undefined)
        })
        request.on('error', () => end(nothing(0, performance.now() - began >= budget)))
        request.end(payload)
      }),
    /** Sends raw bytes that no client would send; returns the answer within a second. */
    raw: (bytes: string | Buffer): Promise<Answer> =>
      new Promise((resolve) => {
        const began = performance.now()
        const socket = connect({ host: hostname, port: Number(port) })
        const chunks: Buffer[] = []
        socket.setTimeout(1_000, () => socket.destroy())
        socket.on('data', (chunk: Buffer) => chunks.push(chunk))
        socket.on('error', () => undefined)
        socket.on('close', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
          const headers = Object.fromEntries(
            (text.split('\r\n\r\n')[0] ?? '')
              .split('\r\n')
              .slice(1)
              .map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
          )
          const body = text.slice(text.indexOf('\r\n\r\n') + 4)
          resolve({ status, headers, text: body, ms: performance.now() - began, hung: false })
        })
        socket.end(bytes)
      }),
    close: () => agent.destroy(),
  }
}

export type WireClient = ReturnType<typeof openWire>

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const shown = 2_000

/** The request as a curl command; the name of the role replaces its token. */
export function curlOf(origin: string, { method, target, headers, payload }: Wire, role: string): string {
  const lines = headers.map(([name, value]) =>
    quoted(`${name}: ${name.toLowerCase() === 'authorization' ? `Bearer $${role.toUpperCase()}` : value}`),
  )
  const body = payload?.toString('utf8') ?? ''
  const data = payload ? [`--data-binary ${quoted(body.slice(0, shown))}${body.length > shown ? ' …' : ''}`] : []
  return ['curl', '-X', method, quoted(origin + target), ...lines.map((line) => `-H ${line}`), ...data].join(' ')
}
