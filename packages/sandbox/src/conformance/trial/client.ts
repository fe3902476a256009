import { execFileSync } from 'node:child_process'
import http from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import WebSocket from 'ws'

/** A minimal client of the Kubernetes API that shares no code with the product: the suite's independent view. */
export interface Access {
  url: string
  token?: string
  tls?: { ca: Buffer; cert?: Buffer; key?: Buffer }
}

/** An object in an answer; each case knows its shape. */
// eslint-disable-next-line typescript/no-explicit-any -- a test reads any field of any answer
export type Json = any

export interface Answer {
  code: number
  body: Json
  text: string
  headers: http.IncomingHttpHeaders
}

export interface RequestOptions {
  body?: unknown
  /** Content type; JSON if there is a body. */
  type?: string
  headers?: Record<string, string | string[]>
  /** Send no credentials. */
  bare?: boolean
  query?: Record<string, string | number | boolean | string[]>
}

export interface Executed {
  stdout: string
  stderr: string
  /** The Status on the error channel. */
  status: Json
  protocol: string
}

export interface Client {
  call(method: string, path: string, ask?: RequestOptions): Promise<Answer>
  /** The lines of an answer as they arrive, until it ends or the reader stops. */
  lines(path: string, query?: RequestOptions['query']): AsyncGenerator<string>
  exec(
    path: string,
    query: NonNullable<RequestOptions['query']>,
    options?: {
      protocol?: string
      /** A cluster drops pending output when the input ends: `echoed` resolves once the program has output a text. */
      input?: (
        send: (channel: number, text: string) => void,
        echoed: (text: string) => Promise<void>,
      ) => void | Promise<void>
    },
  ): Promise<Executed>
}

const queryText = (query: RequestOptions['query'] = {}): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

export function client({ url, token, tls }: Access): Client {
  const known = tls ? { ca: tls.ca } : {}
  const options = { ...known, ...(tls?.cert ? { cert: tls.cert, key: tls.key } : {}) }
  const auth: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const open = (
    method: string,
    path: string,
    { body, type, headers = {}, bare = false, query }: RequestOptions,
  ): Promise<http.IncomingMessage> =>
    new Promise((resolve, reject) => {
      const content = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
      const request = (tls ? https : http).request(
        `${url}${path}${queryText(query)}`,
        {
          ...(bare ? known : options),
          method,
          headers: {
            accept: 'application/json',
            'user-agent': 'contract/1',
            ...(bare ? {} : auth),
            ...(content === undefined
              ? {}
              : { 'content-type': type ?? 'application/json', 'content-length': Buffer.byteLength(content) }),
            ...headers,
          },
        },
        resolve,
      )
      request.on('error', reject)
      request.end(content)
    })

  return {
    async call(method, path, ask = {}) {
      const response = await open(method, path, ask)
      const chunks: Buffer[] = []
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString('utf8')
      const json = (response.headers['content-type'] ?? '').startsWith('application/json') && text !== ''
      return {
        code: response.statusCode ?? 0,
        body: json ? (JSON.parse(text) as Json) : undefined,
        text,
        headers: response.headers,
      }
    },
    async *lines(path, query) {
      const response = await open('GET', path, query ? { query } : {})
      try {
        let rest = ''
        for await (const chunk of response as AsyncIterable<Buffer>) {
          const parts = (rest + chunk.toString('utf8')).split('\n')
          rest = parts.pop() ?? ''
          yield* parts
        }
        if (rest !== '') yield rest
      } finally {
        response.destroy()
      }
    },
    exec(path, query, { protocol = 'v5.channel.k8s.io', input } = {}) {
      return new Promise((resolve, reject) => {
        const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}${queryText(query)}`, protocol, {
          ...options,
          headers: auth,
        })
        const output = ['', '', '', '']
        let onOutput = (): void => undefined
        const echoed = (text: string) =>
          new Promise<void>((done) => {
            onOutput = () => {
              if (output[1]?.includes(text)) done()
            }
            onOutput()
          })
        socket.on('message', (data: Buffer) => {
          const channel = data[0] ?? 0
          output[channel] = (output[channel] ?? '') + data.subarray(1).toString('utf8')
          onOutput()
        })
        socket.on('open', () => {
          const send = (channel: number, text: string) =>
            socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]))
          void input?.(send, echoed)
        })
        socket.on('unexpected-response', (_, response) => {
          reject(
            Object.assign(new Error(`the upgrade was refused: ${response.statusCode}`), { code: response.statusCode }),
          )
        })
        socket.on('error', reject)
        socket.on('close', () => {
          const [, stdout = '', stderr = '', error = ''] = output
          resolve({
            stdout,
            stderr,
            status: error === '' ? undefined : (JSON.parse(error) as Json),
            protocol: socket.protocol,
          })
        })
      })
    },
  }
}

/** The access of a kubeconfig's current context, read by the cluster's own kubectl. */
export function accessOf(kubeconfig: string, bin: string): Access {
  const args = ['config', 'view', '--raw', '--minify', '-o', 'json', '--kubeconfig', kubeconfig]
  const { clusters, users } = JSON.parse(execFileSync(join(bin, 'kubectl'), args, { encoding: 'utf8' })) as Json
  const [{ cluster }] = clusters
  const [{ user }] = users
  const decoded = (text: string): Buffer => Buffer.from(text, 'base64')
  return {
    url: cluster.server,
    tls: {
      ca: decoded(cluster['certificate-authority-data']),
      cert: decoded(user['client-certificate-data']),
      key: decoded(user['client-key-data']),
    },
  }
}
