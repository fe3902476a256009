import { decisions } from '@gantry/contract/decisions/decisions'
import { decisionsTopic } from '@gantry/contract/decisions/topics'
import { serve } from '../../http/push/sources.ts'
import { job } from '../../kernel/jobs/jobs.ts'
import { page } from '../../kernel/paging.ts'
import { defineModule } from '../../module.ts'
import { tellDeciders } from './decisions.queue.ts'
import { readDecisions, readMailSetting, writeMailSetting } from './decisions.service.ts'
import { tellByMail } from './tell.service.ts'

export const module = defineModule({
  routes(route) {
    route(decisions.list, (ctx, { query }) => readDecisions(ctx, page(query)))
    route(decisions.mail, (ctx) => readMailSetting(ctx))
    route(decisions.setMail, (ctx, { body }) => writeMailSetting(ctx, body.on))
  },
  jobs: [job({ ...tellDeciders, run: (ctx, { teamId }) => tellByMail(ctx, teamId) })],
  topics: [serve(decisionsTopic)],
})
