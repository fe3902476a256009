import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareCluster } from '@gantry/postgres/cluster'
import { type RunningPostgres, startPostgres } from '@gantry/postgres/run'
import { eventually } from '@gantry/waiting/eventually'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp, type App } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { migrate } from '../src/db/migrate.ts'
import { type Database, openDatabase } from '../src/db/open.ts'
import { inRepeatableTx, inTx } from '../src/kernel/context.ts'
import { fakePorts } from './fake-ports.ts'
import { publishAs } from './publish-as.ts'
import { samples, sampleCalls } from './samples.ts'
import { testApp } from './test-app.ts'

const log = pino({ level: 'silent' })

describe('PostgreSQL fails and recovers under load', () => {
  let folder: string
  let postgres: RunningPostgres
  let database: Database
  let app: App

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-faults-'))
    postgres = await startPostgres(await prepareCluster(join(folder, 'postgres'), 'fast'))
    const url = postgres.url('gantry')
    await migrate(url, log)
    database = openDatabase(url, log, { max: 4 })
    const config = readConfig({ DATABASE_URL: url, GANTRY_DATA: join(folder, 'data'), GANTRY_RATE_LIMIT: 'off' })
    app = await buildApp({ config, database, ports: fakePorts(), log, more: sampleCalls, onlyDomains: [] })
    await database.db.insertInto('account').values({ subject: 'x', user_name: 'x', email: 'x@example.test' }).execute()
  })
  afterAll(async () => {
    await app.close()
    await database.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('calls are refused as temporary, no answered call is lost, and the server recovers by itself', async () => {
    const seen: unknown[] = []
    app.server.events.subscribe((event) => {
      if (event.topic === 'load') seen.push(event.content)
    })
    const answered: number[] = []
    const refused: { status: number; retry: unknown; key: string }[] = []
    const stop = new AbortController()
    // Each call writes: its audit row and an event, in a transaction of its own.
    const writer = async (base: number) => {
      for (let n = base; !stop.signal.aborted; n++) {
        const ctx = app.ctx()
        await inTx(ctx, (ctx) => publishAs(ctx, 'load', n)).then(
          () => answered.push(n),
          () => undefined,
        )
        const headers = { authorization: `Bearer gs_${'x'.repeat(43)}` }
        const reply = await app.fastify.inject({ method: 'GET', url: samples.whoami.path, headers })
        if (reply.statusCode !== 401)
          refused.push({
            status: reply.statusCode,
            retry: reply.headers['retry-after'],
            key: reply.json<{ message: string }>().message,
          })
      }
    }
    const writers = [writer(0), writer(1_000_000), writer(2_000_000)]
    await eventually(() => expect(answered.length).toBeGreaterThan(20))
    await postgres.stop()
    await eventually(() => expect(refused.length).toBeGreaterThan(5))
    expect((await app.fastify.inject('/readyz')).statusCode).toBe(503)
    expect((await app.fastify.inject('/livez')).statusCode).toBe(200)
    postgres = await startPostgres(await prepareCluster(join(folder, 'postgres'), 'fast'))
    const before = answered.length
    await eventually(() => expect(answered.length).toBeGreaterThan(before + 20), undefined, { ms: 30_000 })
    await eventually(async () => expect((await app.fastify.inject('/readyz')).statusCode).toBe(200))
    stop.abort()
    await Promise.all(writers)

    for (const { status, retry, key } of refused)
      expect([status, Number(retry) > 0, key]).toEqual([503, true, 'database-away'])
    const stored = await database.db.selectFrom('outbox').select('content').where('topic', '=', 'load').execute()
    expect(stored.map((row) => row.content)).toEqual(expect.arrayContaining(answered))
    await eventually(() => expect(seen.length).toBe(stored.length))
    expect(seen.toSorted()).toEqual(stored.map((row) => row.content).toSorted())
  }, 60_000)
})

describe('a slow or failing database', () => {
  test('an exhausted pool refuses within its time limit, and health stays green', async () => {
    const app = await testApp({ onlyDomains: [], more: sampleCalls })
    const held = await Promise.all(Array.from({ length: 5 }, () => app.database.pool.connect()))
    const refused = await app.admin.request(samples.whoami)
    expect([refused.statusCode, refused.json().message]).toEqual([503, 'database-away'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await app.anonymous.raw({ method: 'GET', url: '/livez' })).statusCode).toBe(200)
    for (const client of held) client.release()
    expect((await app.admin.request(samples.whoami)).statusCode).toBe(200)
  })

  test('a read-only database is reported as such', async () => {
    const app = await testApp({ onlyDomains: [], more: sampleCalls })
    await sql`alter database ${sql.id((await sql<{ d: string }>`select current_database() as d`.execute(app.db)).rows[0]?.d ?? '')} set default_transaction_read_only = on`.execute(
      app.db,
    )
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`.execute(
      app.db,
    )
    await eventually(() =>
      expect(inTx(app.ctx(), (ctx) => publishAs(ctx, 'x', 1))).rejects.toMatchObject({ code: '25006' }),
    )
  })

  test('a deadlock is retried if that is safe, and reported otherwise', async () => {
    const { db, ctx } = await testApp({ onlyDomains: [], more: sampleCalls })
    for (const name of ['a', 'b'])
      await db
        .insertInto('setting')
        .values({ name, value: sql`'0'::jsonb` })
        .execute()
    const touch = (name: string) =>
      sql`update setting set value = to_jsonb((value #>> '{}')::int + 1) where name = ${name}`
    const cross = async (run: typeof inTx) => {
      const met: Record<string, PromiseWithResolvers<void>> = { a: Promise.withResolvers(), b: Promise.withResolvers() }
      const one = (first: string, second: string) =>
        run(ctx(), async (ctx) => {
          await touch(first).execute(ctx.db)
          met[first]?.resolve()
          await met[second]?.promise
          await touch(second).execute(ctx.db)
        })
      return Promise.allSettled([one('a', 'b'), one('b', 'a')])
    }
    expect((await cross(inRepeatableTx)).map((result) => result.status)).toEqual(['fulfilled', 'fulfilled'])
    const plain = await cross(inTx)
    const lost = plain.filter((result) => result.status === 'rejected')
    expect(lost.map((result) => (result.reason as { code: string }).code)).toEqual(['40P01'])
    const values = await db.selectFrom('setting').select('value').execute()
    expect(values).toEqual([{ value: 3 }, { value: 3 }])
  })
})
