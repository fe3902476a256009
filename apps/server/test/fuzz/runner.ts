import { setTimeout as sleep } from 'node:timers/promises'
import { callOf, type CallInput, type Endpoint } from '@gantry/contract/endpoint'
import type { Topic } from '@gantry/contract/topic'
import type { z } from 'zod'
import { isBlocking, type Blocked } from './blocked.ts'
import { type Call, type Drawer, type Given, onlyOnce, openDrawer, takesAway, wireOf } from './calls.ts'
import { schemaOf } from '../../src/http/openapi/openapi.ts'
import { growths } from './multiplied.ts'
import { brokenBytes, mutated, mutatedWire } from './mutations.ts'
import { type Finding, isBusy, type Marks, openOracle, type Reported } from './oracle.ts'
import { kindOf } from '../parameters.ts'
import { kindsOf, lieInCluster, makes, openPool, type Side, type Thing, thingsIn } from './pool.ts'
import { openRandom, type Random } from './random.ts'
import { able, type Role, type RoleName, type Roles } from './roles.ts'
import { type Answer, curlOf, openWire, type Wire } from './wire.ts'

export interface Target {
  origin: string
  endpoints: readonly Endpoint[]
  topics: readonly Topic[]
  /** Seconds in which the event loop was blocked, from the server's log; removed once they are investigated. */
  blocked: Blocked[]
  /** Other findings in the log: secrets, and errors outside of answers. */
  told: Finding[]
  /** Why the process ended, once it has. */
  gone: () => string | undefined
  permissions: string[]
}

interface Options {
  target: Target
  roles: Roles
  marks: Marks
  seed: number
  /** Time limit after which an answer counts as hanging. */
  budgetMs?: number
}

/** What may be sent with a call. */
export type More = Partial<Pick<Given, 'upload' | 'headers'>>

const maxFindings = 25
/** Pause before a busy machine is called again. */
const pauseMs = 2_000

/** A random run through the contract: it sends calls, remembers what answers show, and judges every answer. */
export function openRun({ target, roles, marks, seed, budgetMs = 60_000 }: Options) {
  const { endpoints, origin } = target
  let current = openRandom(seed)
  const random: Random = {
    int: (below) => current.int(below),
    chance: (p) => current.chance(p),
    pick: (from) => current.pick(from),
    fork: (label) => current.fork(label),
  }
  const wireClient = openWire(origin, budgetMs)
  const oracle = openOracle(marks)
  const pool = openPool()
  let made = 0
  const brand: Record<Side, string> = { ours: marks.ours, theirs: marks.theirs, nobodys: 'zz' }
  const fresh = (side: Side) => `${brand[side]}${(made++).toString(36)}`
  /** Long, with all kinds of characters, and unique. */
  const secret = () => `${marks.secret}-${(made++).toString(36)}`
  const drawer: Drawer = openDrawer({ random, pool, permissions: target.permissions, brand, fresh, secret })
  const reached = new Set<Endpoint>()
  /** The last refusal of each call. */
  const refused = new Map<Endpoint, string>()
  const findings = new Map<string, Reported>()
  const recent: { call: string; wire: Wire; role: Role }[] = []
  let sent = 0
  const statuses = new Map<number, number>()

  function report(finding: Finding, wire: Wire, role: Role, answer: Answer, at: number, alone = false): void {
    const call = recent.findLast((one) => one.wire === wire)?.call ?? wire.target
    const key = `${finding.rule} ${call} ${finding.what.replaceAll(/[\da-f-]{8,}|\d+/g, '#').slice(0, 60)}`
    if (findings.has(key) || findings.size >= maxFindings) return
    const shown = `${answer.status} ${answer.text.slice(0, 1_000)}`
    findings.set(key, { ...finding, at, request: curlOf(origin, wire, role.name), answer: shown, alone })
  }

  /** Sends a request and judges the answer; a finding is repeated alone. */
  async function send(wire: Wire, role: Role, endpoint?: Endpoint, bent = false): Promise<Answer> {
    const at = ++sent
    recent.push({ call: endpoint ? callOf(endpoint) : `${wire.method} ${wire.target}`, wire, role })
    if (recent.length > 200) recent.shift()
    const answer = await wireClient.send(wire)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    const found = oracle.judge(wire, role, answer, endpoint, bent)
    // a random call of an administrator may have added it to the other team
    const innocent = found.some(({ rule }) => rule === 'foreign') && (await role.demote?.())
    for (const finding of found) {
      if (innocent && finding.rule === 'foreign') continue
      let alone = true
      for (let round = 0; alone && round < (finding.shaky ? 3 : 1); round++) {
        if (finding.shaky) await sleep(pauseMs)
        const again = oracle.judge(wire, role, await wireClient.send(wire), endpoint, bent)
        alone = again.some(({ rule }) => rule === finding.rule)
      }
      if (alone || !finding.shaky) report(finding, wire, role, answer, at, alone)
    }
    return answer
  }

  const dataOf = ({ status, text }: Answer): unknown => {
    if (status !== 200) return undefined
    try {
      return (JSON.parse(text) as { data?: unknown }).data
    } catch {
      return undefined
    }
  }

  /** After a successful call: adds what it created to the pool, and removes what it deleted. */
  function learn(call: Call, answer: Answer): void {
    const { endpoint, within } = call
    if (answer.status === 404 && (call.role.sees === 'all' || call.role.sees === within.side)) pool.drop(within)
    if (answer.status < 200 || answer.status >= 400)
      return void refused.set(endpoint, `${call.role.name}: ${answer.text.slice(0, 300)}`)
    reached.add(endpoint)
    for (const thing of thingsIn(endpoint, within, dataOf(answer), call.body)) pool.add(thing)
    const [, name = ''] = /:(\w+)$/.exec(endpoint.path) ?? []
    const kind = endpoint.method === 'DELETE' ? kindOf(endpoint.path, name) : undefined
    const value = kind && within.values[kind]
    if (kind && value !== undefined) pool.forget(kind, value)
  }

  /** Repeats a call while the server is busy, because that says nothing about the call. */
  async function patiently(call: Call, wire = wireOf(call)): Promise<Answer> {
    let answer = await send(wire, call.role, call.endpoint)
    for (let round = 0; round < 5 && answer.status === 503 && isBusy(answer); round++) {
      await sleep(pauseMs)
      answer = await send(wire, call.role, call.endpoint)
    }
    return answer
  }

  async function attempt(call: Call): Promise<Answer> {
    const wire = wireOf(call)
    const answer = await patiently(call, wire)
    learn(call, answer)
    if (answer.status >= 200 && answer.status < 300) drawer.keep(call.endpoint, call)
    const { role, within } = call
    if (
      call.foreign &&
      answer.status === 200 &&
      !(await role.demote?.()) &&
      !(lieInCluster(kindsOf(call.endpoint)) && (await role.uses?.(within.values.env)))
    )
      report(
        { rule: 'let-in', what: `${call.role.name} reached what is ${call.within.side}` },
        wire,
        call.role,
        answer,
        sent,
      )
    await heal(call.role, answer)
    return answer
  }

  /** Calls end sessions and ban accounts, so the role logs in again for the next call if needed. */
  async function heal(role: Role, { status, text }: Answer): Promise<void> {
    if (status === 401 || /"(view-as-read-only|initial-password-first)"/.test(text)) await role.renew?.()
  }

  /** Makes the given call; it becomes an example only if it is kept. */
  async function ask<E extends Endpoint>(
    role: Role,
    endpoint: E,
    { params, query, body, upload, headers = [] }: CallInput<E> & More = {},
    within: Thing = { side: role.sees === 'all' ? 'nobodys' : role.sees, values: {} },
    keep = false,
  ): Promise<Answer> {
    const call: Call = {
      endpoint,
      role,
      within,
      params: params ?? {},
      query: query ?? {},
      ...(body === undefined ? {} : { body }),
      upload,
      headers,
    }
    const answer = await patiently(call)
    learn(call, answer)
    if (keep && answer.status < 400) drawer.keep(endpoint, call)
    return answer
  }

  /** Makes a call that must succeed and becomes an example: the state of a run is built by these. */
  async function make<E extends Endpoint>(
    role: Role,
    endpoint: E,
    input: CallInput<E> & More = {},
    within?: Thing,
  ): Promise<z.output<E['data']>> {
    const answer = await ask(role, endpoint, input, within, true)
    if (answer.status !== 200)
      throw new Error(`${callOf(endpoint)} as ${role.name}: ${answer.status} ${answer.text.slice(0, 500)}`)
    return (endpoint.stream === undefined ? dataOf(answer) : answer.text) as z.output<E['data']>
  }

  const someRole = (e: Endpoint): Role => roles[random.pick(able(e))]
  const anyRole = (): Role => roles[random.pick(Object.keys(roles) as RoleName[])]

  const ways: [weight: number, way: (e: Endpoint) => Promise<unknown>][] = [
    // as intended
    [40, async (e) => tryOnce(drawer.valid(e, someRole(e)))],
    // by any role
    [14, async (e) => tryOnce(as(drawer.valid(e, someRole(e)), anyRole()))],
    // about another side's things
    [14, async (e) => tryOnce(foreign(e))],
    [22, async (e) => bend(drawer.valid(e, someRole(e)))],
    [12, async (e) => bendWire(drawer.valid(e, random.chance(0.8) ? someRole(e) : anyRole()))],
    [3, async (e) => breakBytes(drawer.valid(e, someRole(e)))],
    // concurrent with others
    [5, async (e) => together(drawer.valid(e, someRole(e)))],
  ]
  const weights = ways.flatMap(([weight, way]) => Array.from({ length: weight }, () => way))

  const tryOnce = async (call: Call | undefined) => call && attempt(call)
  const as = (call: Call | undefined, role: Role): Call | undefined =>
    // an administrator could delete what the run depends on, so it does not draw such calls; other roles are refused
    call && { ...call, role: role.name === 'admin' && takesAway(call.endpoint) ? call.role : role }

  function foreign(e: Endpoint): Call | undefined {
    const role = roles[random.pick(['leader', 'member', 'token', 'idle'] as const)]
    const call = drawer.valid(e, role, ['theirs'])
    const owned = typeof e.access === 'object' && !('system' in e.access)
    const whole =
      call !== undefined &&
      owned &&
      call.within.side === 'theirs' &&
      kindsOf(e).every((kind) => call.within.values[kind] !== undefined)
    return call && { ...call, foreign: whole }
  }

  /** A mutation may remove the mark that a value is secret, so its secrets are replaced. */
  const opened = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value ?? null), (_, one: unknown) =>
      typeof one === 'object' && one !== null && 'secret' in one && 'value' in one ? { ...one, value: 'open' } : one,
    )
  const open = (call: Call): Call => (call.body === undefined ? call : { ...call, body: opened(call.body) })

  async function bend(given: Call | undefined): Promise<unknown> {
    if (!given) return undefined
    const call = open(given)
    const place = random.pick([
      ...(call.body === undefined ? [] : (['body', 'body', 'body'] as const)),
      ...(Object.keys(call.params).length === 0 ? [] : (['params'] as const)),
      'query' as const,
    ])
    const value =
      place === 'query' && Object.keys(call.query).length === 0
        ? { [random.pick(['requestPage', 'pageSize', 'keyword', 'sort', 'x'])]: mutated('1', random) }
        : mutated(call[place], random)
    const named = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
    // all parameters of the path are present, with any value
    const bent: Call = {
      ...call,
      [place]: place === 'body' ? value : place === 'query' ? named : { ...call.params, ...named },
    }
    return sendBent(bent)
  }

  async function sendBent(bent: Call): Promise<unknown> {
    const answer = await send(wireOf(bent), bent.role, bent.endpoint, true)
    learn({ ...bent, within: { side: bent.within.side, values: {} } }, answer)
    return heal(bent.role, answer)
  }

  /** The body with one of its parts grown, with few repeating names or many different ones. */
  async function swell(given: Call | undefined): Promise<unknown> {
    const grown = given && growths(schemaOf(given.endpoint.body, 'input'))
    if (!given || !grown || grown.length === 0) return undefined
    const { place, grow } = random.pick(grown)
    const different = random.pick([1, 10, 100, Infinity])
    let named = 0
    const source = {
      random,
      known: () => undefined,
      fresh: () => `${brand[given.within.side]}${named++ % different}`,
      secret,
      optional: 0,
    }
    const body = grow(source, random.pick([4_000, 60_000, 900_000]))
    const [field = ''] = place.split('.')
    const around = field === '' || field === '*' ? undefined : given.body
    return sendBent(
      open({ ...given, body: around ? { ...around, [field]: (body as Record<string, unknown>)[field] } : body }),
    )
  }

  async function bendWire(call: Call | undefined): Promise<unknown> {
    if (!call) return undefined
    const wire = mutatedWire(wireOf(open(call)), random)
    const own = wire.headers.find(([name]) => name === 'authorization')?.[1]
    const role =
      own === undefined || call.role.token === undefined || !own.includes(call.role.token)
        ? { ...roles.visitor, sees: call.role.sees }
        : call.role
    return send(wire, role, call.endpoint, true)
  }

  async function breakBytes(call: Call | undefined): Promise<unknown> {
    if (!call) return undefined
    const bytes = brokenBytes(wireOf(open(call)), new URL(origin).host, random)
    const answer = await wireClient.raw(bytes)
    sent += 1
    const said = bytes.toString('utf8')
    for (const finding of oracle.told(call.role, answer.text, said, said.split(' ', 2)[1]))
      report(finding, { ...wireOf(call), payload: bytes }, call.role, answer, sent)
    return answer
  }

  /** Creates a new thing that this call may delete. */
  async function spare(e: Endpoint, role: Role): Promise<Thing | undefined> {
    const kinds = kindsOf(e)
    const maker = endpoints.find((one) => makes(one, kinds.at(-1)))
    const maybe = maker && able(maker).includes(role.name) ? role : maker && someRole(maker)
    if (!maker || !maybe) return undefined
    await tryOnce(drawer.valid(maker, maybe, undefined, { plain: true }))
    return pool.newest(kinds, role.sees === 'all' ? ['ours', 'theirs', 'nobodys'] : [role.sees, 'nobodys'])
  }

  async function together(call: Call | undefined): Promise<unknown> {
    if (!call) return undefined
    const about = Object.keys(call.within.values)
    const near = endpoints.filter((e) => {
      const kinds = kindsOf(e)
      return e !== call.endpoint && kinds.length > 0 && kinds.every((kind) => about.includes(kind))
    })
    const others = Array.from({ length: 1 + random.int(4) }, () => {
      if (near.length === 0 || random.chance(0.5)) return call
      const e = random.pick(near)
      if (call.within.kept && takesAway(e)) return call
      return drawer.valid(e, someRole(e), undefined, { about: call.within }) ?? call
    })
    return Promise.all([call, ...others].map(attempt))
  }

  /** Whether the calls of a second with a blocked loop block it by themselves. */
  async function lookInto(blocks: Blocked[]): Promise<void> {
    const suspects = new Map<string, (typeof recent)[number]>()
    for (const { calls } of blocks)
      for (const call of calls) {
        const one = recent.findLast((sent) => sent.call === call)
        if (one) suspects.set(call, one)
      }
    for (const { call, wire, role } of [...suspects.values()].slice(0, 5)) {
      let answer: Answer | undefined
      const held = await isBlocking(target.blocked, async () => {
        answer = await wireClient.send(wire)
      })
      if (held !== undefined && answer)
        report({ rule: 'blocked', what: `${call} held the event loop for ${held} ms` }, wire, role, answer, sent, true)
    }
    target.blocked.length = 0
  }

  return {
    ask,
    make,
    attempt,
    lookInto,
    pool,
    fresh,
    secret,
    random,
    oracle,
    reached,
    report,
    send,
    /** Random draws from here on are independent of earlier ones. */
    begin: (at: number) => {
      current = openRandom(seed).fork(at)
    },
    /** Tries calls that never succeeded, as intended. */
    reach: async (tries: number) => {
      // the run depends on all present things; what calls may delete is created additionally
      pool.keepAll()
      for (const e of endpoints)
        for (let at = 0; at < tries && !reached.has(e); at++) {
          const role = someRole(e)
          const about = takesAway(e) ? await spare(e, role) : undefined
          await tryOnce(drawer.valid(e, role, undefined, { plain: at % 2 === 0, ...(about ? { about } : {}) }))
          if (target.blocked.length > 0) await lookInto(target.blocked.splice(0))
        }
    },
    /** One step: a call, mutated or not, or several concurrent ones. */
    step: async (at: number) => {
      current = openRandom(seed).fork(at)
      await random.pick(weights)(random.pick(endpoints.filter(({ audit = '' }) => !onlyOnce.has(audit))))
      if (target.blocked.length > 0) await lookInto(target.blocked.splice(0))
    },
    /** One call with a multiplied body. */
    swell: async (at: number) => {
      current = openRandom(seed).fork(at)
      const taking = endpoints.filter(
        ({ method, upload, audit = '' }) => method !== 'GET' && !upload && !onlyOnce.has(audit),
      )
      if (taking.length === 0) return
      const e = random.pick(taking)
      await swell(drawer.valid(e, someRole(e)))
      if (target.blocked.length > 0) await lookInto(target.blocked.splice(0))
    },
    gone: () => target.gone(),
    /** Calls that never succeeded, with their last refusal. */
    unreached: () =>
      endpoints
        .filter((e) => !reached.has(e))
        .map((e): [call: string, refusal: string] => [
          callOf(e),
          refused.get(e) ?? 'nothing is known that it could be about',
        ]),
    /** All findings, including those of the log and the reason why the process ended. */
    findings: (): Reported[] => {
      const untold = { at: sent, request: lastRequests(), answer: '', alone: false }
      const gone = target.gone()
      return [
        ...findings.values(),
        ...target.told.splice(0).map((finding) => ({ ...finding, ...untold })),
        ...(gone === undefined ? [] : [{ rule: 'ended' as const, what: gone, ...untold }]),
      ]
    },
    figures: () => ({ sent, statuses: Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)) }),
    close: () => wireClient.close(),
  }

  function lastRequests(): string {
    return recent
      .slice(-5)
      .map(({ wire, role }) => curlOf(origin, wire, role.name))
      .join('\n')
  }
}

export type Run = ReturnType<typeof openRun>
