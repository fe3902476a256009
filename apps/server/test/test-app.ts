import { protocolHeader, protocolVersion } from '@gantry/agent-protocol/protocol'
import { join } from 'node:path'
import type { CallInput, Endpoint } from '@gantry/contract/endpoint'
import type { Envelope, FieldProblem } from '@gantry/contract/envelope'
import type { LightMyRequestResponse } from 'fastify'
import pino, { type Logger } from 'pino'
import { afterAll } from 'vitest'
import type { z } from 'zod'
import type { Ports } from '../src/adapters/ports.ts'
import { buildApp, type AppOptions } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import { openDatabase } from '../src/db/open.ts'
import type { Actor } from '../src/kernel/context.ts'
import { checkTransactions, mustBeOutsideTransaction } from '../src/kernel/outside.ts'
import { openSession } from '../src/identity/sessions.ts'
import { fakePorts } from './fake-ports.ts'
import { newDatabase } from './new-database.ts'
import { testFolder } from './test-folder.ts'
import { refuseUntoldTrail } from './told-trail.ts'

/** A refused call: HTTP status, phrase key and text. */
export class Refused extends Error {
  readonly status: number
  readonly key: string
  readonly problems: FieldProblem[] | null

  constructor(status: number, key: string, text: string, problems: FieldProblem[] | null) {
    super(text)
    this.name = 'Refused'
    this.status = status
    this.key = key
    this.problems = problems
  }
}

/** The refusal of a call; rethrows other errors, and throws if the call is not refused. */
export const refusalOf = (work: Promise<unknown>): Promise<Refused> =>
  work.then(
    () => {
      throw new Error('it was not refused')
    },
    (error: unknown) => {
      if (error instanceof Refused) return error
      throw error
    },
  )

export interface TestAppOptions {
  config?: Partial<Config>
  ports?: Partial<Ports>
  more?: AppOptions['more']
  log?: Logger
  /** Makes it another replica of that server: with the same database and administrator. */
  beside?: { database: { url: string }; admin: Actor & { token: string | undefined } }
  /** Only these domains; by default all, or those in GANTRY_TEST_DOMAINS. */
  onlyDomains?: string[]
}

checkTransactions()

/** Key of every server on the same database. */
export const secretKey = 'a secret key for tests only'

/** Ports that are not checked: clusters' check this themselves, and repositories are local files. */
const unchecked = new Set(['kube', 'repositories'])

/** Makes ports throw if they are used inside a database transaction. */
function outsideTransactions(ports: Ports): Ports {
  const checked = Object.entries(ports).map(([name, port]: [string, object]) => [
    name,
    unchecked.has(name)
      ? port
      : new Proxy(port, {
          get(target, key): unknown {
            const value: unknown = Reflect.get(target, key)
            if (typeof value !== 'function') return value
            return (...args: unknown[]): unknown => {
              mustBeOutsideTransaction(`the ${name} port`)
              return Reflect.apply(value, target, args)
            }
          },
        }),
  ])
  return Object.fromEntries(checked) as Ports
}

/** A new, empty, migrated database. */
export async function testDatabase(log: Logger = pino({ level: 'silent' }), max = 5) {
  return openDatabase(await newDatabase(), log, { max })
}

interface RawRequest {
  method: Endpoint['method'] | 'HEAD' | 'PATCH' | 'OPTIONS'
  url: string
  headers?: Record<string, string>
  payload?: string | Buffer
}

const encoded = (path: string, params: Record<string, unknown>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** The server in this process, with its own database, an administrator, and callers over HTTP. */
export async function testApp(options: TestAppOptions = {}) {
  const log = options.log ?? pino({ level: process.env['GANTRY_TEST_LOG'] ?? 'silent' })
  const { beside } = options
  const database = beside ? openDatabase(beside.database.url, log, { max: 5 }) : await testDatabase(log)
  const data = testFolder('app')
  const config: Config = {
    ...readConfig({
      DATABASE_URL: database.url,
      GANTRY_DATA: data,
      GANTRY_SECRET_KEY: secretKey,
      GANTRY_RATE_LIMIT: 'off',
      GANTRY_CONSOLE: join(data, 'no-console'),
    }),
    ...options.config,
  }
  const onlyDomains = options.onlyDomains ?? process.env['GANTRY_TEST_DOMAINS']?.split(',')
  const app = await buildApp({
    config,
    database,
    ports: outsideTransactions({ ...fakePorts(), ...options.ports }),
    log,
    maxLagMs: Infinity,
    ...(options.more ? { more: options.more } : {}),
    ...(onlyDomains ? { onlyDomains } : {}),
  })
  await app.fastify.ready()

  async function raw({ method, url, headers = {}, payload }: RawRequest): Promise<LightMyRequestResponse> {
    return app.fastify.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  }

  function caller(actor: Actor, token?: string) {
    const own: Record<string, string> = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(actor.kind === 'agent' ? { [protocolHeader]: protocolVersion } : {}),
    }
    const request = <E extends Endpoint>(
      e: E,
      { params, query, body }: CallInput<E> = {},
      headers: Record<string, string> = {},
    ) => {
      const search = new URLSearchParams()
      for (const [name, value] of Object.entries({ action: e.action, ...(query as object) })) {
        if (value !== undefined) search.append(name, String(value))
      }
      const suffix = search.size > 0 ? `?${search}` : ''
      return raw({
        method: e.method,
        url: encoded(e.path, params ?? {}) + suffix,
        headers: { ...own, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      })
    }
    return {
      ...actor,
      token,
      /** Calls an endpoint and returns its data; throws Refused. */
      async call<E extends Endpoint>(
        e: E,
        input: CallInput<E> = {},
        headers: Record<string, string> = {},
      ): Promise<z.output<E['data']>> {
        const response = await request(e, input, headers)
        const reply = response.json<Envelope<z.output<E['data']>>>()
        if (reply.status === 0) throw new Refused(response.statusCode, reply.message, reply.errorMsg, reply.data)
        return reply.data
      },
      /** The complete answer: status, headers, body of a stream. */
      request,
      /** Sends any request as this caller, even one that no endpoint defines. */
      raw: (input: RawRequest) => raw({ ...input, headers: { ...own, ...input.headers } }),
    }
  }

  // replicas must not create the same names
  let made = beside ? 10_000 : 0
  interface NewUser {
    name?: string
    admin?: boolean
    newlyBuilt?: boolean
  }
  /** A user with a session and without a team. */
  async function user({ name = `user-${++made}`, admin = false, newlyBuilt = false }: NewUser = {}) {
    const { id } = await database.db
      .insertInto('account')
      .values({
        subject: name,
        user_name: name,
        nickname: name,
        email: `${name}@example.test`,
        admin,
        newly_built: newlyBuilt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { token } = await openSession(app.ctx(), { accountId: id })
    return caller({ kind: 'user', id, name, admin }, token)
  }

  /** A team with a leader. */
  async function team(name = `team-${++made}`) {
    const leader = await user()
    const { id } = await database.db
      .insertInto('team')
      .values({ name, creator_id: leader.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await database.db.insertInto('team_member').values({ team_id: id, account_id: leader.id, leader: true }).execute()
    return {
      id,
      name,
      leader,
      /** A new member with a role of exactly these permissions. */
      async member(permissions: string[] = []) {
        const one = await user()
        const role = await database.db
          .insertInto('team_role')
          .values({ team_id: id, name: `role-${one.id}`, permissions })
          .returning('id')
          .executeTakeFirstOrThrow()
        await database.db
          .insertInto('team_member')
          .values({ team_id: id, account_id: one.id, role_id: role.id })
          .execute()
        return one
      },
    }
  }

  const admin = beside ? caller(beside.admin, beside.admin.token) : await user({ name: 'admin', admin: true })
  const close = async () => {
    const trail = await Promise.allSettled(options.more ? [] : [refuseUntoldTrail(database.db)])
    await app.close()
    await database.close()
    for (const told of trail) if (told.status === 'rejected') throw told.reason
  }
  afterAll(close)
  return {
    ...app,
    config,
    db: database.db,
    database,
    admin,
    anonymous: caller({ kind: 'anonymous', id: 0, name: '', admin: false }),
    user,
    team,
    caller,
  }
}

export type TestApp = Awaited<ReturnType<typeof testApp>>
export type TestCaller = TestApp['admin']
