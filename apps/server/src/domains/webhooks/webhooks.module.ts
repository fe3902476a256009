import { webhooks } from '@gantry/contract/webhooks/webhooks'
import { z } from 'zod'
import { job, scheduled } from '../../kernel/jobs/jobs.ts'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import { deliver, deliverDue } from './deliveries.service.ts'
import { forgetDeliveries } from './deliveries.store.ts'
import {
  changeWebhook,
  createWebhook,
  readDeliveries,
  readWebhook,
  readWebhooks,
  redeliver,
  testWebhook,
  removeWebhook,
} from './webhooks.service.ts'

export const module = defineModule({
  routes(route) {
    route(webhooks.list, (ctx, { query }) => readWebhooks(ctx, query.keyword ?? '', page(query)))
    route(webhooks.create, (ctx, { body }) => createWebhook(ctx, body))
    route(webhooks.get, (ctx, { params }) => readWebhook(ctx, params.id))
    route(webhooks.update, (ctx, { params, body }) => changeWebhook(ctx, params.id, body))
    route(webhooks.remove, (ctx, { params }) => removeWebhook(ctx, params.id))
    route(webhooks.deliveries, (ctx, { params, query }) =>
      readDeliveries(ctx, params.id, query.state ?? '', page(query)),
    )
    route(webhooks.test, (ctx, { params }) => testWebhook(ctx, params.id))
    route(webhooks.redeliver, (ctx, { params }) => redeliver(ctx, params.id, params.deliveryId))
  },
  jobs: [
    job({ ...deliver, schema: z.object({}), every: 30, run: deliverDue }),
    scheduled({ name: 'webhooks-forget', every: 3600, run: ({ db }) => forgetDeliveries(db) }),
  ],
})
