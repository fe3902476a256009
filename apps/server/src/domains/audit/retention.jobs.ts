import { z } from 'zod'
import { job } from '../../kernel/jobs.ts'
import { expireAudit } from './retention.service.ts'

export const jobs = [
  job({
    name: 'audit-expire',
    schema: z.object({}),
    every: 3600,
    run: async (ctx) => {
      const gone = await expireAudit(ctx)
      if (gone > 0) ctx.log.info({ rows: gone }, 'old audit rows were removed')
    },
  }),
]
