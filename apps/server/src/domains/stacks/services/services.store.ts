import type { List } from '@gantry/contract/paging'
import { type Demand, type Sized, SizedSpec } from '@gantry/contract/stacks/demand'
import { type ServiceSpec, ServiceType } from '@gantry/contract/stacks/spec'
import type { ServiceState } from '@gantry/contract/stacks/states'
import { type Selectable, sql } from 'kysely'
import { anyContains, onlyPage, withTotal } from '../../../db/list.ts'
import type { Db, Tables } from '../../../db/tables.gen.ts'
import { toList, type Page } from '../../../kernel/paging.ts'
import { type Adopted, readAdopted } from '../adoption/adopted.ts'
import { readCopy, type StoredCopy } from '../copies/copy.ts'
import { type Pins, readPins } from '../revisions/pins.ts'
import { readSeen, type Seen } from '../scaling/seen.ts'
import { serviceTypes } from './types/workload-types.ts'

/** A specification as it is stored: the values of its secrets are stored beside it, sealed. */
export interface KeptSpec {
  spec: ServiceSpec
  secrets: string | null
  digest: string
  pins: Pins | null
}

export interface ServiceRow extends KeptSpec {
  id: number
  stackId: number
  name: string
  type: ServiceType
  state: ServiceState
  reason: unknown
  revision: number
  /** The revision that created its pods: the last one that changed more than their number. */
  podRevision: number
  /** The digest that their image is pinned to; if empty, the tag counts when one starts. `digest` is what runs. */
  podDigest: string
  previous: KeptSpec | null
  /** The resources that may still be used by the state before the last change; none once the service has settled. */
  outgoing: Demand
  generation: number
  applied: number
  restartedAt: string | null
  /** Whether its pods may run on hosts that are dedicated to the team. */
  podDedicated: boolean
  actor: string
  /** Null if no user requested the change, or the user was deleted. */
  actorId: number | null
  /** The services of the stack that must be started before it. */
  requires: string[]
  /** The open release of the stack that it belongs to. */
  releaseId: number | null
  /** Whether its claims are deleted with it. */
  dropClaims: boolean
  /** How many of its fields others changed in the cluster, at the last comparison. */
  drift: number
  /** Its open copy, or the outcome of the last one. */
  copy: StoredCopy | null
  /** What is kept of the workload that it took over; null if the product created it. */
  adopted: Adopted | null
  /** The number of instances that autoscaling has decided; null if it has not decided yet. */
  instances: number | null
  /** The last result of autoscaling. */
  scaling: Seen
  createdAt: string
  updatedAt: string
}

export const specIn = (type: string, spec: unknown): ServiceSpec =>
  serviceTypes[ServiceType.parse(type)].schema.parse(spec)

const toServiceRow = (row: Selectable<Tables['service']>): ServiceRow => ({
  id: row.id,
  stackId: row.stack_id,
  name: row.name,
  type: ServiceType.parse(row.type),
  state: row.state,
  reason: row.reason,
  spec: specIn(row.type, row.spec),
  secrets: row.secrets,
  digest: row.digest,
  pins: readPins(row.pins),
  revision: row.revision,
  podRevision: row.pod_revision,
  podDigest: row.pod_digest,
  previous:
    row.previous_spec === null
      ? null
      : {
          spec: specIn(row.type, row.previous_spec),
          secrets: row.previous_secrets,
          digest: row.previous_digest,
          pins: readPins(row.previous_pins),
        },
  outgoing: { cpu: row.outgoing_cpu, memory: row.outgoing_memory },
  generation: row.generation,
  applied: row.applied,
  restartedAt: row.restarted_at,
  podDedicated: row.pod_dedicated,
  actor: row.actor,
  actorId: row.actor_id,
  requires: row.requires,
  releaseId: row.release_id,
  dropClaims: row.drop_claims,
  drift: row.drift,
  copy: readCopy(row.copy),
  adopted: readAdopted(row.adopted),
  instances: row.instances,
  scaling: readSeen(row.scaling),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export async function findService(db: Db, id: number, { lock = false } = {}): Promise<ServiceRow | undefined> {
  const row = await db
    .selectFrom('service')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (q) => q.forNoKeyUpdate())
    .executeTakeFirst()
  return row && toServiceRow(row)
}

export async function findServiceByName(db: Db, stackId: number, name: string): Promise<ServiceRow | undefined> {
  const row = await db
    .selectFrom('service')
    .selectAll()
    .where('stack_id', '=', stackId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row && toServiceRow(row)
}

export const servicesOf = async (db: Db, stackId: number): Promise<ServiceRow[]> =>
  (await db.selectFrom('service').selectAll().where('stack_id', '=', stackId).orderBy('natural_name').execute()).map(
    toServiceRow,
  )

/** What determines a service's use of its stack's share. */
export interface SizedService extends Pick<ServiceRow, 'id' | 'stackId' | 'type' | 'outgoing' | 'copy'> {
  spec: Sized
  previous: { spec: Sized } | null
}

const sized = (column: 'spec' | 'previous_spec') =>
  sql`case when ${sql.ref(column)} is not null then (select coalesce(jsonb_object_agg(key, value), '{}')
    from jsonb_each(${sql.ref(column)}) where key = any(${Object.keys(SizedSpec.shape)}::text[])) end`

/** All services of these stacks, without what their documents say besides: some of them contain whole files. */
export const sizedServicesOf = async (db: Db, stackIds: readonly number[]): Promise<SizedService[]> =>
  (
    await db
      .selectFrom('service')
      .select(['id', 'stack_id', 'type', 'outgoing_cpu', 'outgoing_memory', 'copy'])
      .select([sized('spec').as('spec'), sized('previous_spec').as('previous')])
      .where(sql<boolean>`stack_id = any(${stackIds}::int[])`)
      .execute()
  ).map((row) => ({
    id: row.id,
    stackId: row.stack_id,
    type: ServiceType.parse(row.type),
    outgoing: { cpu: row.outgoing_cpu, memory: row.outgoing_memory },
    copy: readCopy(row.copy),
    spec: SizedSpec.parse(row.spec),
    previous: row.previous === null ? null : { spec: SizedSpec.parse(row.previous) },
  }))

/** Services of any stacks, with their namespaces. */
export const servicesWithPlace = async (
  db: Db,
  ids: readonly number[],
): Promise<{ service: ServiceRow; namespace: string }[]> =>
  (
    await db
      .selectFrom('service')
      .innerJoin('stack', 'stack.id', 'service.stack_id')
      .selectAll('service')
      .select('stack.namespace')
      .where(sql<boolean>`service.id = any(${[...ids]}::int[])`)
      .execute()
  ).map(({ namespace, ...row }) => ({ service: toServiceRow(row), namespace }))

/** The operating system of its pods; Linux if none is given. */
const osOf = sql`coalesce(service.spec #>> '{placement,os}', 'linux')`

export async function listServices(
  db: Db,
  stackId: number,
  filter: { keyword: string; state: string; osType?: 'linux' | 'windows' | undefined },
  at: Page,
): Promise<List<ServiceRow>> {
  const of = db
    .selectFrom('service')
    .where('stack_id', '=', stackId)
    .$if(filter.keyword !== '', (q) => q.where(anyContains(['name'], filter.keyword)))
    .$if(filter.state !== '' && filter.state !== 'all', (q) => q.where(sql<boolean>`state = ${filter.state}`))
    .$if(filter.osType !== undefined, (q) => q.where(sql<boolean>`${osOf} = ${filter.osType}`))
  const page = of.selectAll().orderBy('natural_name').$call(onlyPage(at))
  const { rows, total } = await withTotal(db, page, of, at, { narrowed: true })
  return toList(rows.map(toServiceRow), total, at)
}

/** Filters by type and, for services with pods, by their operating system. */
export interface ServiceKind {
  type?: ServiceType
  osType?: 'linux' | 'windows'
}

export const isOfKind = ({ type, osType }: ServiceKind) =>
  sql<boolean>`(${type === undefined ? sql`true` : sql`service.type = ${type}`}
    and ${osType === undefined ? sql`true` : sql`(service.type = 'business' and ${osOf} = ${osType})`})`

/** The first services of each stack by name. */
export async function servicesOfStacks(db: Db, stackIds: readonly number[], ofEach: number): Promise<ServiceRow[]> {
  if (stackIds.length === 0) return []
  const rows = await db
    .selectFrom(sql<{ id: number }>`unnest(${stackIds}::int[])`.as<'of'>(sql`of(id)`))
    .innerJoinLateral(
      (q) =>
        q
          .selectFrom('service')
          .selectAll()
          .whereRef('stack_id', '=', 'of.id')
          .orderBy('natural_name')
          .limit(ofEach)
          .as('first'),
      (join) => join.onTrue(),
    )
    .selectAll('first')
    .orderBy('natural_name')
    .execute()
  return rows.map(toServiceRow)
}

const teamOrders = {
  name: 'service.natural_name',
  stack: 'stack.natural_name',
  updatedAt: 'service.updated_at',
} as const

/** What a list shows of a service's stack, and where its pods are. */
export interface PlaceOfService {
  id: number
  uuid: string
  name: string
  teamId: number
  envId: string
  namespace: string
}

/** The services of all stacks of a team; the keyword is searched in the names of services and of stacks. */
export async function listServicesOfTeam(
  db: Db,
  teamId: number,
  filter: ServiceKind & {
    environment?: string
    productId?: number
    keyword: string
    states?: readonly ServiceState[]
  },
  { by, direction }: { by: keyof typeof teamOrders; direction: 'asc' | 'desc' },
  at: Page,
): Promise<List<{ service: ServiceRow; stack: PlaceOfService }>> {
  const of = db
    .selectFrom('service')
    .innerJoin('stack', 'stack.id', 'service.stack_id')
    .where('stack.team_id', '=', teamId)
    .where(isOfKind(filter))
    .$if(filter.environment !== undefined, (q) => q.where('stack.environment', '=', filter.environment ?? ''))
    .$if(filter.productId !== undefined, (q) => q.where('stack.product_id', '=', filter.productId ?? 0))
    .$if(filter.states !== undefined, (q) => q.where('service.state', 'in', filter.states ?? []))
    .$if(filter.keyword !== '', (q) => q.where(anyContains(['service.name', 'stack.name'], filter.keyword)))
  const page = of
    .selectAll('service')
    .select(['stack.uuid', 'stack.name as stackName', 'stack.environment', 'stack.namespace'])
    .orderBy(teamOrders[by], direction)
    .orderBy(teamOrders.name)
    .orderBy(teamOrders.stack)
    .orderBy('service.id')
    .$call(onlyPage(at))
  const { rows, total } = await withTotal(db, page, of, at, { narrowed: true })
  const placed = rows.map(({ uuid, stackName: name, environment: envId, namespace, ...row }) => ({
    service: toServiceRow(row),
    stack: { id: row.stack_id, uuid, name, teamId, envId, namespace },
  }))
  return toList(placed, total, at)
}

/** The services that this one requires and that are not ready yet. */
export const awaitedBy = (db: Db, { stackId, requires }: Pick<ServiceRow, 'stackId' | 'requires'>) =>
  db
    .selectFrom('service')
    .select(['name', 'state'])
    .where('stack_id', '=', stackId)
    .where('name', 'in', requires)
    .where('state', 'in', ['deploying', 'upgrading', 'failed'])
    .orderBy('natural_name')
    .execute()

/** Serializes notifications about a stack's services until this transaction ends. */
export const serialiseOutcomes = (db: Db, stackId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`outcomes ${stackId}`}, 0))`.execute(db)

/** The states of the services that one user changed in the same transaction, including this one. */
export const statesTogether = async (db: Db, id: number): Promise<ServiceState[]> =>
  (
    await db
      .selectFrom('service as one')
      .innerJoin('service as other', (join) =>
        join
          .onRef('other.stack_id', '=', 'one.stack_id')
          .onRef('other.changed_at', '=', 'one.changed_at')
          .onRef('other.actor_id', '=', 'one.actor_id'),
      )
      .select('other.state')
      .where('one.id', '=', id)
      .execute()
  ).map(({ state }) => state)

export const serviceTeam = async (db: Db, id: number): Promise<number | undefined> =>
  (
    await db
      .selectFrom('service')
      .innerJoin('stack', 'stack.id', 'service.stack_id')
      .select('stack.team_id')
      .where('service.id', '=', id)
      .executeTakeFirst()
  )?.team_id
