import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { prepareCluster, runningUrl, type Cluster } from './cluster.ts'
import { createDatabase, dropDatabase } from './databases.ts'
import { clearLeftover, isReady, spawnPostgres, startPostgres, type RunningPostgres } from './run.ts'

const ask = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

const places = {
  'a folder that anyone may enter': async (base: string) => {
    await chmod(base, 0o755)
    return join(base, 'postgres')
  },
  'a folder below one that only its owner may enter': async (base: string) => {
    await mkdir(join(base, 'private', 'data'), { recursive: true })
    await chmod(base, 0o700)
    return join(base, 'private', 'data', 'postgres')
  },
  "a folder whose path is too long for a socket's": async (base: string) => join(base, 'long'.repeat(30), 'postgres'),
}

describe.each(Object.entries(places))('in %s', (_, place) => {
  let base: string
  let folder: string
  let cluster: Cluster
  let running: RunningPostgres

  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'gantry-postgres-'))
    folder = await place(base)
    cluster = await prepareCluster(folder, 'fast')
    running = await startPostgres(cluster)
  })

  afterAll(async () => {
    await running.stop()
    await rm(base, { recursive: true })
  })

  test('answers as a role that is no superuser, and sorts by code point', async () => {
    const [row] = await ask(
      running.url('gantry'),
      `select current_user::text as who, rolsuper as super, 'Z' < 'a' as sorted, lower('Ä') as lowered, current_setting('timezone') as zone
       from pg_roles where rolname = current_user`,
    )
    expect(row).toEqual({ who: 'gantry', super: false, sorted: true, lowered: 'ä', zone: 'UTC' })
  })

  test('copies a template into an independent database', async () => {
    const template = await createDatabase(running, 'pattern')
    await ask(template, 'create table thing as select 7 as id')
    const copy = await createDatabase(running, 'copy', { template: 'pattern' })
    expect(await ask(copy, 'update thing set id = 8 returning id')).toEqual([{ id: 8 }])
    await dropDatabase(running, 'copy')
    expect(await ask(template, 'select id from thing')).toEqual([{ id: 7 }])
    await expect(ask(copy, 'select 1')).rejects.toThrow('does not exist')
  })

  test('refuses a wrong password and the superuser', async () => {
    await expect(ask(running.url('gantry').replace(/:[^:@/]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password')
    await expect(ask(running.url('gantry').replace('gantry:', 'postgres:'), 'select 1')).rejects.toThrow(
      'no pg_hba.conf entry',
    )
  })

  test('keeps password and data from other users, and keeps the data over a restart', async () => {
    const [password, data] = await Promise.all([stat(join(folder, 'password')), stat(cluster.data)])
    expect([password.mode & 0o777, data.mode & 0o777]).toEqual([0o600, 0o700])
    await ask(running.url('gantry'), 'create table kept as select 1 as id')
    expect((await runningUrl(folder))?.('gantry')).toBe(running.url('gantry'))
    await running.stop()
    expect(await runningUrl(folder)).toBeUndefined()
    running = await startPostgres(await prepareCluster(folder, 'fast'))
    expect(await ask(running.url('gantry'), 'select id from kept')).toEqual([{ id: 1 }])
  })
})

test('refuses a database of another major version and leaves it alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-postgres-'))
  await mkdir(join(folder, '17'))
  await expect(prepareCluster(folder, 'fast')).rejects.toThrow('holds a database of PostgreSQL 17')
  await rm(folder, { recursive: true })
})

test('ends a PostgreSQL that was left running, and removes a pid file that names another program', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-postgres-'))
  const cluster = await prepareCluster(folder, 'fast')
  const left = spawnPostgres(cluster, 'ignore')
  const ended = once(left, 'exit')
  await eventually(() => isReady(cluster, left.pid ?? 0), Boolean)
  await clearLeftover(cluster)
  expect(await ended).toEqual([0, null])

  await writeFile(join(cluster.data, 'postmaster.pid'), `${process.pid}\n${cluster.data}\n`)
  await clearLeftover(cluster)
  const running = await startPostgres(cluster)
  expect(await ask(running.url('gantry'), 'select 1 as one')).toEqual([{ one: 1 }])
  await running.stop()
  await rm(folder, { recursive: true })
})

test('does not end a PostgreSQL of another folder that the pid file names', async () => {
  const folders = [0, 1].map(() => mkdtemp(join(tmpdir(), 'gantry-postgres-')))
  const [foreign = '', own = ''] = await Promise.all(folders)
  const other = await startPostgres(await prepareCluster(foreign, 'fast'))
  const cluster = await prepareCluster(own, 'fast')
  await writeFile(join(cluster.data, 'postmaster.pid'), `${other.pid}\n${cluster.data}\n`)
  await clearLeftover(cluster)
  expect(await ask(other.url('gantry'), 'select 1 as one')).toEqual([{ one: 1 }])
  const running = await startPostgres(cluster)
  expect(await ask(running.url('gantry'), 'select 2 as two')).toEqual([{ two: 2 }])
  for (const one of [running, other]) await one.stop()
  for (const folder of [foreign, own]) await rm(folder, { recursive: true })
})

test('a durable one keeps confirmed commits when it is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-postgres-'))
  const cluster = await prepareCluster(folder, 'durable')
  const running = await startPostgres(cluster)
  await ask(running.url('gantry'), 'create table answered as select 5 as id')
  process.kill(running.pid, 'SIGKILL')
  await running.stop()
  const again = await startPostgres(cluster)
  expect(await ask(again.url('gantry'), 'select id from answered')).toEqual([{ id: 5 }])
  expect(await ask(again.url('gantry'), 'show fsync')).toEqual([{ fsync: 'on' }])
  await again.stop()
  await rm(folder, { recursive: true })
})
