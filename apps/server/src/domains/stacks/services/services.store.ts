import { changedFields } from '@gantry/contract/documents'
import type { List } from '@gantry/contract/paging'
import type { Demand } from '@gantry/contract/stacks/demand'
import type { Revision } from '@gantry/contract/stacks/services'
import { type ServiceSpec, ServiceType } from '@gantry/contract/stacks/spec'
import type { ServiceState } from '@gantry/contract/stacks/states'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import { jsonb } from '../../../db/json.ts'
import { anyContains, byName, countMatches } from '../../../db/list.ts'
import type { Tables } from '../../../db/tables.gen.ts'
import { listed, type Page } from '../../../kernel/paging.ts'
import { workloadTypes } from './workload-types.ts'

type Db = Kysely<Tables>

/** A specification as it is stored: the values of its secret variables are beside it, sealed. */
export interface KeptSpec {
  spec: ServiceSpec
  secrets: string | null
  digest: string
}

export interface ServiceRow extends KeptSpec {
  id: number
  stackId: number
  name: string
  type: ServiceType
  state: ServiceState
  reason: unknown
  revision: number
  /** The revision of its pods: the last that changed more than their number. */
  podRevision: number
  /** The digest that their image is pinned to; empty: whatever the tag means when one starts. `digest` is what runs. */
  podDigest: string
  previous: KeptSpec | null
  /** What may still run of the service before its last changes; nothing once it has settled. */
  outgoing: Demand
  generation: number
  applied: number
  restartedAt: string | null
  /** Whether its pods may run on hosts that are dedicated to the team. */
  podDedicated: boolean
  actor: string
  /** Null where no user asked, or the user is deleted. */
  actorId: number | null
  createdAt: string
  updatedAt: string
}

const specIn = (type: string, spec: unknown): ServiceSpec => workloadTypes[ServiceType.parse(type)].schema.parse(spec)

const read = (row: Selectable<Tables['service']>): ServiceRow => ({
  id: row.id,
  stackId: row.stack_id,
  name: row.name,
  type: ServiceType.parse(row.type),
  state: row.state,
  reason: row.reason,
  spec: specIn(row.type, row.spec),
  secrets: row.secrets,
  digest: row.digest,
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
        },
  outgoing: { cpu: row.outgoing_cpu, memory: row.outgoing_memory },
  generation: row.generation,
  applied: row.applied,
  restartedAt: row.restarted_at,
  podDedicated: row.pod_dedicated,
  actor: row.actor,
  actorId: row.actor_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export async function findService(db: Db, id: number, { lock = false } = {}): Promise<ServiceRow | undefined> {
  const row = await db
    .selectFrom('service')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst()
  return row && read(row)
}

export async function findServiceByName(db: Db, stackId: number, name: string): Promise<ServiceRow | undefined> {
  const row = await db
    .selectFrom('service')
    .selectAll()
    .where('stack_id', '=', stackId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row && read(row)
}

export const servicesOf = async (db: Db, stackId: number): Promise<ServiceRow[]> =>
  (await db.selectFrom('service').selectAll().where('stack_id', '=', stackId).orderBy(byName('name')).execute()).map(
    read,
  )

export async function listServices(
  db: Db,
  stackId: number,
  filter: { keyword: string; state: string },
  at: Page,
): Promise<List<ServiceRow>> {
  const of = db
    .selectFrom('service')
    .where('stack_id', '=', stackId)
    .$if(filter.keyword !== '', (q) => q.where(anyContains(['name'], filter.keyword)))
    .$if(filter.state !== '' && filter.state !== 'all', (q) => q.where(sql<boolean>`state = ${filter.state}`))
  const rows = await of.selectAll().orderBy(byName('name')).limit(at.limit).offset(at.offset).execute()
  const { total } = await of.select((n) => n.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return listed(rows.map(read), total, at)
}

/** The first services of each stack by name, by the stack's id. */
export async function servicesOfStacks(
  db: Db,
  stackIds: readonly number[],
  ofEach: number,
): Promise<Map<number, ServiceRow[]>> {
  if (stackIds.length === 0) return new Map()
  const placed = db
    .selectFrom('service')
    .selectAll()
    .select(sql<number>`row_number() over (partition by stack_id order by ${byName('name')})`.as('place'))
    .where('stack_id', 'in', stackIds)
  const rows = await db
    .selectFrom(placed.as('placed'))
    .selectAll()
    .where('place', '<=', ofEach)
    .orderBy('place')
    .execute()
  return Map.groupBy(rows.map(read), ({ stackId }) => stackId)
}

const teamOrders = {
  name: byName('service.name'),
  stack: byName('stack.name'),
  updatedAt: sql.ref('service.updated_at'),
}

/** The services of all stacks of a team; the keyword is in the name of a service or of its stack. */
export async function listServicesOfTeam(
  db: Db,
  teamId: number,
  filter: { environment?: string; productId?: number; keyword: string; states?: readonly ServiceState[] },
  { by, direction }: { by: keyof typeof teamOrders; direction: 'asc' | 'desc' },
  at: Page,
): Promise<List<ServiceRow>> {
  const of = db
    .selectFrom('service')
    .innerJoin('stack', 'stack.id', 'service.stack_id')
    .where('stack.team_id', '=', teamId)
    .$if(filter.environment !== undefined, (q) => q.where('stack.environment', '=', filter.environment ?? ''))
    .$if(filter.productId !== undefined, (q) => q.where('stack.product_id', '=', filter.productId ?? 0))
    .$if(filter.states !== undefined, (q) => q.where('service.state', 'in', filter.states ?? []))
    .$if(filter.keyword !== '', (q) => q.where(anyContains(['service.name', 'stack.name'], filter.keyword)))
  const rows = await of
    .selectAll('service')
    .orderBy(teamOrders[by], direction)
    .orderBy(teamOrders.name)
    .orderBy(teamOrders.stack)
    .orderBy('service.id')
    .limit(at.limit)
    .offset(at.offset)
    .execute()
  return listed(rows.map(read), await countMatches(db, of), at)
}

/** Returns the new service's id; undefined where the stack has a service with that name. */
export const insertService = async (
  db: Db,
  service: KeptSpec & Pick<ServiceRow, 'stackId' | 'name' | 'type' | 'actor' | 'actorId'>,
): Promise<number | undefined> =>
  (
    await db
      .insertInto('service')
      .values({
        stack_id: service.stackId,
        name: service.name,
        type: service.type,
        state: 'deploying',
        spec: jsonb(service.spec),
        secrets: service.secrets,
        digest: service.digest,
        pod_digest: service.digest,
        pod_dedicated: true,
        actor: service.actor,
        actor_id: service.actorId,
      })
      .onConflict((c) => c.constraint('service_name').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

export interface ServiceChange {
  state: ServiceState
  actor: string
  actorId: number | null
  /** The new specification, which is to be applied. */
  wanted?: KeptSpec
  /** What a rollback returns to; null: nothing any more. */
  previous?: KeptSpec | null
  outgoing?: Demand
  /** Creates a revision: `pods` recreates them, `replicas` keeps those that stay. */
  newRevision?: 'pods' | 'replicas'
  restart?: boolean
}

const outgoingIs = ({ cpu, memory }: Demand) => ({ outgoing_cpu: cpu, outgoing_memory: memory })

/** Every change increments the generation: a running round of the one before drops its result and ends first. */
export const changeService = (db: Db, id: number, change: ServiceChange) =>
  db
    .updateTable('service')
    .set({
      state: change.state,
      reason: null,
      actor: change.actor,
      actor_id: change.actorId,
      updated_at: sql`now()`,
      changed_at: sql`now()`,
      generation: sql`generation + 1`,
      ...(change.newRevision ? { revision: sql`revision + 1` } : {}),
      ...(change.newRevision === 'pods'
        ? { pod_revision: sql`revision + 1`, pod_digest: change.wanted?.digest ?? '' }
        : {}),
      // the same image again, whatever its tag means by now
      ...(change.restart ? { restarted_at: sql`now()`, pod_digest: sql`digest` } : {}),
      ...(change.restart || change.newRevision === 'pods' ? { pod_dedicated: true } : {}),
      ...(change.wanted
        ? { spec: jsonb(change.wanted.spec), secrets: change.wanted.secrets, digest: change.wanted.digest }
        : {}),
      ...(change.outgoing ? outgoingIs(change.outgoing) : {}),
      ...(change.previous === undefined
        ? {}
        : change.previous === null
          ? { previous_spec: null, previous_secrets: null, previous_digest: '' }
          : {
              previous_spec: jsonb(change.previous.spec),
              previous_secrets: change.previous.secrets,
              previous_digest: change.previous.digest,
            }),
    })
    .where('id', '=', id)
    .execute()

export interface Observed {
  state: ServiceState
  reason: { key: string; vars: Record<string, string | number> } | null
  /** The running digest, where it is known now. */
  digest?: string | undefined
  /** Whether to forget what a rollback would return to. */
  forgetPrevious?: boolean
  /** Whether nothing is left of the service before its last changes. */
  settled?: boolean
}

/** Stores what the cluster showed of a generation; false where there is a newer one. */
export const noteObserved = async (db: Db, id: number, generation: number, seen: Observed): Promise<boolean> => {
  const done = await db
    .updateTable('service')
    .set({
      state: seen.state,
      reason: seen.reason && jsonb(seen.reason),
      ...(seen.digest ? { digest: seen.digest } : {}),
      ...(seen.settled ? outgoingIs({ cpu: 0, memory: 0 }) : {}),
      ...(seen.forgetPrevious ? { previous_spec: null, previous_secrets: null, previous_digest: '' } : {}),
    })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}

export const noteApplied = (db: Db, id: number, generation: number) =>
  db
    .updateTable('service')
    .set({ applied: generation })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .execute()

/** The cluster no longer has it as it was applied. */
export const forgetApplied = (db: Db, id: number) =>
  db.updateTable('service').set({ applied: 0 }).where('id', '=', id).execute()

export const deleteService = (db: Db, id: number) => db.deleteFrom('service').where('id', '=', id).execute()

export interface NewRevision {
  serviceId: number
  revision: number
  spec: ServiceSpec
  digest: string
  action: string
  by: string
  deployKey: string | null
}

/** False where this build step has already asked. */
export const insertRevision = async (db: Db, revision: NewRevision): Promise<boolean> =>
  (await db
    .insertInto('service_revision')
    .values({
      service_id: revision.serviceId,
      revision: revision.revision,
      spec: jsonb(revision.spec),
      image: revision.spec.image,
      digest: revision.digest,
      action: revision.action,
      by: revision.by,
      deploy_key: revision.deployKey,
    })
    .onConflict((c) => c.constraint('service_revision_deploy').doNothing())
    .returning('revision')
    .executeTakeFirst()) !== undefined

export const noteRevisionDigest = (db: Db, serviceId: number, revision: number, digest: string) =>
  db
    .updateTable('service_revision')
    .set({ digest })
    .where('service_id', '=', serviceId)
    .where('revision', '=', revision)
    .execute()

export const revisionOfDeploy = async (db: Db, serviceId: number, deployKey: string): Promise<number | undefined> =>
  (
    await db
      .selectFrom('service_revision')
      .select('revision')
      .where('service_id', '=', serviceId)
      .where('deploy_key', '=', deployKey)
      .executeTakeFirst()
  )?.revision

/** What was wanted in a revision, where that is known; secrets are not among it. */
export async function specOf(
  db: Db,
  { id, type }: Pick<ServiceRow, 'id' | 'type'>,
  revision: number,
): Promise<ServiceSpec | undefined> {
  const row = await db
    .selectFrom('service_revision')
    .select('spec')
    .where('service_id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return row && specIn(type, row.spec)
}

/** The latest, each with what it changed and the build that asked for it. */
export async function revisionsOf(db: Db, serviceId: number, count = 50): Promise<z.infer<typeof Revision>[]> {
  const rows = await db
    .selectFrom('service_revision as r')
    // a build's key is `build <id> step …`
    .leftJoin('build as b', (join) =>
      join.on(sql<boolean>`b.id = substring(r.deploy_key from '^build ([0-9]+) ')::int`),
    )
    .leftJoin('pipeline as p', 'p.id', 'b.pipeline_id')
    .innerJoin('service as s', 's.id', 'r.service_id')
    .select(['r.revision', 'r.image', 'r.digest', 'r.action', 'r.by', 'r.created_at as createdAt', 'r.spec', 's.type'])
    .select(['b.number', 'p.id as pipelineId', 'p.group_id as groupId', 'p.name as pipeline'])
    .where('r.service_id', '=', serviceId)
    .orderBy('r.revision', 'desc')
    // and one more, to compare the oldest with
    .limit(count + 1)
    .execute()
  const specs = rows.map(({ type, spec }) => specIn(type, spec))
  return rows.slice(0, count).map(({ spec: _spec, type: _type, number, pipelineId, groupId, pipeline, ...row }, at) => {
    const [spec, before] = specs.slice(at, at + 2)
    const known = number !== null && pipelineId !== null && groupId !== null && pipeline !== null
    return {
      ...row,
      changes: spec && before ? changedFields(before, spec) : null,
      build: known ? { number, pipelineId, groupId, pipeline } : null,
    }
  })
}

export const serviceTeam = async (db: Db, id: number): Promise<number | undefined> =>
  (
    await db
      .selectFrom('service')
      .innerJoin('stack', 'stack.id', 'service.stack_id')
      .select('stack.team_id')
      .where('service.id', '=', id)
      .executeTakeFirst()
  )?.team_id

/** Where a service runs. */
export const servicePlace = (db: Db, id: number) =>
  db
    .selectFrom('service')
    .innerJoin('stack', 'stack.id', 'service.stack_id')
    .select(['service.name', 'stack.environment', 'stack.namespace'])
    .where('service.id', '=', id)
    .executeTakeFirst()
