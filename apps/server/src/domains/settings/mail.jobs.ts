import { z } from 'zod'
import { job } from '../../kernel/jobs.ts'
import { deliver } from './outbox.queue.ts'
import { deliverDue } from './outbox.service.ts'
import { forgetEnded } from './outbox.store.ts'

export const jobs = [
  job({ ...deliver, schema: z.object({}), every: 30, run: deliverDue }),
  job({
    name: 'settings-forget-mail',
    schema: z.object({}),
    every: 3600,
    run: ({ db }) => forgetEnded(db),
  }),
]
