import type { Registry } from '@gantry/contract/images/registries'
import { teamPrefix } from '@gantry/contract/images/registry-token'
import { type Expression, sql } from 'kysely'
import { byName } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import { maskSealed } from '../../kernel/secrets/secrets.ts'
import { pipelineRows } from '../pipelines/public.read.ts'
import { serviceRows, stackRows } from '../stacks/public.read.ts'
import { revisionOf } from '../../db/revision.ts'

/** Condition on a row of `registry`: a team may use it. */
export const usableBy = (teamId: Expression<number>) => sql<boolean>`(registry.team_id = ${teamId} or registry.sandbox
  or exists (select from registry_team given where given.registry_id = registry.id and given.team_id = ${teamId}))`

/** As stored: the password is encrypted. */
export interface StoredRegistry {
  id: number
  teamId: number | null
  name: string
  url: string
  username: string
  password: string | null
  ca: string
  sandbox: boolean
  harborId: number | null
  createdAt: string
}

export const rows = (db: Db) =>
  db
    .selectFrom('registry')
    .select([
      'id',
      'team_id as teamId',
      'name',
      'url',
      'username',
      'password',
      'ca',
      'sandbox',
      'harbor_id as harborId',
      'created_at as createdAt',
    ])

export const registryRevision = ({ name, url, username, password, ca }: StoredRegistry): string =>
  revisionOf([name, url, username, password, ca])

/** As a team sees it, or with null the platform. */
export const visible = (registry: StoredRegistry, teamId: number | null): Registry => ({
  ...registry,
  revision: registryRevision(registry),
  password: maskSealed(registry.password),
  prefix: registry.sandbox && teamId !== null ? teamPrefix(teamId) : '',
})

/** The team's own registries, those assigned to it, and the simulated one. */
export const registriesOf = (db: Db, teamId: number): Promise<StoredRegistry[]> =>
  rows(db)
    .where((q) => usableBy(q.val(teamId)))
    .orderBy(byName('name'))
    .execute()

export const findRegistry = (db: Db, id: number): Promise<StoredRegistry | undefined> =>
  rows(db).where('id', '=', id).executeTakeFirst()

/** The registry, if the team may use it. */
export const findUsable = (db: Db, teamId: number, id: number): Promise<StoredRegistry | undefined> =>
  rows(db)
    .where('id', '=', id)
    .where((q) => usableBy(q.val(teamId)))
    .executeTakeFirst()

/** Those of the given registries that the team may use. */
export const usableAmong = (db: Db, teamId: number, ids: readonly number[]): Promise<{ id: number; name: string }[]> =>
  db
    .selectFrom('registry')
    .select(['id', 'name'])
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .where((q) => usableBy(q.val(teamId)))
    .execute()

/** Who may change a registry: its team; [] is administrators only; undefined: nobody (the simulated one, Harbors). */
export async function registryTeam(db: Db, id: number): Promise<number | readonly number[] | undefined> {
  const registry = await findRegistry(db, id)
  return registry === undefined || registry.sandbox || registry.harborId !== null ? undefined : (registry.teamId ?? [])
}

/** The simulated registry, which every team may use. */
export const sandboxRegistry = (db: Db): Promise<StoredRegistry | undefined> =>
  rows(db).where('sandbox', '=', true).executeTakeFirst()

export interface RegistryInput {
  name: string
  url: string
  username: string
  password: string | null
  ca?: string
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
        ca: registry.ca ?? '',
        sandbox: registry.sandbox,
      })
      .onConflict((c) => c.doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export const updateRegistry = (db: Db, id: number, registry: RegistryInput) =>
  db.updateTable('registry').set(registry).where('id', '=', id).execute()

export const deleteRegistry = (db: Db, id: number) => db.deleteFrom('registry').where('id', '=', id).execute()

/** Registries of any team at this origin. */
export const registriesAt = async (db: Db, origin: string): Promise<number[]> =>
  (
    await db
      .selectFrom('registry')
      .select('id')
      .where(sql<boolean>`starts_with(url || '/', ${`${origin}/`})`)
      .execute()
  ).map(({ id }) => id)

/** Names of pipelines whose image steps push to the registry. */
export const pipelinesUsing = async (db: Db, id: number, teamId?: number): Promise<string[]> =>
  (
    await db
      .selectFrom(pipelineRows.as('pipeline'))
      .select('name')
      .where(
        sql<boolean>`jsonb_path_exists(definition, '$.stages[*].** ? (@.registryId == $id)', jsonb_build_object('id', ${id}::int))`,
      )
      .$if(teamId !== undefined, (q) => q.where('team_id', '=', teamId ?? 0))
      .orderBy(byName('name'))
      .limit(10)
      .execute()
  ).map((row) => row.name)

/** Services that run an image of the registry, or could roll back to one: `stack/service`. */
export const servicesUsing = async (db: Db, id: number, teamId?: number): Promise<string[]> =>
  (
    await db
      .selectFrom(serviceRows.as('service'))
      .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
      .select(sql<string>`stack.name || '/' || service.name`.as('name'))
      .where(sql<boolean>`${String(id)} in (service.spec ->> 'registryId', service.previous_spec ->> 'registryId')`)
      .$if(teamId !== undefined, (q) => q.where('stack.team_id', '=', teamId ?? 0))
      .orderBy(byName('stack.name'))
      .orderBy(byName('service.name'))
      .limit(10)
      .execute()
  ).map((row) => row.name)

/** The product's own registry, shared with every team; each start may change its address. */
export const putSandbox = (db: Db, url: string) =>
  db
    .insertInto('registry')
    .values({ name: 'sandbox', url, username: '', sandbox: true, team_id: null })
    .onConflict((c) => c.column('sandbox').where('sandbox', '=', true).doUpdateSet({ url }))
    .execute()
