import { alarmChannels } from '@gantry/contract/alarms/channels'
import { page } from '../../../kernel/paging.ts'
import { defineModule } from '../../../module.ts'
import { readChannels, removeChannel, saveChannel, testChannel } from './channels.service.ts'

export const module = defineModule({
  routes(route) {
    route(alarmChannels.list, (ctx, { params, query }) =>
      readChannels(ctx, params.id, query.keyword ?? '', page(query)),
    )
    route(alarmChannels.save, (ctx, { params, body }) => saveChannel(ctx, params.team_id, body))
    route(alarmChannels.remove, (ctx, { params }) => removeChannel(ctx, params.team_id, params.ID))
    route(alarmChannels.test, (ctx, { params }) => testChannel(ctx, params.team_id, params.ID))
  },
})
