import type { Demand } from '@gantry/contract/stacks/demand'
import type { ServiceState } from '@gantry/contract/stacks/states'
import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { Adopted } from '../adoption/adopted.ts'
import type { PodsBefore, StoredCopy } from '../copies/copy.ts'
import type { Pins } from '../revisions/pins.ts'
import type { KeptSpec, ServiceRow } from './services.store.ts'

/** Returns the new service's id; undefined if the stack has a service with that name. */
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
  /** The new specification to apply. */
  wanted?: KeptSpec
  /** What a rollback returns to; null if there is nothing any more. */
  previous?: KeptSpec | null
  outgoing?: Demand
  /** Creates a revision: `pods` replaces the pods; `replicas` keeps them, as does what they were made of. */
  newRevision?: 'pods' | 'replicas' | PodsBefore
  copy?: StoredCopy
  restart?: boolean
  /** Autoscaling begins with the number in the specification. */
  freshScaling?: boolean
  /** Whether its claims are deleted with it. */
  dropClaims?: boolean
  /** The open release that it joins. */
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
      // autoscaling decides at once by the new specification
      scale_until: null,
      // changes of others are overwritten, or will be noticed again
      drift: 0,
      ...(change.newRevision ? { revision: sql`revision + 1` } : {}),
      ...(change.newRevision === 'pods'
        ? { pod_revision: sql`revision + 1`, pod_digest: change.wanted?.digest ?? '' }
        : {}),
      ...(typeof change.newRevision === 'object' ? madeOf(change.newRevision) : {}),
      ...(change.copy ? { copy: jsonb(change.copy) } : {}),
      ...(change.freshScaling ? { instances: null } : {}),
      // the same image again, even if its tag has moved
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
  /** Whether the resources of the state before the last change are no longer used. */
  settled?: boolean
  /** The copy at its end. */
  copy?: StoredCopy
}

/** Stores what was observed of a generation; false if there is a newer one. */
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

/** Stores the digests of a generation's tags, also for the present revision and the one that created the pods. */
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

/** Stores the progress of a generation's copy. `again`: apply it again. */
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

/** Notes that its workload has the product's labels. */
export const noteTaken = (db: Db, id: number, adopted: Adopted) =>
  db
    .updateTable('service')
    .set({ adopted: jsonb({ ...adopted, taken: true }) })
    .where('id', '=', id)
    .execute()

/** Sets which services of the stack this one waits for at its start. */
export const setRequires = (db: Db, stackId: number, name: string, requires: readonly string[]) =>
  db
    .updateTable('service')
    .set({ requires: [...requires] })
    .where('stack_id', '=', stackId)
    .where('name', '=', name)
    .execute()

/** Makes unchanged services a part of a release, until it is confirmed. */
export const joinRelease = async (db: Db, ids: readonly number[], releaseId: number): Promise<void> => {
  if (ids.length === 0) return
  await db.updateTable('service').set({ release_id: releaseId }).where('id', 'in', ids).execute()
}

/** Ends the membership of services in a release. */
export const leaveRelease = (db: Db, releaseId: number) =>
  db.updateTable('service').set({ release_id: null }).where('release_id', '=', releaseId).execute()

/** Locks services, always in the same order, so that concurrent changes of the same services do not deadlock. */
export const lockServices = async (db: Db, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await db.selectFrom('service').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

/**
 * Has services applied again, as something that they depend on has changed. Skips those that are stopped, upgraded or
 * being deleted; and failed ones too, unless the change may repair them. Returns those that begin again.
 */
export const repeatApplying = (db: Db, ids: readonly number[], { failed = false } = {}) =>
  db
    .updateTable('service')
    .set({
      generation: sql`generation + 1`,
      // the time to become ready counts from now
      updated_at: sql`now()`,
      state: sql`case when state in ('stable', 'failed') then 'restarting' else state end`,
    })
    .where('id', 'in', ids)
    .where('state', 'not in', ['stopped', 'upgraded', 'deleting', ...(failed ? [] : ['failed' as const])])
    .returning(['id', 'stack_id as stackId', 'state'])
    .execute()

/** Marks a service as not applied, because the cluster no longer has it so. */
export const forgetApplied = (db: Db, id: number) =>
  db.updateTable('service').set({ applied: 0 }).where('id', '=', id).execute()

export const deleteService = (db: Db, id: number) => db.deleteFrom('service').where('id', '=', id).execute()
