import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { zstdDecompressSync } from 'node:zlib'
import { protocolHeader, protocolVersion } from '@gantry/agent-protocol/protocol'
import { type AgentEvent, protocol, Work } from '@gantry/contract/agents/protocol'
import type { z } from 'zod'

/** The server's half of the protocol in memory, as strict as the contract, with the failures of a real one at will. */
export interface FakeServer {
  url: string
  builds: Map<number, FakeBuild>
  give: (work: z.input<typeof Work>) => FakeBuild
  /** Tells the agent by its open poll. */
  cancel: (jobId: number) => void
  drop: (jobId: number) => void
  /** Asked before each request is handled, and again before it is answered. */
  trouble: (request: IncomingMessage, when: 'before' | 'after') => 'cut' | number | undefined
  /** Answers `artifact`, `report`, `deploy`, `registryToken`; by default they succeed. */
  on: {
    report: (xml: Buffer) => { total: number; failed: number; skipped: number } | Refuse
    deploy: (calls: number) => {
      state: 'running' | 'success' | 'failed'
      log: string[]
      reason: null | { key: string }
    }
    artifact: (content: Buffer) => Refuse | undefined
    log: () => Refuse | undefined
    registryToken: () => { token: string; seconds: number }
  }
  claims: z.output<(typeof protocol)['claim']['body']>[]
  requests: number
  /** Closes every connection and listens again on the same port after a while. */
  restart: (awayMs: number) => Promise<void>
  close: () => Promise<void>
}

export interface Refuse {
  status: number
  key: string
}

export interface FakeBuild {
  work: z.output<typeof Work>
  events: AgentEvent[]
  logs: Map<number, Buffer[]>
  log: (step: number) => string
  artifacts: Map<string, Buffer>
  reports: Map<string, Buffer>
  deployCalls: number
  cancelled: boolean
  /** Attempts below this one are refused. */
  attempt: number
  claimedAt: number
  ended: Promise<Extract<AgentEvent, { type: 'end' }>>
  end: (event: Extract<AgentEvent, { type: 'end' }>) => void
  firstLogAt: number | undefined
}

class Refused extends Error {
  readonly refuse: Refuse
  readonly data: unknown
  constructor(status: number, key: string, data: unknown = null) {
    super(key)
    this.refuse = { status, key }
    this.data = data
  }
}

export async function fakeServer(): Promise<FakeServer> {
  const queue: FakeBuild[] = []
  const builds = new Map<number, FakeBuild>()
  const dropped = new Set<number>()
  let wake = (): void => {}
  let changed = new Promise<void>((done) => (wake = done))
  const change = (): void => {
    const before = wake
    changed = new Promise((done) => (wake = done))
    before()
  }

  function held(url: URL, attempt: number): FakeBuild {
    const build = builds.get(Number(/jobs\/(\d+)/.exec(url.pathname)?.[1]))
    if (build === undefined) throw new Refused(404, 'resource-missing')
    if (attempt !== build.attempt) throw new Refused(409, 'agents-attempt-over')
    return build
  }

  async function claim(body: unknown, gone: () => boolean): Promise<unknown> {
    const asked = protocol.claim.body.parse(body)
    server.claims.push(asked)
    const until = Date.now() + asked.wait * 1000
    for (;;) {
      const cancel = asked.holding.map((h) => h.jobId).filter((id) => builds.get(id)?.cancelled === true)
      const drop = asked.holding.filter((h) => dropped.has(h.jobId) || builds.get(h.jobId) === undefined)
      const work = gone() ? [] : queue.splice(0, asked.free)
      for (const build of work) build.claimedAt = Date.now()
      if (work.length + drop.length + cancel.length > 0 || Date.now() >= until || gone())
        return { work: work.map((build) => build.work), drop: drop.map((h) => h.jobId), cancel }
      await Promise.race([changed, new Promise((done) => setTimeout(done, 200))])
    }
  }

  function events(url: URL, body: unknown): unknown {
    const given = protocol.events.body.parse(body)
    const build = held(url, given.attempt)
    if (given.first > build.events.length + 1) throw new Refused(409, 'agents-events-gap')
    for (const event of given.events.slice(build.events.length + 1 - given.first)) {
      build.events.push(event)
      if (event.type !== 'end') continue
      for (const { step, bytes } of event.logs) {
        const have = size(build, step)
        if (have !== bytes) throw new Error(`log of step ${step}: ended at ${bytes} with ${have} here`)
      }
      build.end(event)
    }
    return { cancel: build.cancelled }
  }

  const size = (build: FakeBuild, step: number): number =>
    (build.logs.get(step) ?? []).reduce((sum, part) => sum + part.length, 0)

  function log(url: URL, raw: Buffer, encoding: string | undefined): unknown {
    const query = protocol.log.query.parse(Object.fromEntries(url.searchParams))
    const build = held(url, query.attempt)
    const refuse = server.on.log()
    if (refuse !== undefined) throw new Refused(refuse.status, refuse.key)
    const step = stepOf(url)
    const bytes = encoding === 'zstd' ? zstdDecompressSync(raw) : raw
    if (bytes.length > 4 * 1024 * 1024) throw new Refused(413, 'body-too-large')
    const have = size(build, step)
    if (query.offset > have) throw new Refused(409, 'agents-log-gap', { next: have })
    const parts = build.logs.get(step) ?? []
    build.logs.set(step, parts)
    const fresh = bytes.subarray(have - query.offset)
    if (fresh.length > 0) {
      parts.push(Buffer.from(fresh))
      build.firstLogAt ??= Date.now()
    }
    return { cancel: build.cancelled, next: size(build, step) }
  }

  const stepOf = (url: URL): number => Number(/steps\/(\d+)/.exec(url.pathname)?.[1])

  function upload(url: URL, raw: Buffer, what: 'artifact' | 'report'): unknown {
    const query = protocol[what].query.parse(Object.fromEntries(url.searchParams))
    const build = held(url, query.attempt)
    if (what === 'report') {
      build.reports.set(query.path, raw)
      const answer = server.on.report(raw)
      if ('status' in answer) throw new Refused(answer.status, answer.key)
      return { cancel: build.cancelled, ...answer }
    }
    const refuse = server.on.artifact(raw)
    if (refuse !== undefined) throw new Refused(refuse.status, refuse.key)
    build.artifacts.set(query.path, raw)
    return { cancel: build.cancelled, sha256: 'x', size: raw.length }
  }

  function deploy(url: URL): unknown {
    const query = protocol.deploy.query.parse(Object.fromEntries(url.searchParams))
    const build = held(url, query.attempt)
    return { cancel: build.cancelled, ...server.on.deploy(++build.deployCalls) }
  }

  function registryToken(url: URL): unknown {
    const query = protocol.registryToken.query.parse(Object.fromEntries(url.searchParams))
    const build = held(url, query.attempt)
    return { cancel: build.cancelled, ...server.on.registryToken() }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    server.requests++
    const url = new URL(request.url ?? '', 'http://server')
    const trouble = server.trouble(request, 'before')
    if (trouble !== undefined) return fail(trouble, request, response)
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    const raw = Buffer.concat(parts)
    let status = 200
    let data: unknown
    let key = ''
    try {
      if (request.headers.authorization !== 'Bearer the-token') throw new Refused(401, 'session-over')
      if (request.headers[protocolHeader] !== protocolVersion) throw new Refused(400, 'agents-protocol')
      const json = (): unknown => JSON.parse(raw.toString('utf8'))
      if (url.pathname === '/api/agent/claim') data = await claim(json(), () => request.socket.destroyed)
      else if (url.pathname.endsWith('/events')) data = events(url, json())
      else if (url.pathname.endsWith('/log')) data = log(url, raw, request.headers['content-encoding'])
      else if (url.pathname.endsWith('/artifacts')) data = upload(url, raw, 'artifact')
      else if (url.pathname.endsWith('/reports')) data = upload(url, raw, 'report')
      else if (url.pathname.endsWith('/deploy')) data = deploy(url)
      else if (url.pathname.endsWith('/registry-token')) data = registryToken(url)
      else throw new Refused(404, 'path-missing')
    } catch (cause) {
      status = cause instanceof Refused ? cause.refuse.status : 500
      key = cause instanceof Refused ? cause.refuse.key : String(cause)
      data = cause instanceof Refused ? cause.data : null
      if (status === 500) server.defects.push(key)
    }
    const after = server.trouble(request, 'after')
    if (after !== undefined) return fail(after, request, response)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ status: status === 200 ? 1 : 0, data, code: status, message: key, errorMsg: key }))
  }

  function fail(trouble: 'cut' | number, request: IncomingMessage, response: ServerResponse): void {
    if (trouble === 'cut') {
      request.socket.destroy()
      return
    }
    response.writeHead(trouble, { 'content-type': 'application/json' })
    response.end('{"status":0,"data":null,"message":"server-error","errorMsg":"on purpose"}')
  }

  const listen = (port: number): Promise<ReturnType<typeof createServer>> =>
    new Promise((done) => {
      const http = createServer((request, response) => {
        answer(request, response).catch(() => response.destroy())
      })
      http.listen(port, '127.0.0.1', () => done(http))
    })
  const stopListening = (): Promise<void> =>
    new Promise((done) => {
      http.close(() => done())
      http.closeAllConnections()
    })

  let http = await listen(0)
  const { port } = http.address() as AddressInfo

  const server: FakeServer & { defects: string[] } = {
    url: `http://127.0.0.1:${port}`,
    builds,
    defects: [],
    claims: [],
    requests: 0,
    trouble: () => undefined,
    on: {
      report: () => ({ total: 1, failed: 0, skipped: 0 }),
      deploy: () => ({ state: 'success', log: [], reason: null }),
      artifact: () => undefined,
      log: () => undefined,
      registryToken: () => ({ token: 'granted', seconds: 60 }),
    },
    give(given) {
      const work = Work.parse(given)
      let end: FakeBuild['end'] = () => {}
      const ended = new Promise<Extract<AgentEvent, { type: 'end' }>>((done) => (end = done))
      const build: FakeBuild = {
        work,
        events: [],
        logs: new Map(),
        log: (step) => Buffer.concat(build.logs.get(step) ?? []).toString('utf8'),
        artifacts: new Map(),
        reports: new Map(),
        deployCalls: 0,
        cancelled: false,
        attempt: work.attempt,
        claimedAt: 0,
        ended,
        end,
        firstLogAt: undefined,
      }
      builds.set(work.jobId, build)
      queue.push(build)
      change()
      return build
    },
    cancel(jobId) {
      const build = builds.get(jobId)
      if (build !== undefined) build.cancelled = true
      change()
    },
    drop(jobId) {
      dropped.add(jobId)
      change()
    },
    async restart(awayMs) {
      await stopListening()
      await new Promise((done) => setTimeout(done, awayMs))
      http = await listen(port)
    },
    async close() {
      await stopListening()
      if (server.defects.length > 0) throw new Error(`the agent broke the protocol: ${server.defects.join('; ')}`)
    },
  }
  return server
}
