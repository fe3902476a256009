import { type Certificate, type CertificateState, soonDays } from '@gantry/contract/certificates/certificates'
import { sql } from 'kysely'
import { anyContains, byName, countMatches, escapeLike } from '../../db/list.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Page } from '../../kernel/paging.ts'
import type { Pair } from './pair.ts'
import { serviceRows, stackRows } from '../stacks/public.read.ts'
import { holdTeam } from '../teams/public.read.ts'

const state = sql<CertificateState>`case when certificate.valid_until <= now() then 'expired'
  when certificate.valid_until <= now() + make_interval(days => ${sql.lit(soonDays)}) then 'expiring' else 'valid' end`

const columns = [
  'certificate.id',
  'certificate.name',
  'certificate.subject',
  'certificate.issuer',
  'certificate.names',
  'certificate.fingerprint',
  'certificate.valid_from as from',
  'certificate.valid_until as until',
  sql<number>`floor(extract(epoch from certificate.valid_until - now()) / 86400)::int`.as('daysLeft'),
  state.as('state'),
  sql<{ id: number; name: string }[]>`coalesce((select jsonb_agg(jsonb_build_object('id', team.id, 'name', team.name)
    order by ${byName('team.name')}) from certificate_team given join team on team.id = given.team_id
    where given.certificate_id = certificate.id), '[]')`.as('teams'),
  sql<number>`(select count(*) from domain where domain.certificate_id = certificate.id)`.as('domains'),
  sql<number>`(select count(distinct service_id) from service_certificate used
    where used.certificate_id = certificate.id)`.as('services'),
  'certificate.revision',
  'certificate.created_at as createdAt',
  'certificate.updated_at as updatedAt',
] as const

/** With `lock` the row stays locked until the transaction ends. */
export const findCertificate = (db: Db, id: number, { lock = false } = {}): Promise<Certificate | undefined> =>
  db
    .selectFrom('certificate')
    .select(columns)
    .where('id', '=', id)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst()

interface Filter {
  keyword: string
  state?: CertificateState
  /** Only certificates that are allocated to this team. */
  teamId?: number
}

const orders = { name: byName('certificate.name'), until: sql.ref('certificate.valid_until') }

export async function listCertificates(
  db: Db,
  { keyword, state: wanted, teamId }: Filter,
  { by, direction }: { by: keyof typeof orders; direction: 'asc' | 'desc' },
  at: Page,
): Promise<{ items: Certificate[]; total: number }> {
  const of = db
    .selectFrom('certificate')
    .$if(wanted !== undefined, (q) => q.where(sql<boolean>`${state} = ${wanted}`))
    .$if(keyword !== '', (q) =>
      q.where(({ or, eb }) =>
        or([
          anyContains(['certificate.name', 'certificate.subject'], keyword),
          eb(sql`array_to_string(certificate.names, ' ')`, 'ilike', `%${escapeLike(keyword)}%`),
        ]),
      ),
    )
    .$if(teamId !== undefined, (q) =>
      q.where('certificate.id', 'in', (sub) =>
        sub
          .selectFrom('certificate_team')
          .select('certificate_id')
          .where('team_id', '=', teamId ?? 0),
      ),
    )
  const items = await of
    .select(columns)
    .orderBy(orders[by], direction)
    .orderBy('certificate.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return { items, total: await countMatches(db, of) }
}

/** `privateKey` is encrypted. */
const values = (name: string, { chain, privateKey, facts }: Pair) => ({
  name,
  chain,
  private_key: privateKey,
  subject: facts.subject,
  issuer: facts.issuer,
  names: facts.names,
  fingerprint: facts.fingerprint,
  valid_from: facts.from.toISOString(),
  valid_until: facts.until.toISOString(),
})

export const insertCertificate = async (db: Db, name: string, sealed: Pair): Promise<number> =>
  (await db.insertInto('certificate').values(values(name, sealed)).returning('id').executeTakeFirstOrThrow()).id

export const updateCertificate = (db: Db, id: number, name: string, sealed: Pair) =>
  db
    .updateTable('certificate')
    .set({ ...values(name, sealed), revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()

export const deleteCertificate = (db: Db, id: number) => db.deleteFrom('certificate').where('id', '=', id).execute()

/** Returns whether the team exists; allocating twice does no harm. */
export async function allocateCertificate(db: Db, certificateId: number, teamId: number): Promise<boolean> {
  if (!(await holdTeam(db, teamId))) return false
  await db
    .insertInto('certificate_team')
    .values({ certificate_id: certificateId, team_id: teamId })
    .onConflict((c) => c.doNothing())
    .execute()
  return true
}

export const withdrawCertificate = (db: Db, certificateId: number, teamId: number) =>
  db.deleteFrom('certificate_team').where('certificate_id', '=', certificateId).where('team_id', '=', teamId).execute()

/** A service that uses a certificate for a host; `holder` is `stack/service`. */
export interface CertificateUse {
  serviceId: number
  team: string
  holder: string
  host: string
}

export const usesOf = (db: Db, certificateId: number, teamId?: number): Promise<CertificateUse[]> =>
  db
    .selectFrom('service_certificate as used')
    .innerJoin(serviceRows.as('service'), 'service.id', 'used.service_id')
    .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
    .innerJoin('team', 'team.id', 'used.team_id')
    .select([
      'service.id as serviceId',
      'team.name as team',
      sql<string>`stack.name || '/' || service.name`.as('holder'),
      'used.host',
    ])
    .where('used.certificate_id', '=', certificateId)
    .$if(teamId !== undefined, (q) => q.where('used.team_id', '=', teamId ?? 0))
    .orderBy(byName('team.name'))
    .orderBy(byName('stack.name'))
    .orderBy(byName('service.name'))
    .orderBy('used.host')
    .execute()

/**
 * The pair of a certificate that is allocated to the team, its key encrypted; undefined if there is none. With `lock`
 * it cannot change until the transaction ends.
 */
export const allocatedPair = (
  db: Db,
  id: number,
  teamId: number,
  { lock = false } = {},
): Promise<{ name: string; names: string[]; chain: string; privateKey: string } | undefined> =>
  db
    .selectFrom('certificate')
    .innerJoin('certificate_team as given', 'given.certificate_id', 'certificate.id')
    .select(['certificate.name', 'certificate.names', 'certificate.chain', 'certificate.private_key as privateKey'])
    .where('certificate.id', '=', id)
    .where('given.team_id', '=', teamId)
    .$if(lock, (q) => q.forShare('certificate'))
    .executeTakeFirst()

/** Replaces the list of certificates that a service's hosts use. */
export async function noteUses(
  db: Db,
  serviceId: number,
  teamId: number,
  uses: readonly { host: string; certificateId: number }[],
): Promise<void> {
  await db.deleteFrom('service_certificate').where('service_id', '=', serviceId).execute()
  if (uses.length === 0) return
  await db
    .insertInto('service_certificate')
    .values(
      uses.map(({ host, certificateId }) => ({
        service_id: serviceId,
        host,
        certificate_id: certificateId,
        team_id: teamId,
      })),
    )
    .execute()
}
