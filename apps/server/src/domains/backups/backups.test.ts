import { backups } from '@gantry/contract/backups/backups'
import { notifications } from '@gantry/contract/notifications/notifications'
import { sql } from 'kysely'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Client } from 'pg'
import pino from 'pino'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isFull } from '../../../test/full.ts'
import { newDatabase } from '../../../test/new-database.ts'
import { testApp, secretKey } from '../../../test/test-app.ts'
import { testFolder } from '../../../test/test-folder.ts'
import { folderBlobs } from '../../adapters/blobs/folder.ts'
import { openDump } from '../../db/dump.ts'
import { migrate } from '../../db/migrate.ts'
import { restoreDump } from '../../db/restore.ts'
import { Fault } from '../../kernel/fault.ts'
import { keysOf } from '../../kernel/secrets/secrets.ts'
import { makeWaiting } from './make.service.ts'

const blobs = await folderBlobs({ folder: testFolder('blobs'), reserve: 0 })
const put = blobs.put.bind(blobs)
const app = await testApp({ ports: { blobs } })
const log = pino({ level: 'silent' })
const keys = keysOf([secretKey]).byId

beforeEach(async () => {
  blobs.put = put
  await app.db.deleteFrom('backup_file').execute()
  await app.db.deleteFrom('setting').where('name', '=', 'backups').execute()
})

const newest = async () => (await app.admin.call(backups.list)).items[0]
async function made(): Promise<Buffer> {
  const { id } = await app.admin.call(backups.create)
  await app.drainJobs()
  return (await app.admin.request(backups.file, { params: { id } })).rawPayload
}
const schedule = { enabled: true, cron: '*/5 * * * *', zone: 'Asia/Shanghai', keep: 2, revision: 0 }
/** Pretends that the time of the next backup has passed. */
const slotPassed = () =>
  sql`update setting set value = value || jsonb_build_object('nextAt', now() - interval '7 hours') where name = 'backups'`.execute(
    app.db,
  )
/** Runs the schedule, as it runs each minute. */
const look = () => makeWaiting(app.ctx())

/** All rows of a database as text, by table, without what a backup leaves out. */
async function contentOf(url: string, tables: readonly string[]): Promise<Record<string, string[]>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const content: Record<string, string[]> = {}
    for (const table of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from "${table}" t order by 1`)
      content[table] = rows.map(({ row }) => row)
    }
    return content
  } finally {
    await client.end()
  }
}

const textOf = (file: Buffer): string => gunzipSync(file).toString()
const headOf = (text: string) =>
  JSON.parse(text.slice('-- gantry '.length, text.indexOf('\n'))) as { tables: string[]; migrations: string[][] }
const restored = (url: string, text: string) =>
  restoreDump(
    url,
    (async function* () {
      yield Buffer.from(text)
    })(),
    keys,
    log,
  )

describe('a backup', () => {
  test('has every row, and a restored database has the same rows, continues its ids and starts', async () => {
    const team = await app.team('bäckup\t"one"\\')
    await sql`insert into account_avatar (account_id, image, version) values (${team.leader.id}, ${Buffer.from([0, 10, 92, 255])}, 'v')`.execute(
      app.db,
    )
    const file = await made()
    expect(await newest()).toMatchObject({ state: 'done', cause: 'hand', by: 'admin', size: file.length, problem: '' })
    const text = textOf(file)
    const { tables } = headOf(text)
    expect(tables).toContain('team_member')
    expect(tables).not.toContain('session')
    const url = await newDatabase('blank')
    await restored(url, text)
    const kept = tables.filter((table) => !['audit_log', 'setting', 'backup_file'].includes(table))
    expect(await contentOf(url, kept)).toEqual(await contentOf(app.database.url, kept))
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ id: number }>(
      `insert into team (name, creator_id) values ('next', $1) returning id`,
      [team.leader.id],
    )
    expect(rows[0]?.id).toBeGreaterThan(team.id)
    // foreign keys are enforced again
    await expect(client.query(`insert into team_member (team_id, account_id) values (999999, 1)`)).rejects.toThrow(
      'foreign key',
    )
    await client.end()
  })

  test('shows one moment, whatever is written meanwhile', async () => {
    const dump = await openDump(app.database.url, { release: '1', key: 'k' })
    const late = await app.team()
    let text = ''
    for await (const piece of dump?.content ?? []) text += String(piece)
    await dump?.close()
    expect(text).not.toContain(late.name)
    expect(text.endsWith('\n-- end\n')).toBe(true)
  })

  test('is made one at a time: one that a lost server began is made again, one that another server makes is left alone', async () => {
    const { id } = await app.admin.call(backups.create)
    await expect(app.admin.call(backups.create)).rejects.toMatchObject({ status: 409, key: 'backups-running' })
    await app.db.updateTable('backup_file').set({ state: 'running' }).where('id', '=', id).execute()
    const other = await openDump(app.database.url, { release: '1', key: 'k' })
    await app.drainJobs()
    expect(await newest()).toMatchObject({ id, state: 'running' })
    await expect(app.admin.call(backups.remove, { params: { id } })).rejects.toMatchObject({ key: 'backups-running' })
    await other?.close()
    await look()
    expect(await newest()).toMatchObject({ id, state: 'done' })
  })

  test('that cannot be stored fails with the reason, and administrators are notified if it was scheduled', async () => {
    blobs.put = () => Promise.reject(new Fault('full', 'blobs-full'))
    await app.admin.call(backups.saveSettings, { body: schedule })
    await slotPassed()
    await look()
    const failed = await newest()
    expect(failed).toMatchObject({ state: 'failed', cause: 'schedule', by: '', size: null })
    expect(failed?.problem).not.toBe('')
    const [notification] = (await app.admin.call(notifications.list)).items
    expect(notification?.text).toContain(failed?.problem ?? '?')
    await expect(app.admin.call(backups.file, { params: { id: failed?.id ?? '' } })).rejects.toMatchObject({
      key: 'backups-no-file',
    })
    await app.admin.call(backups.remove, { params: { id: failed?.id ?? '' } })
  })

  test('is deleted together with its file', async () => {
    await made()
    const { id, key } = await app.db.selectFrom('backup_file').select(['id', 'key']).executeTakeFirstOrThrow()
    await app.admin.call(backups.remove, { params: { id } })
    await expect(app.admin.call(backups.remove, { params: { id } })).rejects.toMatchObject({ status: 404 })
    const marked = await app.db
      .selectFrom('blob_garbage')
      .select('key')
      .where('key', '=', key ?? '')
      .where('created_at', '<=', sql<string>`now()`)
      .execute()
    expect(marked).toHaveLength(1)
  })
})

describe('the schedule', () => {
  test('makes one backup for all slots that passed, and keeps the newest of its own', async () => {
    const saved = await app.admin.call(backups.saveSettings, { body: schedule })
    expect(saved).toMatchObject({ revision: 1, nextAt: expect.any(String) })
    await look()
    expect(await newest()).toBeUndefined()
    await made()
    for (let slot = 0; slot < 3; slot++) {
      await slotPassed()
      await Promise.all([look(), look()])
      await look()
    }
    const { items } = await app.admin.call(backups.list)
    expect(items.map(({ cause, state }) => `${cause} ${state}`)).toEqual([
      'schedule done',
      'schedule done',
      'hand done',
    ])
    const { nextAt } = await app.admin.call(backups.settings)
    expect(Date.parse(nextAt ?? '')).toBeGreaterThan(Date.now())
  })

  test.each([
    [{ cron: '* * * *' }, 400, 'cron'],
    [{ cron: '0 0 31 2 *' }, 400, undefined],
    [{ cron: '0 2 * * *\n; rm -rf /' }, 400, 'cron'],
    [{ zone: '../../etc' }, 400, undefined],
    [{ keep: 0 }, 400, 'keep'],
    [{ keep: 101 }, 400, 'keep'],
    [{ revision: 7 }, 409, undefined],
  ])('refuses %j', async (wrong, status, path) => {
    const refused = app.admin.call(backups.saveSettings, { body: { ...schedule, ...wrong } })
    await expect(refused).rejects.toMatchObject({ status, ...(path && { problems: [{ path }] }) })
    expect(await app.admin.call(backups.settings)).toMatchObject({ enabled: false, revision: 0, nextAt: null })
  })
})

describe('a restore', () => {
  let whole = ''
  beforeAll(async () => {
    whole = textOf(await made())
  })
  const change = (text: string, change: (head: Record<string, unknown>) => void): string => {
    const head = headOf(text) as unknown as Record<string, unknown>
    change(head)
    return `-- gantry ${JSON.stringify(head)}${text.slice(text.indexOf('\n'))}`
  }
  const later = ['299901010000_later', 'x']

  test.each([
    [
      'a newer release',
      (text: string) => change(text, (head) => (head['migrations'] as unknown[]).push(later)),
      'newer release',
    ],
    ['a newer format', (text: string) => change(text, (head) => (head['format'] = 2)), 'newer release'],
    [
      'another build',
      (text: string) =>
        change(text, (head) => ((head['migrations'] as string[][])[0] = [headOf(text).migrations[0]?.[0] ?? '', 'x'])),
      'differs',
    ],
    ['another key', (text: string) => change(text, (head) => (head['key'] = 'ffffffff')), 'GANTRY_SECRET_KEY'],
    ['something else', () => 'drop table account;\n', 'no whole backup'],
    ['an unknown table', (text: string) => text.replace('COPY "account" ', 'COPY "replica" '), 'no whole backup'],
    [
      'a statement',
      (text: string) => text.replace('COPY "account" (', 'DROP TABLE team; COPY "account" ('),
      'no whole backup',
    ],
    ['a file that was cut off in a table', (text: string) => text.slice(0, text.indexOf('\\.\n')), 'no whole backup'],
    [
      'a file that was cut off between tables',
      (text: string) => text.slice(0, text.indexOf('\\.\n') + 3),
      'no whole backup',
    ],
  ])(
    'refuses %s and stores nothing, so that the complete backup can be restored afterwards',
    async (_, damage, why) => {
      const url = await newDatabase('blank')
      await expect(restored(url, damage(whole))).rejects.toThrow(why)
      await restored(url, whole)
      expect((await contentOf(url, ['account']))['account']?.length).toBeGreaterThan(0)
    },
  )

  test('never overwrites an installation', async () => {
    const before = await contentOf(app.database.url, ['account', 'team'])
    await expect(restored(app.database.url, whole)).rejects.toThrow('does not overwrite')
    expect(await contentOf(app.database.url, ['account', 'team'])).toEqual(before)
  })

  test('takes a backup of an earlier release, and migrates it', async () => {
    const source = await newDatabase('blank')
    const names = headOf(whole).migrations.map(([name = '']) => name)
    await migrate(source, log, undefined, new Set(names.slice(0, -1)))
    const dump = await openDump(source, { release: '0', key: keysOf([secretKey]).current })
    let text = ''
    for await (const piece of dump?.content ?? []) text += String(piece)
    await dump?.close()
    const url = await newDatabase('blank')
    await restored(url, whole)
    expect((await contentOf(url, ['migration']))['migration']).toHaveLength(names.length)
  })

  test.runIf(isFull)('is a command of the server', async () => {
    const file = join(testFolder('restore'), 'backup.sql.gz')
    await writeFile(file, gzipSync(whole))
    const admin = (...args: string[]) =>
      new Promise<string>((resolve) => {
        const env = { DATABASE_URL: url, GANTRY_DATA: app.config.data, GANTRY_SECRET_KEY: secretKey }
        const command = join(import.meta.dirname, '../../admin.ts')
        execFile(process.execPath, [command, ...args], { env }, (_, out, problems) => resolve(out + problems))
      })
    const url = await newDatabase('blank')
    expect(await admin('restore', `${file}.not`)).toContain('cannot be read')
    expect(await admin('restore', join(import.meta.dirname, 'backups.test.ts'))).toContain('cannot be read')
    expect(await admin('restore', file)).toContain('Restored the backup of')
    expect(await admin('restore', file)).toContain('does not overwrite')
  })
})
