import { notificationRules } from '@gantry/contract/notifications/rules'
import { job } from '../../../kernel/jobs/jobs.ts'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { changeRule, createRule, removeRule } from './notices.service.ts'
import { listRules } from './notices.store.ts'
import { tellDue, notifyMembers } from './tell.service.ts'

export const module = defineModule({
  routes(route) {
    route(notificationRules.list, (ctx, { params, query }) =>
      listRules(ctx.db, params.teamId, query.keyword ?? '', page(query)),
    )
    route(notificationRules.create, (ctx, { params, body }) => createRule(ctx, params.teamId, body))
    route(notificationRules.update, (ctx, { params, query, body }) =>
      changeRule(ctx, params.teamId, params.ruleId, query.revision, body),
    )
    route(notificationRules.remove, (ctx, { params }) => removeRule(ctx, params.teamId, params.ruleId))
  },
  jobs: [job({ ...notifyMembers, every: 30, run: tellDue })],
})
