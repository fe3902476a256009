import type { Registry } from '@gantry/contract/images/registries'
import { teamPrefix } from '@gantry/contract/images/registry-token'
import { type Kysely, sql } from 'kysely'
import { byName } from '../../db/list.ts'
import type { Tables } from '../../db/tables.gen.ts'
import { shown } from '../../kernel/secrets/secrets.ts'

type Db = Kysely<Tables>

/** As stored: the password is sealed. */
export interface StoredRegistry {
  id: number
  teamId: number | null
  name: string
  url: string
  username: string
  password: string | null
  sandbox: boolean
  createdAt: string
}

const rows = (db: Db) =>
  db
    .selectFrom('registry')
    .select(['id', 'team_id as teamId', 'name', 'url', 'username', 'password', 'sandbox', 'created_at as createdAt'])

export const visible = (registry: StoredRegistry, teamId: number): Registry => ({
  ...registry,
  password: shown(registry.password),
  prefix: registry.sandbox ? teamPrefix(teamId) : '',
})

/** The team's own and the shared ones. */
export const registriesOf = (db: Db, teamId: number): Promise<StoredRegistry[]> =>
  rows(db)
    .where((q) => q.or([q('team_id', '=', teamId), q('team_id', 'is', null)]))
    .orderBy(byName('name'))
    .execute()

export const findRegistry = (db: Db, id: number): Promise<StoredRegistry | undefined> =>
  rows(db).where('id', '=', id).executeTakeFirst()

/** Undefined for the simulated registry too: it is no team's. */
export const registryTeam = async (db: Db, id: number): Promise<number | undefined> =>
  (await findRegistry(db, id))?.teamId ?? undefined

/** The simulated registry, which every team may use. */
export const sandboxRegistry = (db: Db): Promise<StoredRegistry | undefined> =>
  rows(db).where('sandbox', '=', true).executeTakeFirst()

export interface RegistryInput {
  name: string
  url: string
  username: string
  password: string | null
}

export const insertRegistry = async (
  db: Db,
  registry: RegistryInput & { teamId: number | null; sandbox: boolean },
): Promise<number | undefined> =>
  (
    await db
      .insertInto('registry')
      .values({
        team_id: registry.teamId,
        name: registry.name,
        url: registry.url,
        username: registry.username,
        password: registry.password,
        sandbox: registry.sandbox,
      })
      .onConflict((c) => c.doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const updateRegistry = (db: Db, id: number, registry: RegistryInput) =>
  db.updateTable('registry').set(registry).where('id', '=', id).execute()

export const deleteRegistry = (db: Db, id: number) => db.deleteFrom('registry').where('id', '=', id).execute()

/** Pipelines whose image steps push to it. */
export const pipelinesUsing = async (db: Db, id: number): Promise<string[]> =>
  (
    await db
      .selectFrom('pipeline')
      .select('name')
      .where(
        sql<boolean>`jsonb_path_exists(definition, '$.stages[*].** ? (@.registryId == $id)', jsonb_build_object('id', ${id}::int))`,
      )
      .orderBy(byName('name'))
      .limit(10)
      .execute()
  ).map((row) => row.name)

/** Services that run an image of it, or can go back to one: `stack/service`. */
export const servicesUsing = async (db: Db, id: number): Promise<string[]> =>
  (
    await db
      .selectFrom('service')
      .innerJoin('stack', 'stack.id', 'service.stack_id')
      .select(sql<string>`stack.name || '/' || service.name`.as('name'))
      .where(sql<boolean>`${String(id)} in (service.spec ->> 'registryId', service.previous_spec ->> 'registryId')`)
      .orderBy(byName('stack.name'))
      .orderBy(byName('service.name'))
      .limit(10)
      .execute()
  ).map((row) => row.name)

/** The product's own registry, shared with every team; its address may differ from one start to the next. */
export const putSandbox = (db: Db, url: string) =>
  db
    .insertInto('registry')
    .values({ name: 'sandbox', url, username: '', sandbox: true, team_id: null })
    .onConflict((c) => c.column('sandbox').where('sandbox', '=', true).doUpdateSet({ url }))
    .execute()
