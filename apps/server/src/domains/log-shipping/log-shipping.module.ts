import { collection } from '@gantry/contract/log-shipping/collection'
import { kafka } from '@gantry/contract/log-shipping/kafka'
import { defineModule } from '../../module.ts'
import { auditShipper } from './audit.service.ts'
import { collectorReconciler } from './collecting.service.ts'
import { readLogs, writeLogs } from './collection.service.ts'
import { readKafka, writeKafka } from './kafka.service.ts'

export const module = defineModule({
  routes(route) {
    route(kafka.get, (ctx) => readKafka(ctx))
    route(kafka.set, (ctx, { body }) => writeKafka(ctx, body))
    route(collection.get, (ctx) => readLogs(ctx))
    route(collection.set, (ctx, { body }) => writeLogs(ctx, body))
  },
  reconcilers: [auditShipper, collectorReconciler],
})
