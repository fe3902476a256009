import { type Batch, batchesTopic } from '@gantry/contract/batch-edits/batches'
import { type Change, mapSecrets } from '@gantry/contract/batch-edits/changes'
import { note } from '../../../kernel/audit.ts'
import { afterCommit, type Ctx, inTx } from '../../../kernel/context.ts'
import { publish } from '../../../kernel/events/events.ts'
import { Fault, mustExist } from '../../../kernel/fault.ts'
import { seal, maskSealed } from '../../../kernel/secrets/secrets.ts'
import { readBatch } from './batches.read.ts'
import { beginTurn, countItems, findBatch, insertBatch, type StoredBatch, turnItems } from './batches.store.ts'
import { mustBeAllowed, mustBeReviewer, namesIn, pipelinesOf } from './preview.service.ts'
import { isWorking, nextBatch } from './states.ts'
import { workingBatches } from './working.ts'

export async function getBatch(ctx: Ctx, id: number, { lock = false } = {}): Promise<StoredBatch> {
  return mustExist(await findBatch(ctx.db, id, { lock }))
}

interface Chosen {
  pipelines: readonly { id: number; revision: number }[]
  changes: readonly Change[]
}

/** Stores the batch; the reconciler does the work, here or on another replica. */
export const applyBatch = (ctx: Ctx, teamId: number, { pipelines, changes }: Chosen): Promise<Batch> =>
  inTx(ctx, async (ctx) => {
    await mustBeAllowed(ctx, teamId, changes)
    const found = await pipelinesOf(
      ctx,
      teamId,
      pipelines.map(({ id }) => id),
    )
    const seen = new Map(pipelines.map(({ id, revision }) => [id, revision]))
    const id = await insertBatch(ctx.db, {
      teamId,
      changes: mapSecrets(changes, (secret) => (secret === '' ? '' : seal(ctx, secret))),
      actor: ctx.actor,
      pipelines: found.map((one) => ({ ...one, expected: seen.get(one.id) ?? one.revision })),
    })
    note(ctx, {
      object: `#${id}: ${namesIn(found)}`,
      after: { pipelines: found.length, changes: mapSecrets(changes, maskSealed) },
    })
    return announceBegun(ctx, { id, teamId, state: 'EDITING' })
  })

async function announceBegun(
  ctx: Ctx,
  { id, teamId, state }: Pick<StoredBatch, 'id' | 'teamId' | 'state'>,
): Promise<Batch> {
  await publish(ctx, batchesTopic, { teamId }, { batchId: id, state })
  afterCommit(ctx, workingBatches.wake)
  return readBatch(ctx.db, id)
}

/** Retries or restores a batch; 409 while it is at work, and if there is nothing to do. */
const beginAgain = (ctx: Ctx, id: number, event: 'retry' | 'restore'): Promise<Batch> =>
  inTx(ctx, async (ctx) => {
    const batch = await getBatch(ctx, id, { lock: true })
    note(ctx, { object: `#${id}` })
    // an API token may have fewer permissions than its user
    await mustBeReviewer(ctx, batch.teamId, batch.changes)
    if (isWorking(batch.state)) throw new Fault('conflict', 'batch-edits-working', { id })
    const state = nextBatch(batch.state, event, await countItems(ctx.db, id))
    if (!state) throw new Fault('conflict', `batch-edits-nothing-to-${event}`, { id })
    if (state === 'EDITING') await turnItems(ctx.db, id, ['failed'], 'waiting')
    else if (batch.state === 'RESTORE_FAILURE') await turnItems(ctx.db, id, ['left'], 'restoring')
    else await turnItems(ctx.db, id, ['changed'], 'restoring')
    await beginTurn(ctx.db, id, state, ctx.actor)
    return announceBegun(ctx, { ...batch, state })
  })

export const retryBatch = (ctx: Ctx, id: number): Promise<Batch> => beginAgain(ctx, id, 'retry')

export const restoreBatch = (ctx: Ctx, id: number): Promise<Batch> => beginAgain(ctx, id, 'restore')
