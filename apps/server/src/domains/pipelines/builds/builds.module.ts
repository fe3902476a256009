import { Readable } from 'node:stream'
import { builds } from '@gantry/contract/pipelines/builds'
import { teamBuilds } from '@gantry/contract/pipelines/builds/team-builds'
import { buildLogTopic, buildsTopic, buildTopic } from '@gantry/contract/pipelines/topics'
import { attachment, stream } from '../../../http/reply.ts'
import { serve } from '../../../http/push/sources.ts'
import { mustExist } from '../../../kernel/fault.ts'
import { page } from '../../../kernel/paging.ts'
import { sharedRead } from '../../../db/shared-read.ts'
import { defineModule } from '../../../module.ts'
import { requestedAttempt } from '../attempts/attempts.service.ts'
import { logText, readLog, searchLogs, stepLog, wholeLog } from '../logs/logs.service.ts'
import { approvalsThatWait, startsThatWait } from '../jobs/gates.decisions.ts'
import { decide, withQuestion } from '../jobs/gates.service.ts'
import { getPipeline, idOfPipeline } from '../pipelines/pipelines.service.ts'
import { readQueue } from '../queue/queue.read.ts'
import { listImages, readBuild } from './builds.read.ts'
import { buildChoices, listBuilds, listTeamBuilds } from './lists.read.ts'
import { search as buildsSearch } from './builds.search.ts'
import { cancelQueued, removeBuilds, stopBuild, stopBuildsOf, triggerBuild } from './builds.service.ts'
import { retryBuild } from './retry.service.ts'
import { search as imagesSearch } from './images.search.ts'
import { readWithheld } from './withheld.service.ts'

export const module = defineModule({
  routes(route) {
    route(builds.list, async (ctx, { params, query }) => {
      const [{ db, lang }, id] = [ctx, await idOfPipeline(ctx, params.id)]
      return sharedRead(db, ['builds', lang, id, query], () => listBuilds(db, lang, id, query, page(query)))
    })
    route(teamBuilds.list, ({ db, lang }, { params: { teamId }, query }) =>
      sharedRead(db, ['team-builds', lang, teamId, query], () => listTeamBuilds(db, lang, teamId, query, page(query))),
    )
    route(teamBuilds.choices, (ctx, { params, query }) => buildChoices(ctx.db, params.teamId, query.pipelineId))
    route(builds.get, async (ctx, { params, query }) => {
      const pipeline = await getPipeline(ctx, params.id)
      const of = await requestedAttempt(ctx, pipeline.id, params.number, query)
      return withQuestion(ctx, pipeline, mustExist(await readBuild(ctx.db, ctx.lang, pipeline.id, params.number, of)))
    })
    route(builds.withheld, (ctx, { params }) => readWithheld(ctx, params.id, params.number))
    route(builds.current, async (ctx, { params }) => {
      const pipeline = await getPipeline(ctx, params.id)
      const build = await readBuild(ctx.db, ctx.lang, pipeline.id)
      return build ? withQuestion(ctx, pipeline, build) : null
    })
    route(builds.queue, async (ctx, { params }) => readQueue(ctx, await idOfPipeline(ctx, params.id)))
    route(builds.trigger, (ctx, { params, body }) => triggerBuild(ctx, params.id, { cause: 'manual', ...body }))
    route(builds.triggerWithParameters, (ctx, { params, body }) =>
      triggerBuild(ctx, params.id, { cause: 'params', ...body }),
    )
    route(builds.stop, (ctx, { params }) => stopBuild(ctx, params.id, params.number))
    route(builds.decide, (ctx, { params, body }) => decide(ctx, params.id, params.number, params.stage, body))
    route(builds.retry, (ctx, { params, body }) => retryBuild(ctx, params.id, params.number, body.from))
    route(builds.cancel, (ctx, { params }) => cancelQueued(ctx, params.id, params.queueId))
    route(builds.remove, (ctx, { params }) => removeBuilds(ctx, params.id, [params.number]))
    route(builds.removeMany, (ctx, { params, body }) => removeBuilds(ctx, params.id, body))
    route(builds.log, (ctx, { params, query }) =>
      readLog(ctx, params.id, params.number, { stage: params.stage, ...query }),
    )
    route(builds.searchLog, (ctx, { params, query }) => searchLogs(ctx, params.id, params.number, query))
    route(builds.logFile, async (ctx, { params, query }) => {
      const log = await stepLog(ctx, params.id, params.number, { step: params.step, ...query })
      return stream(Readable.from(logText(ctx, log)), {
        'content-disposition': attachment(`build-${params.number}-step-${params.step}.log`),
      })
    })
    route(builds.wholeLog, async (ctx, { params, query }) =>
      stream(await wholeLog(ctx, params.id, params.number, query), {
        'content-disposition': attachment(`build-${params.number}.log`),
      }),
    )
    route(builds.images, async (ctx, { params, query }) =>
      listImages(ctx.db, await idOfPipeline(ctx, params.id), query.keyword ?? '', page(query)),
    )
  },
  topics: [serve(buildsTopic), serve(buildTopic), serve(buildLogTopic)],
  search: [buildsSearch, imagesSearch],
  decisions: [approvalsThatWait, startsThatWait],
  onUserDelete: stopBuildsOf,
})
