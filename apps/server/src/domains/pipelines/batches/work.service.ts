import { batchesTopic, type ItemOutcome } from '@gantry/contract/batch-edits/batches'
import { type Change, mapSecrets } from '@gantry/contract/batch-edits/changes'
import { changedFields } from '@gantry/contract/documents'
import type { PipelineDocument } from '@gantry/contract/pipelines/editing/definitions'
import type { Repository } from '@gantry/contract/pipelines/pipelines'
import { pipelinesTopic } from '@gantry/contract/pipelines/topics'
import { mustHold } from '../../../identity/access.ts'
import { type Actor, type Ctx, scoped } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { reconciler, type Round } from '../../../kernel/reconcile.ts'
import { open } from '../../../kernel/secrets/secrets.ts'
import { notify } from '../../notifications/public.ts'
import { changePipelines } from '../pipelines/changes.service.ts'
import { documentOf, sealedRepository, unsealed } from '../pipelines/documents.ts'
import { findPipeline, type StoredPipeline } from '../pipelines/pipelines.store.ts'
import { checkBranch } from '../pipelines/repository.service.ts'
import {
  countItems,
  endTurn,
  findBatch,
  itemsWith,
  lockItem,
  setItem,
  type StoredBatch,
  type StoredItem,
} from './batches.store.ts'
import { changedSecrets, only, planOf, Refusal, refusalOf } from './plan.ts'
import { nextBatch } from './states.ts'
import { workingBatches } from './working.ts'

/** Repositories whose branches are looked up at the same time. */
const lanes = 8
/** The shortest time between two progress events. */
const tellMs = 500

/** The work of one turn, on behalf of the user who requested it. */
interface Turn {
  batch: StoredBatch
  actor: Actor
  /** With secrets in plain text. */
  changes: readonly Change[]
}

/** The user who requested the batch, with their present permissions. */
async function actorOf(ctx: Ctx, { actor, actorName, teamId }: StoredBatch): Promise<Actor> {
  if (!actor) throw new Fault('forbidden', 'batch-edits-actor-gone', { name: actorName })
  await mustHold({ db: ctx.db, actor }, teamId, 'pipeline_pipeline_edit').catch((error: unknown) => {
    // the usual message addresses the user who lacks the permission, but others read this one
    if (!(error instanceof Fault)) throw error
    throw new Fault('forbidden', 'batch-edits-actor-may-not', { name: actorName })
  })
  return actor
}

async function pipelineOf(ctx: Ctx, { teamId }: StoredBatch, id: number): Promise<StoredPipeline> {
  const pipeline = await findPipeline(ctx.db, id, { lock: ctx.db.isTransaction })
  if (pipeline?.teamId !== teamId) throw new Fault('missing', 'batch-edits-pipeline-gone')
  return pipeline
}

/** Refuses what only the repository's host can tell; returns the checked revision, undefined if none had to be. */
async function checkRepository(ctx: Ctx, { batch, changes }: Turn, id: number): Promise<number | undefined> {
  const pipeline = await pipelineOf(ctx, batch, id)
  const { repository } = planOf(pipeline, changes).fields
  if (!repository || !reaches(repository, pipeline.repository)) return undefined
  await checkBranch(ctx, pipeline.teamId, sealedRepository(ctx, repository, pipeline.repository))
  return pipeline.revision
}

const reaches = (after: Repository, before: Repository | null): boolean =>
  before === null || changedFields(after, before).length > 0

const changesRepository = (changes: readonly Change[]): boolean =>
  changes.some(
    (change) =>
      (change.type === 'set' && change.field.startsWith('repository.')) ||
      (change.type === 'replace-text' && change.in.startsWith('repository.')),
  )

/** Changes one pipeline in the open transaction. `checked`: the revision whose repository was reached. */
async function change(
  ctx: Ctx,
  { batch, changes }: Turn,
  id: number,
  item: StoredItem,
  checked: number | undefined,
): Promise<void> {
  const pipeline = await pipelineOf(ctx, batch, id)
  const { fields, refusal } = planOf(pipeline, changes)
  if (refusal) throw refusal
  const before = documentOf(pipeline)
  const [after] = await changePipelines(ctx, [
    { type: 'set', id, fields, revision: item.expected ?? checked ?? pipeline.revision },
  ])
  const { revision, projectName, ...rest } = mustExist(after)
  const is: PipelineDocument = documentOf({ ...rest, revision, projectName })
  const changed = revision === pipeline.revision ? [] : changedFields(before, is)
  const [was, now] = [only(before, changed), only(is, changed)]
  await setItem(ctx.db, batch.id, id, {
    outcome: changed.length > 0 ? 'changed' : 'unchanged',
    projectName,
    revision,
    before: was,
    after: now,
    secrets: changedSecrets(was, now),
  })
}

/** Restores the fields of one pipeline in the open transaction, unless somebody has changed them since. */
async function restore(ctx: Ctx, { batch }: Turn, id: number, item: StoredItem): Promise<void> {
  await pipelineOf(ctx, batch, id)
  const fields = unsealed(ctx, item.before)
  const revision = item.revision ?? undefined
  const [after] = await changePipelines(ctx, [{ type: 'set', id, fields, revision }]).catch((error: unknown) => {
    if (error instanceof Fault && error.key === 'resource-missing')
      throw new Refusal({ key: 'batch-edits-group-gone', vars: {} }, 'appId')
    throw error
  })
  await setItem(ctx.db, batch.id, id, { outcome: 'restored', projectName: mustExist(after).projectName })
}

/**
 * Changes one pipeline and its item in one transaction, which is rolled back if the server is killed. False if the
 * round has ended.
 */
async function settle(ctx: Ctx, round: Round, turn: Turn, id: number, checking?: Promise<number | undefined>) {
  const { batch } = turn
  const editing = batch.state === 'EDITING'
  try {
    const checked = await checking
    return await round.note(async (ctx) => {
      const item = await lockItem(ctx.db, batch.id, id, editing ? 'waiting' : 'restoring')
      if (!item) return
      // since the round began, the account may have been disabled or may have ceased to be an administrator
      const own = { ...scoped(ctx), actor: await actorOf(ctx, (await findBatch(ctx.db, batch.id)) ?? batch) }
      await (editing ? change(own, turn, id, item, checked) : restore(own, turn, id, item))
    })
  } catch (error) {
    if (ctx.signal.aborted) throw error
    const refusal = refusalOf(error)
    if (!refusal) ctx.log.error({ err: error, batch: batch.id, pipeline: id }, 'a pipeline of a batch met an error')
    const { reason, path } = refusal ?? { reason: { key: 'batch-edits-unforeseen', vars: {} }, path: '' }
    const outcome: ItemOutcome = editing ? 'failed' : 'left'
    return round.note(async (ctx) => {
      const item = await lockItem(ctx.db, batch.id, id, editing ? 'waiting' : 'restoring')
      if (item) await setItem(ctx.db, batch.id, id, { outcome, reason, path })
    })
  }
}

/** Does all waiting items, then ends the batch. May be interrupted anywhere: another round does the remaining ones. */
async function reconcileBatch(ctx: Ctx, { id }: { id: number }, round: Round): Promise<number> {
  const batch = await findBatch(ctx.db, id)
  if (!batch) return 0
  const actor = batch.actor ?? ctx.actor
  const changes = mapSecrets(batch.changes, (sealed) => (sealed === '' ? '' : open(ctx, sealed)))
  const turn: Turn = { batch, actor, changes }
  const editing = batch.state === 'EDITING'
  const reaching = editing && changesRepository(changes)
  let publishedAt = 0
  const waiting = await itemsWith(ctx.db, id, editing ? 'waiting' : 'restoring')
  for (let at = 0; at < waiting.length; at += lanes) {
    const some = waiting.slice(at, at + lanes)
    const own = { ...ctx, actor }
    const checks = reaching ? some.map((one) => checkRepository(own, turn, one)) : []
    // each is awaited in its turn, and may be rejected before that
    for (const check of checks) check.catch(() => undefined)
    for (const [index, one] of some.entries()) if (!(await settle(ctx, round, turn, one, checks[index]))) return 0
    if (Date.now() - publishedAt < tellMs) continue
    publishedAt = Date.now()
    await publish(ctx, batchesTopic, { teamId: batch.teamId }, { batchId: id, state: batch.state })
  }
  await round.note((ctx) => end(ctx, batch))
  return 0
}

async function end(ctx: Ctx, batch: StoredBatch): Promise<void> {
  const { id, teamId } = batch
  const counts = await countItems(ctx.db, id)
  const state = nextBatch(batch.state, 'ended', counts)
  if (!state) return
  await endTurn(ctx.db, id, state)
  await publish(ctx, batchesTopic, { teamId }, { batchId: id, state })
  await publish(ctx, pipelinesTopic, { teamId })
  const failed = counts.failed + counts.left
  const restored = batch.state === 'RESTORING'
  const key = `notifications-batch-${restored ? 'restored' : 'edited'}${failed > 0 ? '-in-part' : ''}` as const
  await notify(ctx, [batch.actor?.id], {
    kind: 'pipeline-batch',
    tone: failed > 0 ? 'warn' : 'ok',
    text: {
      key,
      vars: { count: restored ? counts.restored : counts.changed, failed: restored ? counts.left : counts.failed },
    },
    teamId,
    permission: 'pipeline_pipeline_view',
    target: { route: 'cd-batch-history', params: { team_id: teamId } },
  })
}

export const batchReconciler = reconciler(workingBatches, reconcileBatch)
