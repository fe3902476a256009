import { sql } from 'kysely'
import { jsonb } from '../../../db/json.ts'
import type { Db } from '../../../db/tables.gen.ts'
import type { StoredReason } from './builds.store.ts'

interface StepChange {
  state: 'pending' | 'building' | 'success' | 'failed' | 'aborted' | 'not_built'
  exitCode: number | null
  reason: StoredReason | null
}

export const setStep = (db: Db, buildId: number, index: number, change: StepChange) =>
  db
    .updateTable('build_step')
    .set({
      state: change.state,
      exit_code: change.exitCode,
      reason: change.reason && jsonb(change.reason),
      ...(change.state === 'building' ? { started_at: sql`coalesce(started_at, now())` } : { ended_at: sql`now()` }),
    })
    .where('build_id', '=', buildId)
    .where('index', '=', index)
    .execute()

/** Sets the commit unless the trigger or an earlier checkout has set another one. */
export const setCommit = (db: Db, id: number, commit: string, message: string) =>
  db
    .updateTable('build')
    .set({ commit, commit_message: message })
    .where('id', '=', id)
    .where('commit', 'in', ['', commit])
    .execute()

export const stepStates = (db: Db, buildId: number, job: number) =>
  db
    .selectFrom('build_step')
    .select(['index', 'state', 'log_bytes as logBytes', 'type', 'name'])
    .where('build_id', '=', buildId)
    .where('job', '=', job)
    .orderBy('index')
    .execute()

export const isStepOf = async (db: Db, buildId: number, job: number, step: number): Promise<boolean> =>
  (await db
    .selectFrom('build_step')
    .select('index')
    .where('build_id', '=', buildId)
    .where('job', '=', job)
    .where('index', '=', step)
    .executeTakeFirst()) !== undefined

export const insertImage = (
  db: Db,
  image: {
    buildId: number
    step: number
    pipelineId: number
    registryId: number
    image: string
    tag: string
    digest: string
    size: number
  },
) =>
  db
    .insertInto('build_image')
    .values({
      build_id: image.buildId,
      step: image.step,
      pipeline_id: image.pipelineId,
      registry_id: image.registryId,
      image: image.image,
      tag: image.tag,
      digest: image.digest,
      size: image.size,
    })
    .onConflict((c) => c.constraint('build_image_once').doNothing())
    .execute()
