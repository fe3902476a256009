import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { zstdDecompressSync } from 'node:zlib'
import { protocolHeader, protocolVersion } from '@gantry/agent-protocol/protocol'
import { createHash } from 'node:crypto'
import { protocol } from '@gantry/contract/agents/protocol'
import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import type { Work } from '@gantry/contract/agents/work'
import type { z } from 'zod'
import type { Data } from '../src/protocol.ts'
import { type FakeBuild, fakeBuild, type Refuse, Refused } from './fake-build.ts'

/** The server's side of the protocol in memory, as strict as the contract; tests can make it fail like a real one. */
export interface FakeServer {
  url: string
  builds: Map<number, FakeBuild>
  give: (work: z.input<typeof Work>) => FakeBuild
  /** Reports a stop to the agent through its open poll. */
  cancel: (jobId: number) => void
  drop: (jobId: number) => void
  /** Called before each request is handled, and again before it is answered; returns the failure. */
  trouble: (request: IncomingMessage, when: 'before' | 'after') => 'cut' | number | undefined
  /** Answers of `artifact`, `report`, `deploy` and `registryToken`; by default they succeed. */
  on: {
    report: (xml: Buffer) => { total: number; failed: number; skipped: number } | Refuse
    deploy: (calls: number) => {
      state: 'running' | 'success' | 'failed'
      log: string[]
      reason: null | { key: string }
    }
    artifact: (content: Buffer) => Refuse | undefined
    serve: (texts: Record<string, string>, masked: readonly string[]) => Omit<Data<'serve'>, 'cancel'>
    log: () => Refuse | undefined
    keepCache: () => Refuse | undefined
    coverage: () => Omit<Data<'coverage'>, 'cancel'>
    scan: (report: Buffer) => Omit<Data<'scan'>, 'cancel'>
    cached: (content: Buffer) => Buffer
    registryToken: () => { token: string; seconds: number }
    codeQuality: () => Pick<Data<'codeQuality'>, 'analysis' | 'reason'>
    codeQualityResult: (task: string) => Omit<Data<'codeQualityResult'>, 'cancel'>
  }
  /** The only agent that may register, its credential, and whether it is asked to clean. */
  registration: { token: string; credential: string; calls: number; clean: boolean }
  claims: z.output<(typeof protocol)['claim']['body']>[]
  /** Entries by their keys, oldest first. */
  caches: Map<string, Buffer>
  requests: number
  /** Closes every connection, and accepts none until `meanwhile` has ended. */
  restart: (meanwhile: () => Promise<void>) => Promise<void>
  close: () => Promise<void>
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
    const { registration } = server
    server.claims.push(asked)
    if (asked.cleaned) registration.clean = false
    const until = Date.now() + asked.wait * 1000
    for (;;) {
      const cancel = asked.holding.map((h) => h.jobId).filter((id) => builds.get(id)?.cancelled === true)
      const drop = asked.holding.filter((h) => dropped.has(h.jobId) || builds.get(h.jobId) === undefined)
      const clean = registration.clean && asked.free > 0 && asked.holding.length === 0
      const work = gone() || clean ? [] : queue.splice(0, asked.free)
      for (const build of work) build.claimedAt = Date.now()
      if (clean || work.length + drop.length + cancel.length > 0 || Date.now() >= until || gone())
        return { work: work.map((build) => build.work), drop: drop.map((h) => h.jobId), cancel, clean }
      await Promise.race([changed, new Promise((done) => setTimeout(done, 200))])
    }
  }

  function register(body: unknown): unknown {
    const { token, credential } = protocol.register.body.parse(body)
    const { registration } = server
    registration.calls++
    if (token !== registration.token) throw new Refused(403, 'agents-token-unknown')
    if (registration.credential !== '' && registration.credential !== credential)
      throw new Refused(409, 'agents-token-used')
    registration.credential = credential
    return { name: 'registered', capacity: 2 }
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
    return { cancel: build.cancelled, next: build.events.length + 1 }
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
    const query = stepProtocol.deploy.query.parse(Object.fromEntries(url.searchParams))
    const build = held(url, query.attempt)
    return { cancel: build.cancelled, ...server.on.deploy(++build.deployCalls) }
  }

  function serve(url: URL, body: unknown): unknown {
    const build = held(url, stepProtocol.serve.query.parse(Object.fromEntries(url.searchParams)).attempt)
    const { texts, masked } = stepProtocol.serve.body.parse(body)
    return { cancel: build.cancelled, ...server.on.serve(texts, masked) }
  }

  function publish(url: URL, raw: Buffer, what: 'coverage' | 'scan'): unknown {
    const { attempt, path } = stepProtocol[what].query.parse(Object.fromEntries(url.searchParams))
    const build = held(url, attempt)
    build.reports.set(path, raw)
    return { cancel: build.cancelled, ...(what === 'coverage' ? server.on.coverage() : server.on.scan(raw)) }
  }

  /** Cache entries by their keys; builds of the fake server read those of all others. */
  function cache(url: URL, body: unknown): unknown {
    const build = held(url, stepProtocol.cache.query.parse(Object.fromEntries(url.searchParams)).attempt)
    const { key, fallbacks } = stepProtocol.cache.body.parse(body)
    const keys = [...server.caches.keys()]
    const found = keys.includes(key)
      ? key
      : fallbacks.flatMap((begin) => keys.findLast((one) => one.startsWith(begin)) ?? [])[0]
    const content = found === undefined ? undefined : server.caches.get(found)
    if (found === undefined || content === undefined) return { cancel: build.cancelled, entry: null }
    const sha256 = createHash('sha256').update(content).digest('hex')
    return { cancel: build.cancelled, entry: { id: keys.indexOf(found) + 1, key: found, size: content.length, sha256 } }
  }

  function keepCache(url: URL, raw: Buffer): unknown {
    const { attempt, key } = stepProtocol.keepCache.query.parse(Object.fromEntries(url.searchParams))
    const build = held(url, attempt)
    const refuse = server.on.keepCache()
    if (refuse !== undefined) throw new Refused(refuse.status, refuse.key)
    server.caches.set(key, raw)
    return { cancel: build.cancelled }
  }

  /** Returns an entry's bytes; tests can damage them. */
  const cached = (url: URL): Buffer =>
    server.on.cached([...server.caches.values()][Number(/cache\/(\d+)/.exec(url.pathname)?.[1]) - 1] ?? Buffer.alloc(0))

  function handOn(url: URL, raw: Buffer): unknown {
    const build = held(url, protocol.handOn.query.parse(Object.fromEntries(url.searchParams)).attempt)
    build.handed = raw
    return { cancel: build.cancelled }
  }

  /** Files that a job has passed on, by the job's id: without a definition, a build's jobs have no number here. */
  function handed(url: URL): Buffer {
    held(url, protocol.handed.query.parse(Object.fromEntries(url.searchParams)).attempt)
    return builds.get(Number(/files\/(\d+)/.exec(url.pathname)?.[1]))?.handed ?? Buffer.alloc(0)
  }

  function registryToken(url: URL): unknown {
    const query = stepProtocol.registryToken.query.parse(Object.fromEntries(url.searchParams))
    const build = held(url, query.attempt)
    return { cancel: build.cancelled, ...server.on.registryToken() }
  }

  function codeQuality(url: URL): unknown {
    const query = stepProtocol.codeQuality.query.parse(Object.fromEntries(url.searchParams))
    return { cancel: held(url, query.attempt).cancelled, ...server.on.codeQuality() }
  }

  function codeQualityResult(url: URL): unknown {
    const { attempt, task } = stepProtocol.codeQualityResult.query.parse(Object.fromEntries(url.searchParams))
    return { cancel: held(url, attempt).cancelled, ...server.on.codeQualityResult(task) }
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
    let file: Buffer | undefined
    let key = ''
    try {
      const known = ['the-token', server.registration.credential].map((token) => `Bearer ${token}`)
      if (url.pathname !== '/api/agent/register' && !known.includes(request.headers.authorization ?? ''))
        throw new Refused(401, 'session-over')
      if (request.headers[protocolHeader] !== protocolVersion) throw new Refused(400, 'agents-protocol')
      const json = (): unknown => JSON.parse(raw.toString('utf8'))
      if (url.pathname === '/api/agent/register') data = register(json())
      else if (url.pathname === '/api/agent/claim') data = await claim(json(), () => request.socket.destroyed)
      else if (url.pathname.endsWith('/events')) data = events(url, json())
      else if (url.pathname.endsWith('/log')) data = log(url, raw, request.headers['content-encoding'])
      else if (url.pathname.endsWith('/artifacts')) data = upload(url, raw, 'artifact')
      else if (url.pathname.endsWith('/reports')) data = upload(url, raw, 'report')
      else if (url.pathname.endsWith('/deploy')) data = deploy(url)
      else if (url.pathname.endsWith('/serve')) data = serve(url, json())
      else if (url.pathname.endsWith('/registry-token')) data = registryToken(url)
      else if (url.pathname.endsWith('/coverage')) data = publish(url, raw, 'coverage')
      else if (url.pathname.endsWith('/scans')) data = publish(url, raw, 'scan')
      else if (url.pathname.endsWith('/cache')) data = cache(url, json())
      else if (/\/cache\/\d+$/.test(url.pathname)) file = cached(url)
      else if (url.pathname.endsWith('/caches')) data = keepCache(url, raw)
      else if (url.pathname.endsWith('/files')) data = handOn(url, raw)
      else if (/\/files\/\d+$/.test(url.pathname)) file = handed(url)
      else if (url.pathname.endsWith('/code-quality')) data = codeQuality(url)
      else if (url.pathname.endsWith('/code-quality/result')) data = codeQualityResult(url)
      else throw new Refused(404, 'path-missing')
    } catch (cause) {
      status = cause instanceof Refused ? cause.refuse.status : 500
      key = cause instanceof Refused ? cause.refuse.key : String(cause)
      data = cause instanceof Refused ? cause.data : null
      if (status === 500) server.defects.push(key)
    }
    const after = server.trouble(request, 'after')
    if (after !== undefined) return fail(after, request, response)
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': 'application/zstd' }).end(file)
      return
    }
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

  let away = false
  const http = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  http.on('connection', (socket) => {
    if (away) socket.destroy()
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const { port } = http.address() as AddressInfo

  const server: FakeServer & { defects: string[] } = {
    url: `http://127.0.0.1:${port}`,
    builds,
    defects: [],
    registration: { token: '', credential: '', calls: 0, clean: false },
    claims: [],
    caches: new Map(),
    requests: 0,
    trouble: () => undefined,
    on: {
      report: () => ({ total: 1, failed: 0, skipped: 0 }),
      deploy: () => ({ state: 'success', log: [], reason: null }),
      artifact: () => undefined,
      serve: () => ({ state: 'success', log: [], reason: null, outputs: {} }),
      log: () => undefined,
      keepCache: () => undefined,
      coverage: () => ({ lines: 10, covered: 8, before: null }),
      scan: () => ({ critical: 0, high: 0, medium: 0, low: 0 }),
      cached: (content) => content,
      registryToken: () => ({ token: 'granted', seconds: 60 }),
      codeQuality: () => ({
        analysis: {
          url: 'http://127.0.0.1:9000',
          token: 'analysis-token',
          tokenProperty: 'sonar.token',
          projectKey: 'key',
        },
        reason: null,
      }),
      codeQualityResult: () => ({ state: 'success', log: [], reason: null }),
    },
    give(given) {
      const build = fakeBuild(given)
      const { work } = build
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
    async restart(meanwhile) {
      // it keeps listening, because another process could take a port that is closed
      away = true
      http.closeAllConnections()
      await meanwhile()
      away = false
    },
    async close() {
      await new Promise<void>((done) => {
        http.close(() => done())
        http.closeAllConnections()
      })
      if (server.defects.length > 0) throw new Error(`the agent broke the protocol: ${server.defects.join('; ')}`)
    },
  }
  return server
}
