import type { Demand } from '@gantry/contract/stacks/demand'
import type { ServiceState } from '@gantry/contract/stacks/states'
import { type Kysely, sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Tables } from '../../../db/tables.gen.ts'
import type { Adopted } from '../adoption/adopted.ts'
import type { PodsBefore, StoredCopy } from '../copies/copy.ts'
import type { Pins } from '../revisions/pins.ts'
import type { KeptSpec, ServiceRow } from './services.store.ts'

type Db = Kysely<Tables>

/** Returns the new service's id; undefined where the stack has a service with that name. */
export const insertService = async (
  db: Db,
  service: KeptSpec &
    Pick<ServiceRow, 'stackId' | 'name' | 'type' | 'actor' | 'actorId' | 'requires' | 'releaseId' | 'adopted'>,
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
        pins: service.pins && jsonb(service.pins),
        pod_dedicated: true,
        actor: service.actor,
        actor_id: service.actorId,
        requires: service.requires,
        adopted: service.adopted && jsonb(service.adopted),
        release_id: service.releaseId,
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
  /** Creates a revision: `pods` recreates them, `replicas` keeps those that stay, and so does what they were made of. */
  newRevision?: 'pods' | 'replicas' | PodsBefore
  copy?: StoredCopy
  restart?: boolean
  /** Autoscaling begins with what the specification says. */
  freshScaling?: boolean
  /** Whether its claims go with it. */
  dropClaims?: boolean
  /** The open release that it becomes a part of. */
  release?: number
}

const nothingPrevious = { previous_spec: null, previous_secrets: null, previous_digest: '', previous_pins: null }

const outgoingIs = ({ cpu, memory }: Demand) => ({ outgoing_cpu: cpu, outgoing_memory: memory })

const madeOf = ({ podRevision, podDigest, restartedAt, podDedicated }: PodsBefore) => ({
  pod_revision: podRevision,
  pod_digest: podDigest,
  restarted_at: restartedAt,
  pod_dedicated: podDedicated,
})

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
      // autoscaling looks at it as it is from now on
      scale_until: null,
      // what others changed is written over, or seen again
      drift: 0,
      ...(change.newRevision ? { revision: sql`revision + 1` } : {}),
      ...(change.newRevision === 'pods'
        ? { pod_revision: sql`revision + 1`, pod_digest: change.wanted?.digest ?? '' }
        : {}),
      ...(typeof change.newRevision === 'object' ? madeOf(change.newRevision) : {}),
      ...(change.copy ? { copy: jsonb(change.copy) } : {}),
      ...(change.freshScaling ? { instances: null } : {}),
      // the same image again, whatever its tag means by now
      ...(change.restart ? { restarted_at: sql`now()`, pod_digest: sql`digest` } : {}),
      ...(change.restart || change.newRevision === 'pods' ? { pod_dedicated: true } : {}),
      ...(change.wanted
        ? {
            spec: jsonb(change.wanted.spec),
            secrets: change.wanted.secrets,
            digest: change.wanted.digest,
            pins: change.wanted.pins && jsonb(change.wanted.pins),
          }
        : {}),
      ...(change.outgoing ? outgoingIs(change.outgoing) : {}),
      ...(change.dropClaims ? { drop_claims: true } : {}),
      ...(change.release === undefined ? {} : { release_id: change.release }),
      ...(change.previous === undefined
        ? {}
        : change.previous === null
          ? nothingPrevious
          : {
              previous_spec: jsonb(change.previous.spec),
              previous_secrets: change.previous.secrets,
              previous_digest: change.previous.digest,
              previous_pins: change.previous.pins && jsonb(change.previous.pins),
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
  /** The copy as it ended. */
  copy?: StoredCopy
}

/** Stores what the cluster showed of a generation; false where there is a newer one. */
export const noteObserved = async (db: Db, id: number, generation: number, seen: Observed): Promise<boolean> => {
  const done = await db
    .updateTable('service')
    .set({
      state: seen.state,
      reason: seen.reason && jsonb(seen.reason),
      ...(seen.digest ? { digest: seen.digest } : {}),
      ...(seen.copy ? { copy: jsonb(seen.copy) } : {}),
      ...(seen.settled ? outgoingIs({ cpu: 0, memory: 0 }) : {}),
      ...(seen.forgetPrevious ? nothingPrevious : {}),
    })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}

/** Stores what the tags of a generation's images mean, for its pods and for the revisions that have these. */
export async function notePins(
  db: Db,
  { id, generation, revision, podRevision, podDigest }: ServiceRow,
  digest: string,
  pins: Pins,
): Promise<void> {
  const named = digest === '' ? {} : { digest }
  await db
    .updateTable('service')
    .set({ pins: jsonb(pins), ...named, ...(digest === '' ? {} : { pod_digest: digest }) })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .execute()
  await db
    .updateTable('service_revision')
    .set({ pins: jsonb(pins), ...(podDigest === '' ? named : {}) })
    .where('service_id', '=', id)
    .where('revision', 'in', [podRevision, revision])
    .execute()
}

/** Stores how far the copy of a generation is. `again`: it is to be applied again, as it is by now. */
export const noteCopy = (
  db: Db,
  { id, generation }: Pick<ServiceRow, 'id' | 'generation'>,
  copy: StoredCopy,
  { again = false } = {},
) =>
  db
    .updateTable('service')
    .set({ copy: jsonb(copy), ...(again ? { applied: 0 } : {}) })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .execute()

export const noteApplied = (db: Db, id: number, generation: number) =>
  db
    .updateTable('service')
    .set({ applied: generation })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .execute()

/** Its workload bears the product's marks. */
export const noteTaken = (db: Db, id: number, adopted: Adopted) =>
  db
    .updateTable('service')
    .set({ adopted: jsonb({ ...adopted, taken: true }) })
    .where('id', '=', id)
    .execute()

/** Sets the order in which a stack's services start. */
export const setRequires = (db: Db, stackId: number, name: string, requires: readonly string[]) =>
  db
    .updateTable('service')
    .set({ requires: [...requires] })
    .where('stack_id', '=', stackId)
    .where('name', '=', name)
    .execute()

/** Makes services that a release leaves as they are, until it is confirmed, a part of it. */
export const joinRelease = async (db: Db, ids: readonly number[], releaseId: number): Promise<void> => {
  if (ids.length === 0) return
  await db.updateTable('service').set({ release_id: releaseId }).where('id', 'in', ids).execute()
}

/** The services of a release are on their own again. */
export const leaveRelease = (db: Db, releaseId: number) =>
  db.updateTable('service').set({ release_id: null }).where('release_id', '=', releaseId).execute()

/** Locks services in one order for all, so that of two changes that concern the same ones neither waits for the other's. */
export const lockServices = async (db: Db, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await db.selectFrom('service').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

/**
 * Has services applied once more, as what they stand on has changed; those that are on their way out are left, and so are
 * those that failed, unless it may be what they failed by. Returns those that begin anew.
 */
export const repeatApplying = (db: Db, ids: readonly number[], { failed = false } = {}) =>
  db
    .updateTable('service')
    .set({
      generation: sql`generation + 1`,
      // the time that it has to get ready counts from here
      updated_at: sql`now()`,
      state: sql`case when state in ('stable', 'failed') then 'restarting' else state end`,
    })
    .where('id', 'in', ids)
    .where('state', 'not in', ['stopped', 'upgraded', 'deleting', ...(failed ? [] : ['failed' as const])])
    .returning(['id', 'stack_id as stackId', 'state'])
    .execute()

/** The cluster no longer has it as it was applied. */
export const forgetApplied = (db: Db, id: number) =>
  db.updateTable('service').set({ applied: 0 }).where('id', '=', id).execute()

export const deleteService = (db: Db, id: number) => db.deleteFrom('service').where('id', '=', id).execute()
