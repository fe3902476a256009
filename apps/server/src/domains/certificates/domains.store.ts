import type { Domain } from '@gantry/contract/certificates/domains'
import { type RawBuilder, sql } from 'kysely'
import { anyContains, byName, countMatches } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Page } from '../../kernel/paging.ts'
import { outwardClaimRows, serviceRows, stackRows } from '../stacks/public.read.ts'

/** Whether a host is the domain, or directly under it if that is a wildcard. */
const covers = (domain: RawBuilder<string>, host: RawBuilder<string>) =>
  sql<boolean>`(${host} = ${domain} or (${domain} like '*.%' and ${host} <> ''
    and substr(${host}, position('.' in ${host})) = substr(${domain}, 2)))`

const rows = (db: Db) =>
  db
    .selectFrom('domain')
    .innerJoin('certificate', 'certificate.id', 'domain.certificate_id')
    .leftJoin('team', 'team.id', 'domain.team_id')

const columns = [
  'domain.id',
  'domain.name as domain',
  'domain.certificate_id as certificateId',
  'certificate.name as certificateName',
  'domain.team_id as teamId',
  sql<string>`coalesce(team.name, '')`.as('teamName'),
  sql<number>`(select count(*) from ${outwardClaimRows} claim join ${serviceRows} service on service.id = claim.service_id
    join ${stackRows} stack on stack.id = service.stack_id
    where stack.team_id = domain.team_id and ${covers(sql`domain.name`, sql`claim.host`)})`.as('ways'),
  'domain.created_at as createdAt',
] as const

export const findDomain = (db: Db, id: number): Promise<Domain | undefined> =>
  rows(db).select(columns).where('domain.id', '=', id).executeTakeFirst()

export const findDomainByName = (db: Db, name: string): Promise<Domain | undefined> =>
  rows(db).select(columns).where('domain.name', '=', name).executeTakeFirst()

export async function listDomains(
  db: Db,
  { keyword, certificateId, teamId }: { keyword: string; certificateId?: number; teamId?: number },
  at: Page,
): Promise<{ items: Domain[]; total: number }> {
  const of = rows(db)
    .$if(keyword !== '', (q) => q.where(anyContains(['domain.name', 'team.name'], keyword)))
    .$if(certificateId !== undefined, (q) => q.where('domain.certificate_id', '=', certificateId ?? 0))
    .$if(teamId !== undefined, (q) => q.where('domain.team_id', '=', teamId ?? 0))
  const items = await of
    .select(columns)
    .orderBy(byName('domain.name'))
    .orderBy('domain.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return { items, total: await countMatches(db, of) }
}

export const insertDomain = async (
  db: Db,
  name: string,
  { certificateId, teamId }: { certificateId: number; teamId: number | null },
): Promise<number> =>
  (
    await db
      .insertInto('domain')
      .values({ name, certificate_id: certificateId, team_id: teamId })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

export const giveDomain = (db: Db, id: number, teamId: number) =>
  db.updateTable('domain').set({ team_id: teamId }).where('id', '=', id).execute()

export const deleteDomain = (db: Db, id: number) => db.deleteFrom('domain').where('id', '=', id).execute()

/** Locks the ownership of domains until this transaction ends; `shared` blocks only changes. */
export const serialiseDomains = (db: Db, how: 'changes' | 'shared') =>
  (how === 'changes'
    ? sql`select pg_advisory_xact_lock(hashtextextended('domains', 0))`
    : sql`select pg_advisory_xact_lock_shared(hashtextextended('domains', 0))`
  ).execute(db)

/** A service that serves a host under a domain: of this team, or of any other team. */
export const wayUnder = (
  db: Db,
  name: string,
  whose: { teamId: number } | { notOf: number },
): Promise<{ holder: string; team: string; host: string } | undefined> =>
  db
    .selectFrom(outwardClaimRows.as('claim'))
    .innerJoin(serviceRows.as('service'), 'service.id', 'claim.service_id')
    .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
    .innerJoin('team', 'team.id', 'stack.team_id')
    .select([sql<string>`stack.name || '/' || service.name`.as('holder'), 'team.name as team', 'claim.host'])
    .where(covers(sql.val(name), sql`claim.host`))
    .where('stack.team_id', 'teamId' in whose ? '=' : '<>', 'teamId' in whose ? whose.teamId : whose.notOf)
    .orderBy('claim.host')
    .limit(1)
    .executeTakeFirst()

/** Domains that decide who owns the hosts: the hosts themselves, their wildcards, and those under a wildcard host. */
export const domainsAround = (
  db: Db,
  hosts: readonly string[],
  wildcards: readonly string[],
): Promise<{ name: string; teamId: number }[]> =>
  db
    .selectFrom('domain')
    .select(['name', sql<number>`team_id`.as('teamId')])
    .where('team_id', 'is not', null)
    .where(
      sql<boolean>`(name = any(${[...hosts, ...wildcards]}::text[])
        or '*' || substr(name, position('.' in name)) = any(${hosts}::text[]))`,
    )
    .execute()
