import { batches, batchesTopic } from '@gantry/contract/batch-edits/batches'
import { id } from '@gantry/contract/ids'
import { serve } from '../../../http/push/sources.ts'
import { scheduled } from '../../../kernel/jobs/jobs.ts'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { listBatches, listItems, readBatch } from './batches.read.ts'
import { applyBatch, restoreBatch, retryBatch } from './batches.service.ts'
import { batchTeam, deleteOldBatches } from './batches.store.ts'
import { previewBatch } from './preview.service.ts'
import { batchReconciler } from './work.service.ts'

export const module = defineModule({
  routes(route) {
    route(batches.history, (ctx, { params, query: { keyword = '', state = '', ...query } }) =>
      listBatches(ctx.db, params.teamId, { keyword, state }, page(query)),
    )
    route(batches.validate, (ctx, { body, query }) => previewBatch(ctx, body, query.outcome ?? '', page(query)))
    route(batches.apply, (ctx, { params, body }) => applyBatch(ctx, params.teamId, body))
    route(batches.restore, (ctx, { params }) => restoreBatch(ctx, params.id))
    route(batches.retry, (ctx, { params }) => retryBatch(ctx, params.id))
    route(batches.get, (ctx, { params }) => readBatch(ctx.db, params.id))
    route(batches.items, (ctx, { params, query: { keyword = '', outcome = '', ...query } }) =>
      listItems(ctx.db, ctx, params.id, { keyword, outcome }, page(query)),
    )
  },
  owners: [
    {
      kind: 'pipeline-batch',
      teamOf: async (db, text) => {
        const key = id.safeParse(text)
        return key.success ? batchTeam(db, key.data) : undefined
      },
    },
  ],
  topics: [serve(batchesTopic)],
  reconcilers: [batchReconciler],
  jobs: [
    scheduled({
      name: 'pipelines-forget-batches',
      every: 3600,
      run: async ({ db }) => void (await deleteOldBatches(db)),
    }),
  ],
})
