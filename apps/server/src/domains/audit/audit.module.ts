import { audit } from '@gantry/contract/audit/audit'
import { attachment, stream } from '../../http/reply.ts'
import { scheduled } from '../../kernel/jobs/jobs.ts'
import { defineModule } from '../../module.ts'
import { readOne, search } from './audit.service.ts'
import { exportCsv } from './export.service.ts'
import { expireAudit, readRetention, setRetention } from './retention.service.ts'

export const module = defineModule({
  routes(route) {
    route(audit.search, (ctx, { query }) => search(ctx, query))
    route(audit.get, (ctx, { params }) => readOne(ctx, params.id))
    route(audit.csv, async (ctx, { query }) =>
      stream(await exportCsv(ctx, query), { 'content-disposition': attachment('audit.csv') }),
    )
    route(audit.retention, (ctx) => readRetention(ctx))
    route(audit.setRetention, (ctx, { body }) => setRetention(ctx, body.days))
  },
  jobs: [
    scheduled({
      name: 'audit-expire',
      every: 3600,
      run: async (ctx) => {
        const gone = await expireAudit(ctx)
        if (gone > 0) ctx.log.info({ rows: gone }, 'old audit rows were removed')
      },
    }),
  ],
})
