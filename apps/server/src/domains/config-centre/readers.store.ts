import type { ServiceSpec } from '@gantry/contract/stacks/spec'
import type { ServiceState } from '@gantry/contract/stacks/states'
import { sql } from 'kysely'
import { anyContains, byName, countMatches } from '../../db/list.ts'
import { jsonb } from '../../db/json.ts'
import type { Db } from '../../db/tables.gen.ts'
import type { Page } from '../../kernel/paging.ts'
import { clusterRows } from '../clusters/public.read.ts'
import { serviceRows, stackRows } from '../stacks/public.read.ts'

/** A whole project, one of its profiles, or one of its templates. */
export interface ReaderFilter {
  project?: string | undefined
  profile?: string | undefined
  template?: string | undefined
}

const soughtAs = ({ project, profile, template }: ReaderFilter) =>
  jsonb({
    configuration: {
      ...(project === undefined ? {} : { project }),
      ...(profile === undefined ? {} : { profile }),
      ...(template === undefined ? {} : { templates: [{ template }] }),
    },
  })

const readers = (db: Db, teamId: number) =>
  db
    .selectFrom(serviceRows.as('service'))
    .innerJoin(stackRows.as('stack'), 'stack.id', 'service.stack_id')
    .innerJoin(clusterRows.as('environment'), 'environment.uuid', 'stack.environment')
    .leftJoin('service_configuration as applied', 'applied.service_id', 'service.id')
    .where('stack.team_id', '=', teamId)

/** The relevant part of a service's stored document. */
type Document = Pick<ServiceSpec, 'configuration' | 'files' | 'workload'>

export interface Holder {
  id: number
  /** `stack/service`. */
  name: string
  spec: Document
  /** The document that a rollback would restore. */
  previous: Document | null
}

/** Services that read it, or would read it after a rollback. */
export const holdersOf = (db: Db, teamId: number, sought: ReaderFilter): Promise<Holder[]> =>
  readers(db, teamId)
    .where(
      sql<boolean>`(service.spec @> ${soughtAs(sought)} or coalesce(service.previous_spec @> ${soughtAs(sought)}, false))`,
    )
    .select([
      'service.id',
      sql<string>`stack.name || '/' || service.name`.as('name'),
      sql<Document>`service.spec`.as('spec'),
      sql<Document | null>`service.previous_spec`.as('previous'),
    ])
    .orderBy(byName('stack.name'))
    .orderBy(byName('service.name'))
    .orderBy('service.id')
    .execute()

export interface ReaderRow {
  configuration: NonNullable<Document['configuration']>
  stackId: number
  stackUuid: string
  stack: string
  envId: string
  cluster: string
  serviceId: number
  service: string
  type: string
  state: ServiceState
  version: string | null
}

const orders = {
  stack: byName('stack.name'),
  service: byName('service.name'),
  project: sql`service.spec #>> '{configuration,project}'`,
  cluster: byName('environment.name'),
}
export type ReaderOrder = keyof typeof orders

/** Services that read configurations now. The keyword matches names of services, stacks and projects. */
export async function listReaders(
  db: Db,
  teamId: number,
  { keyword, ...sought }: ReaderFilter & { keyword: string },
  { by, direction }: { by: ReaderOrder; direction: 'asc' | 'desc' },
  at: Page,
): Promise<{ items: ReaderRow[]; total: number }> {
  const of = readers(db, teamId)
    .where(sql<boolean>`service.spec #>> '{configuration,project}' is not null`)
    .where(sql<boolean>`service.spec @> ${soughtAs(sought)}`)
    .$if(keyword !== '', (q) =>
      q.where(({ or, eb }) =>
        or([
          anyContains(['service.name', 'stack.name'], keyword),
          eb(sql`position(lower(${keyword}) in lower(service.spec #>> '{configuration,project}'))`, '>', sql.lit(0)),
        ]),
      ),
    )
  const items = await of
    .select([
      sql<NonNullable<Document['configuration']>>`service.spec -> 'configuration'`.as('configuration'),
      'stack.id as stackId',
      'stack.uuid as stackUuid',
      'stack.name as stack',
      'environment.uuid as envId',
      'environment.name as cluster',
      'service.id as serviceId',
      'service.name as service',
      'service.type',
      'service.state',
      'applied.version',
    ])
    .orderBy(orders[by], direction)
    .orderBy(byName('stack.name'))
    .orderBy(byName('service.name'))
    .orderBy('service.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return { items, total: await countMatches(db, of) }
}
