import { readFile } from 'node:fs/promises'
import { readTimes } from '@gantry/agent-protocol/log-times'
import { protocolHeader } from '@gantry/agent-protocol/protocol'
import { agents } from '@gantry/contract/agents/agents'
import { protocol } from '@gantry/contract/agents/protocol'
import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import { stream } from '../../http/reply.ts'
import { hashToken } from '../../identity/sessions.ts'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import { analysisResult, beginAnalysis } from '../code-quality/public.ts'
import {
  appendLog,
  findCache,
  keepCache,
  readCache,
  readHanded,
  serveStep,
  takeArtifact,
  takeCoverage,
  takeEvents,
  storeHandover,
  takeReport,
  takeScan,
} from '../pipelines/public.ts'
import { listAgents, listHosts, readAgent } from './agents.read.ts'
import { changeAgent, cleanAgent, pauseAgent, removeAgent, stopJobOf } from './agents.service.ts'
import { findByToken, putEmbedded } from './agents.store.ts'
import { claim } from './claim.service.ts'
import { deployStep } from './deploy.service.ts'
import { addAgent, exchangeToken, mustUnderstand, programOf, renewToken } from './registration.service.ts'
import { registryToken } from './registry-token.service.ts'
import { historyOf, jobsOf, queueOf } from './work.read.ts'
import { countOfTeam } from '../../db/list.ts'
import { search } from './agents.search.ts'

interface OfJob {
  params: { jobId: number }
  query: { attempt: number }
}
const leaseOf = ({ params, query }: OfJob) => ({ jobId: params.jobId, attempt: query.attempt })

export const module = defineModule({
  routes(route) {
    route(agents.list, (ctx) => listAgents(ctx.db))
    route(agents.create, (ctx, { body }) => addAgent(ctx, body))
    route(agents.program, async (ctx) => stream(await programOf(ctx), {}))
    route(agents.hosts, (ctx, { query }) => listHosts(ctx.db, query, page(query)))
    route(agents.get, (ctx, { params }) => readAgent(ctx.db, params.id))
    route(agents.update, (ctx, { params, body }) => changeAgent(ctx, params.id, body))
    route(agents.pause, (ctx, { params, body }) => pauseAgent(ctx, params.id, body.paused))
    route(agents.renew, (ctx, { params }) => renewToken(ctx, params.id))
    route(agents.remove, (ctx, { params }) => removeAgent(ctx, params.id))
    route(agents.clean, (ctx, { params }) => cleanAgent(ctx, params.id))
    route(agents.history, (ctx, { params, query }) => historyOf(ctx.db, params.id, page(query)))
    route(agents.queues, (ctx, { params, query }) => queueOf(ctx.db, params.id, page(query)))
    route(agents.jobs, (ctx, { params }) => jobsOf(ctx.db, params.id))
    route(agents.stopJob, (ctx, { params }) => stopJobOf(ctx, params.id, params.name, params.jobId))
    route(protocol.register, (ctx, { body, header }) => {
      mustUnderstand(header(protocolHeader) ?? '')
      return exchangeToken(ctx, body.token, body.credential)
    })
    route(protocol.claim, (ctx, { body, header }) => claim(ctx, { ...body, protocol: header(protocolHeader) ?? '' }))
    route(protocol.events, (ctx, { params, body }) =>
      takeEvents(ctx, { jobId: params.jobId, attempt: body.attempt }, body.first, body.events),
    )
    route(protocol.log, (ctx, { params, query, upload }) =>
      appendLog(ctx, leaseOf({ params, query }), params.step, query.offset, upload, readTimes(query.times ?? '')),
    )
    route(protocol.artifact, (ctx, { params, query, upload }) =>
      takeArtifact(ctx, leaseOf({ params, query }), params.step, query.path, upload),
    )
    route(protocol.handOn, (ctx, { params, query, upload }) => storeHandover(ctx, leaseOf({ params, query }), upload))
    route(protocol.handed, async (ctx, { params, query }) => {
      const { body, size } = await readHanded(ctx, leaseOf({ params, query }), params.from)
      return stream(body, { 'content-length': String(size) })
    })
    route(stepProtocol.cache, (ctx, { params, query, body }) => findCache(ctx, leaseOf({ params, query }), body))
    route(stepProtocol.cached, async (ctx, { params, query }) => {
      const { body, size } = await readCache(ctx, leaseOf({ params, query }), params.entry)
      return stream(body, { 'content-length': String(size) })
    })
    route(stepProtocol.keepCache, (ctx, { params, query, upload }) =>
      keepCache(ctx, leaseOf({ params, query }), query, upload),
    )
    route(stepProtocol.coverage, (ctx, { params, query, upload }) =>
      takeCoverage(ctx, leaseOf({ params, query }), params.step, upload),
    )
    route(stepProtocol.scan, (ctx, { params, query, upload }) =>
      takeScan(ctx, leaseOf({ params, query }), params.step, query.path, upload),
    )
    route(protocol.report, (ctx, { params, query, upload }) =>
      takeReport(ctx, leaseOf({ params, query }), params.step, query.path, upload),
    )
    route(stepProtocol.registryToken, (ctx, { params, query }) =>
      registryToken(ctx, leaseOf({ params, query }), params.step),
    )
    route(stepProtocol.codeQuality, (ctx, { params, query }) =>
      beginAnalysis(ctx, leaseOf({ params, query }), params.step),
    )
    route(stepProtocol.codeQualityResult, (ctx, { params, query }) =>
      analysisResult(ctx, leaseOf({ params, query }), params.step, query.task),
    )
    route(stepProtocol.serve, (ctx, { params, query, body }) =>
      serveStep(ctx, leaseOf({ params, query }), params.step, body),
    )
    route(stepProtocol.deploy, (ctx, { params, query }) => deployStep(ctx, leaseOf({ params, query }), params.step))
  },
  search: [search],
  /** The product's own agent logs in with the credential that the supervisor wrote for both. */
  onStart: {
    order: 20,
    async run(ctx) {
      if (ctx.config.agentTokenFile === undefined) return
      const token = (await readFile(ctx.config.agentTokenFile, 'utf8')).trim()
      await putEmbedded(ctx.db, hashToken(token), ctx.config.embeddedCapacity)
    },
  },
  agentCredential: {
    find: findByToken,
    admit: (header) => mustUnderstand(header(protocolHeader) ?? ''),
  },
  onTeamDelete: {
    phrase: 'team-owned-agents',
    count: countOfTeam('agent'),
  },
})
