import { reports } from '@gantry/contract/pipelines/reports'
import { defineModule } from '../../../module.ts'
import { getPipeline } from '../pipelines/pipelines.service.ts'
import { readDelivery } from './delivery.read.ts'
import { readAbility, readRecoveries, readStages, readStates } from './reports.read.ts'
import { compare, report } from './reports.service.ts'

export const module = defineModule({
  routes(route) {
    route(reports.recoverAvg, async (ctx, { params, query }) => {
      const { id } = await getPipeline(ctx, params.id)
      return report(ctx, query, (slots) => readRecoveries(ctx.db, id, slots))
    })
    route(reports.stageMeta, async (ctx, { params, query }) => {
      const { id } = await getPipeline(ctx, params.id)
      return report(ctx, query, (slots) => readStages(ctx.db, id, slots))
    })
    route(reports.ability, async (ctx, { params, query }) => {
      const { id } = await getPipeline(ctx, params.id)
      return report(ctx, query, (slots) => readAbility(ctx.db, id, slots))
    })
    route(reports.stateDistribution, async (ctx, { params, query }) => {
      const { id } = await getPipeline(ctx, params.id)
      return report(ctx, query, (slots) => readStates(ctx.db, id, slots))
    })
    // there are no scans yet, so the report is empty
    route(reports.code, (ctx, { query }) => report(ctx, query, () => Promise.resolve({ items: [] })))
    route(reports.abilities, (ctx, { query }) => compare(ctx, query))
    route(reports.delivery, async (ctx, { params, query }) => {
      const { id: pipelineId } = await getPipeline(ctx, params.id)
      return report(ctx, query, (slots) => readDelivery(ctx.db, { pipelineId }, slots))
    })
    route(reports.groupDelivery, (ctx, { params, query }) =>
      report(ctx, query, (slots) => readDelivery(ctx.db, { groupId: params.id }, slots)),
    )
    route(reports.teamDelivery, (ctx, { params, query }) =>
      report(ctx, query, (slots) => readDelivery(ctx.db, { teamId: params.teamId }, slots)),
    )
  },
})
