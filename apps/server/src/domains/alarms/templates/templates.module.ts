import { alarmTemplates } from '@gantry/contract/alarms/templates'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { readTemplates, removeTemplate, saveTemplate } from './templates.service.ts'

export const module = defineModule({
  routes(route) {
    route(alarmTemplates.list, (ctx, { params, query }) =>
      readTemplates(ctx, params.id, query.keyword ?? '', page(query)),
    )
    route(alarmTemplates.save, (ctx, { params, body }) => saveTemplate(ctx, params.team_id, body))
    route(alarmTemplates.remove, (ctx, { params }) => removeTemplate(ctx, params.team_id, params.ID))
  },
})
