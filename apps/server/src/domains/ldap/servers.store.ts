import { type GroupMapping, GroupMapping as Mapping } from '@gantry/contract/teams/group-mapping'
import { sql } from 'kysely'
import { z } from 'zod'
import { jsonb } from '../../db/json.ts'
import { byName } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Reason } from '../../kernel/phrase.ts'

/** The fields that an administrator enters. */
export interface ServerFields {
  name: string
  url: string
  startTls: boolean
  ca: string
  bindDn: string
  baseDn: string
  userFilter: string
  userNameAttribute: string
  nicknameAttribute: string
  emailAttribute: string
  groupBaseDn: string
  groupMemberAttribute: string
  createAtLogin: boolean
  enabled: boolean
  mappings: GroupMapping[]
}

/** As stored: the password is encrypted. */
export interface StoredServer extends ServerFields {
  id: number
  bindPassword: string | null
  checkedAt: string | null
  problem: unknown
}

const columns = [
  'id',
  'name',
  'url',
  'start_tls as startTls',
  'ca',
  'bind_dn as bindDn',
  'bind_password as bindPassword',
  'base_dn as baseDn',
  'user_filter as userFilter',
  'user_name_attribute as userNameAttribute',
  'nickname_attribute as nicknameAttribute',
  'email_attribute as emailAttribute',
  'group_base_dn as groupBaseDn',
  'group_member_attribute as groupMemberAttribute',
  'create_at_login as createAtLogin',
  'enabled',
  'mappings',
  'checked_at as checkedAt',
  'problem',
] as const

const rows = (db: Db) => db.selectFrom('ldap_server').select(columns)

const mappings = z.array(Mapping)
const withMappings = <Row extends { mappings: unknown }>(row: Row) => ({
  ...row,
  mappings: mappings.parse(row.mappings),
})

export const allServers = async (db: Db): Promise<StoredServer[]> =>
  (await rows(db).orderBy(byName('name')).execute()).map(withMappings)

export async function findServer(db: Db, id: number): Promise<StoredServer | undefined> {
  const row = await rows(db).where('id', '=', id).executeTakeFirst()
  return row && withMappings(row)
}

/** Locked until the transaction ends. */
export const lockServer = (db: Db, id: number) =>
  db.selectFrom('ldap_server').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/** Directories that a visitor may choose. */
export const offeredServers = (db: Db): Promise<{ ldapId: number; ldapName: string }[]> =>
  db
    .selectFrom('ldap_server')
    .select(['id as ldapId', 'name as ldapName'])
    .where('enabled', '=', true)
    .orderBy(byName('name'))
    .execute()

const values = (server: ServerFields & { bindPassword: string | null }) => ({
  name: server.name,
  url: server.url,
  start_tls: server.startTls,
  ca: server.ca,
  bind_dn: server.bindDn,
  bind_password: server.bindPassword,
  base_dn: server.baseDn,
  user_filter: server.userFilter,
  user_name_attribute: server.userNameAttribute,
  nickname_attribute: server.nicknameAttribute,
  email_attribute: server.emailAttribute,
  group_base_dn: server.groupBaseDn,
  group_member_attribute: server.groupMemberAttribute,
  create_at_login: server.createAtLogin,
  enabled: server.enabled,
  mappings: jsonb(server.mappings),
  // it was tested before it was saved
  checked_at: server.enabled ? sql<string>`now()` : null,
  problem: null,
})

export const insertServer = (db: Db, server: ServerFields & { bindPassword: string | null }): Promise<{ id: number }> =>
  db.insertInto('ldap_server').values(values(server)).returning('id').executeTakeFirstOrThrow()

export const updateServer = (db: Db, id: number, server: ServerFields & { bindPassword: string | null }) =>
  db.updateTable('ldap_server').set(values(server)).where('id', '=', id).execute()

export const deleteServer = (db: Db, id: number) => db.deleteFrom('ldap_server').where('id', '=', id).execute()

export const noteChecked = (db: Db, id: number) =>
  db
    .updateTable('ldap_server')
    .set({ checked_at: sql`now()`, problem: null })
    .where('id', '=', id)
    .execute()

/** `checked_at` stays, because it shows the age of the last successful check. */
export const noteProblem = (db: Db, id: number, problem: Reason | null) =>
  db
    .updateTable('ldap_server')
    .set({ problem: problem === null ? null : jsonb(problem) })
    .where('id', '=', id)
    .execute()
