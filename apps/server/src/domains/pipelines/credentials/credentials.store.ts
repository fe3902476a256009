import type { Credential, CredentialBody } from '@gantry/contract/pipelines/credentials'
import { CredentialKind } from '@gantry/contract/pipelines/credentials'
import type { List } from '@gantry/contract/paging'
import { mask } from '@gantry/contract/validators'
import { sql } from 'kysely'
import { anyContains, byName, countMatches, rowCount } from '../../../db/list.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'

/** As stored, with a sealed secret. */
export type StoredCredential = Omit<Credential, 'pipelineNum'>

const rows = (db: Db) => db.selectFrom('pipeline_credential as c')

const columns = [
  'c.id',
  'c.team_id as teamId',
  'c.name',
  'c.description',
  'c.kind',
  'c.host',
  'c.username',
  'c.secret',
  'c.revision',
  'c.updated_at as updatedAt',
] as const

export async function listCredentials(db: Db, teamId: number, keyword: string, at: Page): Promise<List<Credential>> {
  const matching = rows(db)
    .where('c.team_id', '=', teamId)
    .$if(keyword !== '', (q) => q.where(anyContains(['c.name', 'c.host', 'c.description'], keyword)))
  const items = await matching
    .select(columns)
    .select((q) =>
      q
        .selectFrom('pipeline')
        .whereRef('pipeline.repository_credential_id', '=', 'c.id')
        .$call(rowCount)
        .as('pipelineNum'),
    )
    .orderBy(byName('c.name'))
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return toList(
    items.map((row) => ({ ...row, kind: CredentialKind.parse(row.kind), secret: mask })),
    await countMatches(db, matching),
    at,
  )
}

/** With `lock` the row stays locked until the transaction ends. */
export async function findCredential(
  db: Db,
  teamId: number,
  id: number,
  { lock = false } = {},
): Promise<StoredCredential | undefined> {
  const row = await rows(db)
    .select(columns)
    .where('c.team_id', '=', teamId)
    .where('c.id', '=', id)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst()
  return row && { ...row, kind: CredentialKind.parse(row.kind) }
}

/** Returns the new credential's id; undefined where the team has one with that name. */
export const insertCredential = async (db: Db, teamId: number, fields: CredentialBody): Promise<number | undefined> =>
  (
    await db
      .insertInto('pipeline_credential')
      .values({ team_id: teamId, ...fields })
      .onConflict((c) => c.constraint('pipeline_credential_name').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const updateCredential = (db: Db, id: number, fields: CredentialBody) =>
  db
    .updateTable('pipeline_credential')
    .set({ ...fields, revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()

export const deleteCredential = (db: Db, id: number) =>
  db.deleteFrom('pipeline_credential').where('id', '=', id).execute()

export const usersOfCredential = async (db: Db, id: number): Promise<string[]> =>
  (
    await db
      .selectFrom('pipeline')
      .select('name')
      .where('repository_credential_id', '=', id)
      .orderBy(byName('name'))
      .execute()
  ).map(({ name }) => name)
