import { historyDays } from '@gantry/contract/alarms/rules'
import { databaseNow } from '../../../db/clock.ts'
import { job, scheduled } from '../../../kernel/jobs/jobs.ts'
import { defineModule } from '../../../module.ts'
import { evaluateRules } from './evaluate.queue.ts'
import { evaluateAll, roundSeconds } from './evaluate.service.ts'
import { forgetEvents } from './evaluate.store.ts'

const evaluate = job({
  ...evaluateRules,
  every: roundSeconds,
  run: async (ctx) => {
    await evaluateAll(ctx, (await databaseNow(ctx.db)).getTime())
  },
})

const forget = scheduled({
  name: 'alarms-forget',
  every: 3600,
  run: ({ db }) => forgetEvents(db, historyDays),
})

export const module = defineModule({ jobs: [evaluate, forget] })
