import { readTimes } from '@gantry/contract/agents/log-times'
import { agents, protocol } from '@gantry/contract/agents/protocol'
import type { Routes } from '../../http/route.ts'
import { appendLog, takeArtifact, takeEvents, takeReport } from '../pipelines/public.ts'
import { listAgents } from './agents.store.ts'
import { claim } from './claim.service.ts'
import { deployStep } from './deploy.service.ts'

interface OfBuild {
  params: { buildId: number }
  query: { attempt: number }
}
const heldBy = ({ params, query }: OfBuild) => ({ buildId: params.buildId, attempt: query.attempt })

export const routes: Routes = (route) => {
  route(agents.list, (ctx) => listAgents(ctx.db))
  route(protocol.claim, (ctx, { body }) => claim(ctx, body))
  route(protocol.events, (ctx, { params, body }) =>
    takeEvents(ctx, { buildId: params.buildId, attempt: body.attempt }, body.first, body.events),
  )
  route(protocol.log, (ctx, { params, query, upload }) =>
    appendLog(ctx, heldBy({ params, query }), params.step, query.offset, upload, readTimes(query.times ?? '')),
  )
  route(protocol.artifact, (ctx, { params, query, upload }) =>
    takeArtifact(ctx, heldBy({ params, query }), params.step, query.path, upload),
  )
  route(protocol.report, (ctx, { params, query, upload }) =>
    takeReport(ctx, heldBy({ params, query }), params.step, query.path, upload),
  )
  route(protocol.deploy, (ctx, { params, query }) => deployStep(ctx, heldBy({ params, query }), params.step))
}
