import type { Revision } from '@gantry/contract/stacks/services'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { sql } from 'kysely'
import type { z } from 'zod'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import { buildOfKey, isAttemptAt } from './deploy-key.store.ts'
import { type Pins, readPins } from './pins.ts'
import { type KeptSpec, type ServiceRow, specIn } from '../services/services.store.ts'
import { buildRows, pipelineRows } from '../../pipelines/public.read.ts'

export interface NewRevision {
  serviceId: number
  revision: number
  kept: KeptSpec
  /** The fields that differ from the previous revision; null for the first one. */
  changes: (keyof ServiceSpec)[] | null
  action: string
  by: string
  deployKey: string | null
}

/** False if this attempt of a build step has created a revision already. */
export const insertRevision = async (db: Db, revision: NewRevision): Promise<boolean> =>
  (await db
    .insertInto('service_revision')
    .values({
      service_id: revision.serviceId,
      revision: revision.revision,
      spec: jsonb(revision.kept.spec),
      secrets: revision.kept.secrets,
      image: revision.kept.spec.image,
      digest: revision.kept.digest,
      pins: revision.kept.pins && jsonb(revision.kept.pins),
      changes: revision.changes,
      action: revision.action,
      by: revision.by,
      deploy_key: revision.deployKey,
    })
    .onConflict((c) => c.constraint('service_revision_deploy').doNothing())
    .returning('revision')
    .executeTakeFirst()) !== undefined

/** Stores the running digest, for the present revision and the one that created the pods. */
export const noteRevisionDigest = (
  db: Db,
  { id, revision, podRevision }: Pick<ServiceRow, 'id' | 'revision' | 'podRevision'>,
  digest: string,
) =>
  db
    .updateTable('service_revision')
    .set({ digest })
    .where('service_id', '=', id)
    .where('revision', 'in', [podRevision, revision])
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

/** The last revision that an attempt at a deployment made. */
export const lastOfDeploy = (db: Db, serviceId: number, key: string) =>
  db
    .selectFrom('service_revision')
    .select(['revision', 'deploy_key as deployKey'])
    .where('service_id', '=', serviceId)
    .where(isAttemptAt(key))
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The specification of a revision, if it is stored; without secrets. */
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

/** The number of instances before the service was stopped, and whether autoscaling was active. */
export const beforeStop = async (db: Db, serviceId: number): Promise<{ replicas: number; autoscaled: boolean }> =>
  (await db
    .selectFrom('service_revision')
    .select([
      sql<number>`(spec->>'replicas')::int`.as('replicas'),
      sql<boolean>`spec ? 'autoscaling' and coalesce(spec #>> '{autoscaling,paused}', 'false') = 'false'`.as(
        'autoscaled',
      ),
    ])
    .where('service_id', '=', serviceId)
    .where(sql<boolean>`(spec->>'replicas')::int > 0`)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()) ?? { replicas: 1, autoscaled: false }

/** Everything stored about a service at a revision, including secrets. */
export async function keptAt(
  db: Db,
  { id, type }: Pick<ServiceRow, 'id' | 'type'>,
  revision: number,
): Promise<KeptSpec | undefined> {
  const row = await db
    .selectFrom('service_revision')
    .select(['spec', 'secrets', 'digest', 'pins'])
    .where('service_id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return row && { ...row, spec: specIn(type, row.spec), pins: readPins(row.pins) }
}

type StoredRevision = Omit<z.infer<typeof Revision>, 'unpinned'> & { unpinned: Pins['problem'] }

const fields = ServiceSpec.keyof()
/** Omits a field that an older release knew, and this one does not. */
const knownFields = (stored: readonly string[]): (keyof ServiceSpec)[] =>
  stored.flatMap((field) => fields.safeParse(field).data ?? [])

/** The latest revisions, each with its changes and the build that made it; the documents are not read. */
export async function revisionsOf(db: Db, serviceId: number, count = 50): Promise<StoredRevision[]> {
  const rows = await db
    .selectFrom('service_revision as r')
    .leftJoin(buildRows.as('b'), (join) => join.on('b.id', '=', buildOfKey('r.deploy_key')))
    .leftJoin(pipelineRows.as('p'), 'p.id', 'b.pipeline_id')
    .select([
      'r.revision',
      'r.image',
      'r.digest',
      'r.changes',
      'r.action',
      'r.by',
      'r.created_at as createdAt',
      'r.pins',
    ])
    .select(['b.number', 'p.id as pipelineId', 'p.group_id as groupId', 'p.name as pipeline'])
    .where('r.service_id', '=', serviceId)
    .orderBy('r.revision', 'desc')
    .limit(count)
    .execute()
  return rows.map(({ changes, pins, number, pipelineId, groupId, pipeline, ...row }) => ({
    ...row,
    unpinned: readPins(pins)?.problem ?? null,
    changes: changes && knownFields(changes),
    build:
      number !== null && pipelineId !== null && groupId !== null && pipeline !== null
        ? { number, pipelineId, groupId, pipeline }
        : null,
  }))
}
