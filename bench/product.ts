import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { CallInput, Endpoint } from '@gantry/contract/endpoint'
import type { Envelope } from '@gantry/contract/envelope'
import { session } from '@gantry/contract/auth/session'
import { users } from '@gantry/contract/users/users'
import type { z } from 'zod'

const root = resolve(import.meta.dirname, '..')
const password = 'Bench-password-7'

export type Call = <E extends Endpoint>(e: E, input?: CallInput<E>) => Promise<z.output<E['data']>>

export interface Product {
  url: string
  pid: number
  /** The path of the data folder. */
  data: string
  token: string
  call: Call
  stop: () => Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })

async function ready(url: string, isGone: () => boolean): Promise<void> {
  for (;;) {
    if (isGone()) throw new Error('the product ended before it was ready')
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((later) => setTimeout(later, 20))
  }
}

/** The typed calls of one caller over HTTP. */
function client(url: string, token: () => string): Call {
  return async (endpoint, { params, query, body } = {}) => {
    const given: Record<string, unknown> = Object.assign({}, params)
    const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given[name])))
    const search = new URLSearchParams(Object.entries(Object.assign({}, query)).map(([k, v]) => [k, String(v)]))
    const response = await fetch(`${url}${path}${search.size > 0 ? `?${search}` : ''}`, {
      method: endpoint.method,
      headers: {
        ...(token() === '' ? {} : { authorization: `Bearer ${token()}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const reply = (await response.json()) as Envelope<z.output<typeof endpoint.data>>
    if (reply.status === 0)
      throw new Error(`${endpoint.method} ${path}: ${reply.code} ${reply.message} ${reply.errorMsg}`)
    return reply.data
  }
}

/** The whole product as `npm start` runs it, in a data folder of its own, with an administrator who is signed in. */
export async function startProduct(more: Record<string, string> = {}): Promise<Product> {
  const data = mkdtempSync(join(tmpdir(), 'gantry-bench-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['start.mjs'], {
    cwd: root,
    env: { ...process.env, GANTRY_DATA: data, GANTRY_PORT: String(port), GANTRY_RATE_LIMIT: 'off', ...more },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = new Promise<void>((ended) => child.once('exit', () => ended()))
  await ready(url, () => child.exitCode !== null)
  let token = ''
  const call = client(url, () => token)
  const first = readFileSync(join(data, 'admin-password'), 'utf8').trim()
  const me = await call(session.login, { body: { username: 'admin', password: first } })
  token = me.token
  await call(users.update, { params: { id: me.id }, body: { oldPassword: first, password, rePassword: password } })
  token = ''
  token = (await call(session.login, { body: { username: 'admin', password } })).token
  return {
    url,
    data,
    token,
    call,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM')
      await gone
      rmSync(data, { recursive: true, force: true })
    },
  }
}
