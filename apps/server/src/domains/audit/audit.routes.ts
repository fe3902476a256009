import { audit } from '@gantry/contract/audit/audit'
import { attachment, stream } from '../../http/reply.ts'
import type { Routes } from '../../http/route.ts'
import { readOne, search } from './audit.service.ts'
import { exportCsv } from './export.service.ts'
import { readRetention, setRetention } from './retention.service.ts'

export const routes: Routes = (route) => {
  route(audit.search, (ctx, { query }) => search(ctx, query))
  route(audit.get, (ctx, { params }) => readOne(ctx, params.id))
  route(audit.csv, async (ctx, { query }) =>
    stream(await exportCsv(ctx, query), { 'content-disposition': attachment('audit.csv') }),
  )
  route(audit.retention, (ctx) => readRetention(ctx))
  route(audit.setRetention, (ctx, { body }) => setRetention(ctx, body.days))
}
