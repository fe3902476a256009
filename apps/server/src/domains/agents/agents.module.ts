import { readFile } from 'node:fs/promises'
import { readTimes } from '@gantry/agent-protocol/log-times'
import { protocolHeader, protocolVersion, understands } from '@gantry/agent-protocol/protocol'
import { agents, protocol } from '@gantry/contract/agents/protocol'
import { bestOf } from '../../db/search.ts'
import { stream } from '../../http/reply.ts'
import { hashToken } from '../../identity/sessions.ts'
import { Fault } from '../../kernel/fault.ts'
import { defineModule } from '../../module.ts'
import { appendLog, readHanded, takeArtifact, takeEvents, takeHanded, takeReport } from '../pipelines/public.ts'
import { findByToken, listAgents, putEmbedded } from './agents.store.ts'
import { claim } from './claim.service.ts'
import { deployStep } from './deploy.service.ts'
import { registryToken } from './registry-token.service.ts'

interface OfJob {
  params: { jobId: number }
  query: { attempt: number }
}
const heldBy = ({ params, query }: OfJob) => ({ jobId: params.jobId, attempt: query.attempt })

export const module = defineModule({
  routes(route) {
    route(agents.list, (ctx) => listAgents(ctx.db))
    route(protocol.claim, (ctx, { body }) => claim(ctx, body))
    route(protocol.events, (ctx, { params, body }) =>
      takeEvents(ctx, { jobId: params.jobId, attempt: body.attempt }, body.first, body.events),
    )
    route(protocol.log, (ctx, { params, query, upload }) =>
      appendLog(ctx, heldBy({ params, query }), params.step, query.offset, upload, readTimes(query.times ?? '')),
    )
    route(protocol.artifact, (ctx, { params, query, upload }) =>
      takeArtifact(ctx, heldBy({ params, query }), params.step, query.path, upload),
    )
    route(protocol.handOn, (ctx, { params, query, upload }) => takeHanded(ctx, heldBy({ params, query }), upload))
    route(protocol.handed, async (ctx, { params, query }) => {
      const { body, size } = await readHanded(ctx, heldBy({ params, query }), params.from)
      return stream(body, { 'content-length': String(size) })
    })
    route(protocol.report, (ctx, { params, query, upload }) =>
      takeReport(ctx, heldBy({ params, query }), params.step, query.path, upload),
    )
    route(protocol.registryToken, (ctx, { params, query }) =>
      registryToken(ctx, heldBy({ params, query }), params.step),
    )
    route(protocol.deploy, (ctx, { params, query }) => deployStep(ctx, heldBy({ params, query }), params.step))
  },
  search: [
    {
      kind: 'agent',
      needs: 'admin',
      async find(db, wanted) {
        const rows = await db
          .selectFrom('agent')
          .select(['agent.id', 'agent.name', 'agent.os_type as osType'])
          .$call(bestOf(wanted, { name: 'agent.name' }))
          .execute()
        return rows.map(({ id, name, osType, rank, elsewhere }) => ({
          rank,
          elsewhere,
          hit: { kind: 'agent', name, hint: osType, team: null, place: { id } },
        }))
      },
    },
  ],
  /** The product's own agent logs in with the credential that the supervisor wrote for both. */
  onStart: {
    order: 20,
    async run(ctx) {
      if (ctx.config.agentTokenFile === undefined) return
      const token = (await readFile(ctx.config.agentTokenFile, 'utf8')).trim()
      await putEmbedded(ctx.db, hashToken(token))
    },
  },
  agentCredential: {
    find: findByToken,
    admit(header) {
      const agent = header(protocolHeader) ?? ''
      if (understands(protocolVersion, agent)) return
      throw new Fault('invalid', 'agents-protocol', { server: protocolVersion, agent: agent.slice(0, 20) || '–' })
    },
  },
})
