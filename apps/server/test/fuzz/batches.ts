import { batches } from '@gantry/contract/batch-edits/batches'
import type { ChangeInput } from '@gantry/contract/batch-edits/changes'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { until } from '../own-namespace.ts'
import type { Thing } from './pool.ts'
import { type Place, type Set } from './story.ts'

/** Batch edits: one that is restored, and one that fails and is retried. */
export async function editInBatch({ run }: Set, { side, leader }: Place, made: Thing['values']): Promise<void> {
  const { team = 0, group = 0 } = made
  const params = { teamId: Number(team) }
  const place = { appId: Number(group), pipelineId: Number(made.pipeline) }
  const within: Thing = { side, values: made }
  const { revision } = await run.make(leader, pipelines.setting, { params: place }, within)
  const apply = async (seen: number) => {
    const changes: ChangeInput[] = [{ type: 'set', field: 'description', value: run.fresh(side) }]
    const selection = { ids: [place.pipelineId] }
    await run.make(leader, batches.validate, { body: { ...params, selection, changes } }, within)
    const body = { pipelines: [{ id: place.pipelineId, revision: seen }], changes }
    const { id } = await run.make(leader, batches.apply, { params, body }, within)
    const inBatch: Thing = { side, values: { team, batch: id } }
    run.pool.add(inBatch)
    const done = () =>
      until('the end of the batch', async () => {
        const { state } = await run.make(leader, batches.get, { params: { id } }, inBatch)
        return state === 'EDITING' || state === 'RESTORING' ? undefined : state
      })
    await done()
    return { id, inBatch, done }
  }
  const first = await apply(revision)
  await run.make(leader, batches.restore, { params: { id: first.id } }, first.inBatch)
  await first.done()
  // based on a revision that has been changed since
  const stale = await apply(revision)
  await run.make(leader, batches.retry, { params: { id: stale.id } }, stale.inBatch)
  await stale.done()
}
