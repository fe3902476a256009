import { sql } from 'kysely'
import { byName } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'

/** As stored: the password is encrypted; the simulated Harbor has none. */
export interface StoredHarbor {
  id: number
  name: string
  url: string
  username: string
  password: string | null
  ca: string
  isDefault: boolean
  sandbox: boolean
  version: string
  revision: number
  createdAt: string
  teams: { id: number; name: string }[]
  projects: number
}

const rows = (db: Db) =>
  db.selectFrom('harbor').select([
    'harbor.id',
    'harbor.name',
    'harbor.url',
    'harbor.username',
    'harbor.password',
    'harbor.ca',
    'harbor.is_default as isDefault',
    'harbor.sandbox',
    'harbor.version',
    'harbor.revision',
    'harbor.created_at as createdAt',
    sql<
      { id: number; name: string }[]
    >`coalesce((select jsonb_agg(jsonb_build_object('id', team.id, 'name', team.name) order by ${byName('team.name')})
        from team where exists (select from harbor_namespace given
          where given.harbor_id = harbor.id and given.team_id = team.id)), '[]')`.as('teams'),
    sql<number>`(select count(distinct project_id)::int from harbor_namespace given
        where given.harbor_id = harbor.id)`.as('projects'),
  ])

/** All Harbors, the default first. */
export const allHarbors = (db: Db): Promise<StoredHarbor[]> =>
  rows(db).orderBy('harbor.is_default', 'desc').orderBy(byName('harbor.name')).execute()

/** With `lock` the row stays locked until the transaction ends; others may still insert rows that refer to it. */
export const findHarbor = (db: Db, id: number, { lock = false } = {}): Promise<StoredHarbor | undefined> =>
  rows(db)
    .where('harbor.id', '=', id)
    .$if(lock, (q) => q.forNoKeyUpdate('harbor'))
    .executeTakeFirst()

type HarborRow = Pick<StoredHarbor, 'name' | 'url' | 'username' | 'password' | 'ca' | 'version'>

export const insertHarbor = async (db: Db, harbor: HarborRow): Promise<number> =>
  (await db.insertInto('harbor').values(harbor).returning('id').executeTakeFirstOrThrow()).id

export const updateHarbor = (db: Db, id: number, harbor: HarborRow) =>
  db
    .updateTable('harbor')
    .set({ ...harbor, revision: sql`revision + 1` })
    .where('id', '=', id)
    .execute()

/** Also deletes pull rights that are not withdrawn yet. */
export async function deleteHarbor(db: Db, id: number): Promise<void> {
  await db.deleteFrom('harbor_pull').where('harbor_id', '=', id).execute()
  await db.deleteFrom('harbor').where('id', '=', id).execute()
}

/** Called in a transaction; at any time at most one is the default. */
export async function setDefault(db: Db, id: number): Promise<void> {
  await db
    .updateTable('harbor')
    .set({ is_default: false })
    .where('is_default', '=', true)
    .where('id', '<>', id)
    .execute()
  await db.updateTable('harbor').set({ is_default: true }).where('id', '=', id).execute()
}

/** The sandbox's own Harbor, whose address may change with each start. */
export const putSandboxHarbor = (db: Db, harbor: { url: string; username: string }) =>
  db
    .insertInto('harbor')
    .values({ name: 'sandbox', ...harbor, sandbox: true })
    .onConflict((c) => c.column('sandbox').where('sandbox', '=', true).doUpdateSet(harbor))
    .execute()
